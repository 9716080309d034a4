import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { routeLists } from "./route-lists.ts";

it.each(Object.entries(routeLists()))("%s holds the contract's calls", async (file, text) => {
  expect(await readFile(new URL(file, import.meta.url), "utf8")).toBe(text);
});
