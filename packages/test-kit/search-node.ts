import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { requestShared } from "./on-demand.ts";
import type { NodeAnswer } from "./search-node-on-demand.ts";

/**
 * Returns this run's OpenSearch node: the one at `TEST_SEARCH_URL`, or one started for the first test that asks.
 * Its URL includes an index name that only this caller uses.
 * @returns the reason if there is none, which skipped tests print.
 */
export async function testSearchNode(): Promise<NodeAnswer> {
  const answer = await requestShared<NodeAnswer>(inject("searchNodeDoor"));
  if ("absent" in answer) return answer;
  const url = new URL(answer.url);
  url.searchParams.set("index", `test-${randomBytes(6).toString("hex")}`);
  return { url: url.href };
}
