import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Text files that a visitor loads, at least this long, get a `.br` and a `.gz` beside them. */
const COMPRESSIBLE = /\.(js|css|svg|txt)$/;
const WORTH_COMPRESSING = 512;

/** Writes the compressed forms of the client's files once, so that no request has to. */
function precompress(): Plugin {
  let outDir = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      outDir = path.resolve(config.root, config.build.outDir);
    },
    async closeBundle(error?: Error) {
      if (error) return;
      const names = readdirSync(outDir, { recursive: true, encoding: "utf8" });
      await Promise.all(
        names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(outDir, name)),
      );
    },
  };
}

async function compress(folder: string, name: string): Promise<void> {
  const file = path.join(folder, name);
  const content = readFileSync(file);
  if (content.length < WORTH_COMPRESSING) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gz);
}

const contracts = path.join(root, "../contracts/src/report");
/** Tables of words, which pages share. */
const TABLES = ["reasons.ts", "words.ts"].map((name) => path.join(contracts, name));
/** What a field's row says to others than the form. */
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
 * Works out modules called `*.folded.ts` here and keeps their values alone, so that a page carries
 * the few rows that it shows and not the whole catalogue. Tables of words are imported, not copied.
 * The catalogue itself is left to the form, which gets what its rows say to it.
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
 * `vite build` writes what browsers load to dist/client, `vite build --ssr` the module that renders
 * the first response to dist/server. Both come from the same sources and name the same styles.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root,
  base: "/",
  appType: "custom",
  logLevel: "warn",
  plugins: [react(), folded(), ...(isSsrBuild ? [] : [precompress()])],
  // React's own switch is set in the build, so that the server renders with the fast one.
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
        // One sheet: it is small, and a page never waits for its part of it.
        cssCodeSplit: false,
        // A data: address would need an exception in the security policy.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rollupOptions: { input: { entry: path.join(root, "src/entry.client.tsx") } },
      },
}));
