import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { document } from "../contract/documents.ts";
import { SearchUnavailable } from "../port.ts";
import { OpenSearchIndex } from "./opensearch-search-index.ts";

/** One reply of the engine; the last one is repeated. */
interface Answer {
  readonly status?: number;
  readonly body: object;
}

const { blind: _, ...shown } = document(1);
const found = {
  timed_out: false,
  hits: {
    total: { value: 1 },
    hits: [{ _id: shown.id, _source: { document: shown }, sort: [1, shown.id, 0] }],
  },
};
const refusal = (status: number, type: string): Answer => ({
  status,
  body: { error: { type, reason: "canary Quinn" }, status },
});
const gone = refusal(404, "index_not_found_exception");

/** Replies that a real engine gives at moments that no test can choose. */
describe("a rare response from OpenSearch", () => {
  let server: http.Server;
  let index: OpenSearchIndex;
  let answers: Answer[];
  let asked: URL[];
  beforeEach(async () => {
    answers = [];
    asked = [];
    server = http.createServer((request, response) => {
      asked.push(new URL(request.url ?? "", "http://engine"));
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      request.resume().on("end", () => {
        response
          .writeHead(answer?.status ?? 200, { "content-type": "application/json" })
          .end(JSON.stringify(answer?.body ?? {}));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    index = new OpenSearchIndex(`http://127.0.0.1:${port}`, { limits: { search: 60_000 } });
  });
  afterEach(async () => {
    await index.close();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const search = () => index.search({ size: 9 });
  const failure = async () => {
    const error: unknown = await search().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SearchUnavailable);
    return String(error);
  };

  it("that the index is gone, because it was swapped and dropped during the search, leads to one retry", async () => {
    answers = [gone, { body: found }];
    expect((await search()).hits.map(({ id }) => id)).toEqual([shown.id]);
    expect(asked).toHaveLength(2);
    asked = [];
    answers = [gone];
    await failure();
    expect(asked).toHaveLength(2);
  });

  it("that it is overloaded leads to no retry", async () => {
    answers = [refusal(429, "circuit_breaking_exception"), { body: found }];
    await failure();
    expect(asked).toHaveLength(1);
  });

  it("that is partial because of its time limit is an error", async () => {
    answers = [{ body: { ...found, timed_out: true } }];
    expect(await failure()).toContain("timed out");
  });

  it("that is partial because of failed shards is never requested", async () => {
    answers = [{ body: found }];
    await search();
    expect(asked[0]?.searchParams.get("allow_partial_search_results")).toBe("false");
  });

  it("that lacks a hit's document is an error", async () => {
    answers = [{ body: { ...found, hits: { total: 1, hits: [{ sort: [1, "x", 0] }] } } }];
    await failure();
  });

  it("with an error is reported by its code, without the search text", async () => {
    answers = [refusal(400, "search_phase_execution_exception")];
    const message = await failure();
    expect(message).toContain("400 (search_phase_execution_exception)");
    expect(message).not.toMatch(/canary|quinn/i);
    answers = [{ status: 502, body: { canary: "Quinn" } }];
    expect(await failure()).not.toMatch(/canary|quinn/i);
  });
});
