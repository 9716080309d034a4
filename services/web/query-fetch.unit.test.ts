import { describe, expect, it } from "vitest";
import { createCommandFetch, createQueryFetch, QUERY_API } from "./docs.app.ts";

const UPSTREAMS = ["http://one.test", "http://two.test"];

/** Two query-apis, some of which are down. */
function queryApis(...away: string[]) {
  const asked: string[] = [];
  const failed: string[] = [];
  const fetch = createQueryFetch({
    order: () => UPSTREAMS,
    failed: (upstream) => void failed.push(upstream),
    givenUp: () => undefined,
    fetch: async (input, init) => {
      asked.push(String(input));
      init?.signal?.throwIfAborted();
      const { origin } = new URL(String(input));
      if (away.includes(origin)) throw new TypeError(`${origin} is away`);
      return new Response(origin);
    },
  });
  return { fetch, asked, failed };
}

describe("reads of the site's server", () => {
  it("go to the query-apis in turn", async () => {
    const { fetch, asked } = queryApis();
    const answer = await fetch(`${QUERY_API}/prod/api/reports/recent?limit=5`);
    expect(await answer.text()).toBe("http://one.test");
    expect(asked).toEqual(["http://one.test/prod/api/reports/recent?limit=5"]);
  });

  it("go to the next one if one is down, recording the failure", async () => {
    const { fetch, failed } = queryApis("http://one.test");
    expect(await (await fetch(`${QUERY_API}/x`)).text()).toBe("http://two.test");
    expect(failed).toEqual(["http://one.test"]);
  });

  it("go to the next one if one is given up", async () => {
    const frozen = new AbortController();
    const fetch = createQueryFetch({
      order: () => UPSTREAMS,
      failed: () => undefined,
      givenUp: (upstream) => (upstream === UPSTREAMS[0] ? frozen.signal : undefined),
      fetch: (input, init) => {
        const { origin } = new URL(String(input));
        if (origin !== UPSTREAMS[0]) return Promise.resolve(new Response(origin));
        return new Promise((_resolve, reject) =>
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
        );
      },
    });
    const answer = fetch(`${QUERY_API}/x`, { signal: new AbortController().signal });
    await new Promise((resolve) => setImmediate(resolve));
    frozen.abort();
    expect(await (await answer).text()).toBe("http://two.test");
  });

  it("fail if all are down", async () => {
    const { fetch, failed } = queryApis(...UPSTREAMS);
    await expect(fetch(`${QUERY_API}/x`)).rejects.toThrow("http://two.test is away");
    expect(failed).toEqual(UPSTREAMS);
  });

  it("are cancelled with their caller, without blaming a query-api", async () => {
    const { fetch, asked, failed } = queryApis();
    const signal = AbortSignal.abort();
    await expect(fetch(`${QUERY_API}/x`, { signal })).rejects.toThrow(/abort/);
    expect([asked.length, failed]).toEqual([1, []]);
  });

  it("never write", async () => {
    const { fetch, asked } = queryApis();
    await expect(fetch(`${QUERY_API}/x`, { method: "POST" })).rejects.toThrow("only read from");
    expect(asked).toEqual([]);
  });
});

describe("commands of the site's server", () => {
  it("go to the next command-api if one is down, complete and with their idempotency key", async () => {
    const asked: [string, RequestInit | undefined][] = [];
    const fetch = createCommandFetch({
      order: () => UPSTREAMS,
      failed: () => undefined,
      givenUp: () => undefined,
      fetch: async (input, init) => {
        asked.push([String(input), init]);
        if (asked.length === 1) throw new TypeError("away");
        return new Response("done");
      },
    });
    const headers = { "idempotency-key": "k" };
    const sent = { method: "POST", headers, body: '{"a":1}' };
    const reply = await fetch("http://anywhere.test/prod/api/reports/submit?_cb=1", sent);
    expect(await reply.text()).toBe("done");
    expect(asked.map(([url]) => url)).toEqual(
      UPSTREAMS.map((upstream) => `${upstream}/prod/api/reports/submit?_cb=1`),
    );
    expect(asked.map(([, init]) => init?.body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(new Headers(asked[1]?.[1]?.headers).get("idempotency-key")).toBe("k");
    await expect(fetch("http://anywhere.test/prod/api/reports/submit")).rejects.toThrow(
      "only posts",
    );
  });

  it.each([
    ["/prod/api/reports/submit", true],
    ["/prod/api/verify-email/a-token", true],
    ["/prod/api/report-status", true],
    ["/prod/api/inquiry-answer", true],
    ["/prod/api/inquiry-answer/reply", true],
    ["/prod/api/report-question", true],
    ["/prod/api/report-question/answer", true],
    ["/prod/api/auth/login", false],
    ["/prod/api/verify-email/..", false],
    ["/prod/api/verify-email/../auth/login", false],
    ["/prod/api/verify-email/%2e%2e/admin/users", false],
    ["/prod/api/verify-email/x/y", false],
    ["/prod/api/reports/submit/x", false],
    ["/metrics", false],
  ])("POST %s reaches command-api: %s", async (path, may) => {
    const asked: string[] = [];
    const fetch = createCommandFetch({
      order: () => UPSTREAMS,
      failed: () => undefined,
      givenUp: () => undefined,
      fetch: async (input) => {
        asked.push(String(input));
        return new Response("done");
      },
    });
    const sent = fetch(`http://anywhere.test${path}`, { method: "POST", body: "{}" });
    if (may) expect(await (await sent).text()).toBe("done");
    // Logs contain the message, and the path may contain an email link's token.
    else await expect(sent).rejects.toThrow("the site does not use this address of command-api");
    expect(asked).toHaveLength(may ? 1 : 0);
  });
});
