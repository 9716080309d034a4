import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take minutes. Starting one late leaves the other cores idle at the end of a run. */
export const SLOWEST = [
  "e2e/console-colors.e2e.test.ts",
  "e2e/console-states.e2e.test.ts",
  "e2e/site-screens.e2e.test.ts",
];

/** Vitest's order (large files first), with the slow small ones moved to the front. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOWEST.some((file) => moduleId.endsWith(`/${file}`));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
