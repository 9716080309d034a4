import { randomBytes } from "node:crypto";
import http from "node:http";
import { inject } from "vitest";
import type { NodeAnswer } from "./search-node-on-demand.ts";

/**
 * The OpenSearch node of this run: the one at `TEST_SEARCH_URL`, or one that is started for the
 * first test that asks. Its URL includes an index name that only this caller uses.
 * @returns the reason if there is none; skipped tests print it.
 */
export async function testSearchNode(): Promise<{ url: string } | { absent: string }> {
  const answer = await ask(inject("searchNodeDoor"));
  if ("failed" in answer) throw new Error(answer.failed);
  if ("absent" in answer) return answer;
  const url = new URL(answer.url);
  url.searchParams.set("index", `test-${randomBytes(6).toString("hex")}`);
  return { url: url.href };
}

/** Without a time limit: a node may take minutes to start on a busy machine. */
function ask(address: string): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    http
      .get(address, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve(JSON.parse(text) as NodeAnswer));
        response.on("error", reject);
      })
      .on("error", reject);
  });
}
