import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

it("docs/public-site.md names only files that exist", async () => {
  const page = await readFile(path.join(root, "docs/public-site.md"), "utf8");
  const named = [...page.matchAll(/`([\w./-]+\/[\w./-]+\.\w+)`/g)].map(
    ([, file]) => file as string,
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
