import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take minutes. One that begins late leaves the other processors idle at the end of a run. */
export const SLOWEST = [
  "e2e/console-colors.e2e.test.ts",
  "e2e/console-states.e2e.test.ts",
  "e2e/site-screens.e2e.test.ts",
];

/** Vitest's order, in which large files come first, but for those that are slow and small. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOWEST.some((file) => moduleId.endsWith(`/${file}`));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
