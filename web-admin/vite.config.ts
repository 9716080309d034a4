import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;

/** Builds the console into web-admin/dist. It is served under /admin (server/static.ts). */
export default defineConfig({
  root,
  base: "/admin/",
  plugins: [react(), pdfDecoders()],
  resolve: { dedupe: ["react", "react-dom", "@emotion/react", "@mui/material"] },
  build: {
    outDir: join(root, "dist"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: [join(root, "index.html"), join(root, "pdf-frame.html")],
      // Code shared by many sections goes into one file: split up, the first page load took 59 requests and more
      // bytes.
      output: { codeSplitting: { groups: [{ name: "common", minShareCount: 14 }] } },
    },
  },
});

/**
 * Emits the decoders for two image formats in scanned PDFs, which pdf.js loads by name from next to its own chunk
 * (src/pdf-frame). Its WebAssembly builds would require a looser content security policy.
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
