import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

it.each([
  ["docs/public-site.md", 50],
  ["docs/back-office.md", 10],
])("%s names only files that exist", async (name, least) => {
  const page = await readFile(path.join(root, name), "utf8");
  const named = [...page.matchAll(/`([\w./-]+\/[\w./-]+\.\w+)`/g)].map(
    ([, file]) => file as string,
  );
  expect(named.length).toBeGreaterThan(least);
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
