import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { countingContract } from "./contract/counting.contract.ts";
import { TEST_COUNT_CAP } from "./contract/documents.ts";
import { filteringContract } from "./contract/filtering.contract.ts";
import { hostileContract } from "./contract/hostile.contract.ts";
import { matchingContract } from "./contract/matching.contract.ts";
import { modelContract } from "./contract/model.contract.ts";
import { pagingContract } from "./contract/paging.contract.ts";
import { rebuildContract } from "./contract/rebuild.contract.ts";
import { writingContract } from "./contract/writing.contract.ts";
import type { SearchIndex } from "./port.ts";

export { TEST_COUNT_CAP };

/** An index that the suite may fill and empty. */
export interface IndexUnderTest {
  readonly index: SearchIndex;
  close(): Promise<void>;
}

/**
 * The behavior of every search index. Each adapter runs the whole suite.
 * @param open opens an index that counts exactly up to `TEST_COUNT_CAP`.
 * @param hookTimeout milliseconds to open, empty and close it; vitest's default when absent.
 */
export function searchContract(
  name: string,
  open: () => Promise<IndexUnderTest>,
  hookTimeout?: number,
): void {
  describe(`${name} as a search index`, () => {
    let opened: IndexUnderTest | undefined;
    const index = (): SearchIndex => {
      if (!opened) throw new Error("the index is not open");
      return opened.index;
    };
    beforeAll(async () => {
      opened = await open();
    }, hookTimeout);
    beforeEach(() => index().clear(), hookTimeout);
    afterAll(() => opened?.close(), hookTimeout);

    describe("matching", () => matchingContract(index));
    describe("filtering and sorting", () => filteringContract(index));
    describe("paging", () => pagingContract(index));
    describe("counting", () => countingContract(index));
    describe("writing", () => writingContract(index));
    describe("rebuilding", () => rebuildContract(index));
    describe("bounds", () => hostileContract(index));
    describe("compared with the reference matching", () => modelContract(index));
  });
}
