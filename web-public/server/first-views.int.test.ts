import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, type Rollup } from "vite";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const FORM = "/submit-report/SubmitReportPage.tsx";
/** Shows its owner every field of a report. Not a first view: it needs an account. */
const OWN_REPORT = "/own-report/OwnReportPage.tsx";
/** Modules that only those two pages may load: the schema library and the catalogue of fields. */
const HEAVY = /\/node_modules\/typebox\/|\/contracts\/src\/report\/(catalogue|fields)\.ts$/;

it("only the form and one's own report load the schemas and the catalogue of fields", async () => {
  const outDir = await mkdtemp(path.join(tmpdir(), "first-views-"));
  try {
    const built = await build({
      configFile: path.join(root, "vite.config.ts"),
      configLoader: "native",
      build: { outDir },
    });
    const { output } = built as Rollup.RollupOutput;
    const chunks = new Map(
      output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])),
    );
    const loaded = (name: string, seen = new Set<string>()): Set<string> => {
      if (!seen.has(name)) {
        seen.add(name);
        for (const next of chunks.get(name)?.imports ?? []) loaded(next, seen);
      }
      return seen;
    };
    const pages = [...chunks.values()].filter(
      ({ isEntry, facadeModuleId }) => isEntry || facadeModuleId?.endsWith("Page.tsx"),
    );
    expect(pages.length).toBeGreaterThan(6);
    for (const { fileName, facadeModuleId } of pages) {
      const modules = [...loaded(fileName)].flatMap((name) => chunks.get(name)?.moduleIds ?? []);
      const heavy = modules.some((id) => HEAVY.test(id));
      const isMeantTo = [FORM, OWN_REPORT].some((page) => facadeModuleId?.endsWith(page));
      expect(heavy, fileName).toBe(isMeantTo);
    }
    const form = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(FORM));
    const files = [...loaded(String(form?.fileName))];
    const texts = files.map((name) => readFile(path.join(outDir, name), "utf8"));
    const text = (await Promise.all(texts)).join("\n");
    expect(text).toContain("Published as q***@***");
    expect(text).not.toContain("besideStatus");
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
});
