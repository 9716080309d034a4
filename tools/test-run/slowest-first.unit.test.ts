import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { TestSpecification, Vitest } from "vitest/node";
import { SLOWEST, SlowestFirst } from "./slowest-first.ts";

const root = path.resolve(import.meta.dirname, "../..");

it("the slowest test files exist, and come before all others", async () => {
  for (const file of SLOWEST) expect(existsSync(path.join(root, file)), file).toBe(true);
  const last = path.join(root, SLOWEST.at(-1) as string);
  const project = { name: "e2e", config: { root, sequence: { groupOrder: 0 } } };
  const files = [path.join(root, "e2e/a.e2e.test.ts"), last].map(
    (moduleId) => ({ moduleId, project }) as unknown as TestSpecification,
  );
  const none = () => undefined;
  const cache = { getTestSpecificationResult: none, getFileStats: none };
  const vitest = { config: { root }, cache };
  const sequencer = new SlowestFirst(vitest as unknown as Vitest);
  expect((await sequencer.sort(files)).map(({ moduleId }) => moduleId)).toEqual([
    last,
    files[0]?.moduleId,
  ]);
});
