import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;

/** Builds the console into web-admin/dist. It is served below /admin (server/static.ts). */
export default defineConfig({
  root,
  base: "/admin/",
  plugins: [react(), pdfDecoders(), compressed()],
  resolve: { dedupe: ["react", "react-dom", "@emotion/react", "@mui/material"] },
  build: {
    outDir: join(root, "dist"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
    chunkSizeWarningLimit: 1500,
    rolldownOptions: { input: [join(root, "index.html"), join(root, "pdf-frame.html")] },
  },
});

/**
 * The decoders of two kinds of pictures in scanned PDFs, which the library loads by name from beside its
 * own chunk (src/pdf-frame). Its builds in WebAssembly would need a looser policy.
 */
function pdfDecoders(): Plugin {
  const folder = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return {
    name: "pdf-decoders",
    apply: "build",
    generateBundle() {
      for (const name of ["jbig2_nowasm_fallback.js", "openjpeg_nowasm_fallback.js"])
        this.emitFile({
          type: "asset",
          fileName: `assets/pdfjs-${version}/${name}`,
          source: readFileSync(join(folder, "wasm", name)),
        });
    },
  };
}

/** Adds brotli and gzip copies of each text asset, so that no request has to compress it. */
function compressed(): Plugin {
  let folder = "";
  return {
    name: "compressed-assets",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir, config.build.assetsDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg)$/.test(name)) continue;
        const file = join(folder, name);
        if (statSync(file).size < 1024) continue;
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content));
      }
    },
  };
}
