import path from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

const contracts = path.join(root, "../contracts/src/report");
const TABLES = ["reasons.ts", "words.ts"].map((name) => path.join(contracts, name));
/** Properties of a catalogue row that the form doesn't use. */
const NOT_FOR_THE_FORM = [
  "view",
  "record",
  "fact",
  "console",
  "besideStatus",
  "editedInAll",
  "missed",
];

/**
 * Evaluates modules named `*.folded.ts` during the build and keeps only their values, so that a page contains the
 * few rows it shows and not the whole catalogue. Label tables are imported rather than copied. Only the form
 * loads the catalogue, without the properties it doesn't use.
 */
function folded(): Plugin {
  return {
    name: "folded",
    async load(id) {
      const isCatalogue = id === path.join(contracts, "catalogue.ts");
      if (!isCatalogue && !id.endsWith(".folded.ts")) return null;
      const names = new Map<unknown, string>();
      const lines: string[] = [];
      for (const file of TABLES) {
        const tables = Object.entries(await import(file)).filter(
          ([, it]) => typeof it === "object",
        );
        for (const [name, table] of tables) names.set(table, name);
        lines.push(`import { ${tables.map(([name]) => name)} } from ${JSON.stringify(file)};`);
      }
      for (const [name, value] of Object.entries(await import(id))) {
        const text = JSON.stringify(value, (key, it) => {
          if (isCatalogue && NOT_FOR_THE_FORM.includes(key)) return undefined;
          return names.has(it) ? `@${names.get(it)}` : it;
        });
        lines.push(`export const ${name} = ${text.replaceAll(/"@(\w+)"/g, "$1")};`);
      }
      return lines.join("\n");
    },
  };
}

/**
 * `vite build` writes the browser's files to dist/client; `vite build --ssr` writes the module for server
 * rendering to dist/server. Both use the same sources and class names.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root,
  base: "/",
  appType: "custom",
  logLevel: "warn",
  plugins: [react(), folded()],
  // Set at build time, so that the server uses React's faster production code.
  ssr: { noExternal: true },
  ...(isSsrBuild ? { define: { "process.env.NODE_ENV": JSON.stringify("production") } } : {}),
  build: isSsrBuild
    ? {
        outDir: "dist/server",
        emptyOutDir: true,
        copyPublicDir: false,
        minify: false,
        ssr: true,
        rollupOptions: { input: { entry: path.join(root, "server/render.tsx") } },
      }
    : {
        outDir: "dist/client",
        emptyOutDir: true,
        manifest: "manifest.json",
        // One style sheet: it is small, and no page has to wait for its own.
        cssCodeSplit: false,
        // A data: URL would need an exception in the content security policy.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rollupOptions: { input: { entry: path.join(root, "src/entry.client.tsx") } },
      },
}));
