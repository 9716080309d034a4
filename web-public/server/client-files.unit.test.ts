import { describe, expect, it } from "vitest";
import { clientFiles, type Manifest } from "./client-files.ts";

const manifest: Manifest = {
  "src/entry.client.tsx": {
    file: "assets/entry-1.js",
    src: "src/entry.client.tsx",
    isEntry: true,
    imports: ["_router.js"],
  },
  "_router.js": { file: "assets/router-1.js" },
  "src/Page.tsx": { file: "assets/Page-1.js", imports: ["_router.js", "_list.js"] },
  "_list.js": { file: "assets/list-1.js", imports: ["_router.js"] },
  "style.css": { file: "assets/style-1.css" },
  "../node_modules/x/inter-latin-wght-normal.woff2": { file: "assets/latin-1.woff2" },
  "../node_modules/x/inter-latin-ext-wght-normal.woff2": { file: "assets/ext-1.woff2" },
};

describe("what a page loads", () => {
  it("is the entry with its modules, the styles and one font", () => {
    const { files, stylesheets } = clientFiles(manifest);
    expect(files.entry).toBe("/assets/entry-1.js");
    expect(files.imports).toEqual(["/assets/router-1.js"]);
    expect(files.fonts).toEqual(["/assets/latin-1.woff2"]);
    expect(stylesheets).toEqual(["/assets/style-1.css"]);
  });

  it("is, for a lazy page, each module once, except those that the entry includes", () => {
    const { files } = clientFiles(manifest);
    expect(files.pageModules("src/Page.tsx")).toEqual(["/assets/Page-1.js", "/assets/list-1.js"]);
    expect(files.pageModules("src/Unknown.tsx")).toEqual([]);
  });

  it("fails for a manifest without an entry", () => {
    expect(() => clientFiles({})).toThrow(/has no entry/);
  });
});
