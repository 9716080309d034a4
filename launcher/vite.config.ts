import path from "node:path";
import { defineConfig, type Plugin } from "vite";
import { PROGRAMS } from "./programs.js";

const root = path.resolve(import.meta.dirname, "..");

/**
 * `vite build --ssr` bundles each server program with its packages into launcher/dist. Reading and linking some
 * 2,000 modules takes longer than the rest of a start.
 */
export default defineConfig({
  root,
  logLevel: "warn",
  plugins: [foldersOfSources()],
  // Packages with native code, which load it from their own folders.
  ssr: { noExternal: true, external: ["sharp", "@node-rs/argon2", "msgpackr-extract"] },
  build: {
    ssr: true,
    target: "node24",
    minify: false,
    rolldownOptions: {
      // Either of these drops calls like decodeURIComponent(text) that are made only to throw.
      treeshake: false,
      input: Object.fromEntries(
        Object.entries(PROGRAMS).map(([name, file]) => [name, path.join(root, file)]),
      ),
      output: { minify: false, entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});

/** Lets each module find files relative to its source folder, even if the project has moved since the build. */
function foldersOfSources(): Plugin {
  return {
    name: "folders-of-sources",
    transform(code, id) {
      if (!/import\.meta\.(dirname|url)|__dirname|__filename/.test(code) || !path.isAbsolute(id))
        return null;
      const file = path.relative(path.join(root, "launcher/dist"), id).replaceAll("\\", "/");
      const url = `new URL(${JSON.stringify(file)}, import.meta.url)`;
      const names = {
        "import.meta.url": `${url}.href`,
        "import.meta.dirname": `(import.meta.dirname + ${JSON.stringify(`/${path.posix.dirname(file)}`)})`,
        __dirname: `(import.meta.dirname + ${JSON.stringify(`/${path.posix.dirname(file)}`)})`,
        __filename: `(import.meta.dirname + ${JSON.stringify(`/${file}`)})`,
      };
      return code.replace(
        /\b(import\.meta\.(url|dirname)|__dirname|__filename)\b/g,
        (name) => names[name as keyof typeof names],
      );
    },
  };
}
