import { describe, expect, it } from "vitest";
import { fakeRegistry, ok, refusal } from "../../testing/fake-registry.ts";
import { ApiError, createApiClient, dataOf, sentenceOf } from "./client.ts";

const PATH = "GET /prod/api/reports/recent";

function client(answers: Parameters<typeof fakeRegistry>[0], seen?: string) {
  const registry = fakeRegistry(answers);
  const written: string[] = [];
  const faults: ApiError[] = [];
  const api = createApiClient({
    baseUrl: "http://registry.test",
    position: { read: () => seen, write: (position) => written.push(position) },
    headers: { "x-forwarded-for": "203.0.113.7" },
    onFault: (fault) => faults.push(fault),
    fetch: registry.fetch,
    now: () => 1_763_700_000_000,
  });
  return { api, calls: registry.calls, written, faults };
}

describe("the registry client", () => {
  it("sends a cache-busting parameter and the given headers", async () => {
    const { api, calls } = client({ [PATH]: ok([]) });
    await api.get("/api/reports/recent", { query: new URLSearchParams({ limit: "6" }) });
    expect(calls[0]?.query.toString()).toBe("limit=6&_cb=1763700000000");
    expect(calls[0]?.headers.get("x-forwarded-for")).toBe("203.0.113.7");
    expect(calls[0]?.headers.has("x-min-position")).toBe(false);
  });

  it("remembers the position of its own write and reads from that position on", async () => {
    const { api, written } = client({
      "POST /prod/api/verify-email/t": ok({}, { "x-position": "epoch:000042" }),
    });
    await api.post("/api/verify-email/t");
    expect(written).toEqual(["epoch:000042"]);

    const reader = client({ [PATH]: ok([], { "x-position": "epoch:000099" }) }, "epoch:000042");
    await reader.api.get("/api/reports/recent");
    expect(reader.calls[0]?.headers.get("x-min-position")).toBe("epoch:000042");
    expect(reader.written).toEqual([]);
  });

  it("sends a body as JSON, with an idempotency key", async () => {
    const { api, calls } = client({ "POST /prod/api/reports/submit": ok({ id: "1" }) });
    const reply = await api.post("/api/reports/submit", {
      body: { title: "é" },
      idempotencyKey: "k".repeat(32),
    });
    expect(reply.data).toEqual({ id: "1" });
    expect(calls[0]).toMatchObject({ body: { title: "é" } });
    expect(calls[0]?.headers.get("content-type")).toBe("application/json");
    expect(calls[0]?.headers.get("idempotency-key")).toBe("k".repeat(32));
  });

  it("passes on an error's status, message, fields, and when to retry", async () => {
    const { api, faults } = client({
      [PATH]: refusal(429, "too_many_requests", "Wait.", { q: "Too long" }, { "retry-after": "6" }),
    });
    await expect(api.get("/api/reports/recent")).rejects.toMatchObject({
      name: "ApiError",
      status: 429,
      code: "too_many_requests",
      explanation: "Wait.",
      fields: { q: "Too long" },
      retryAfter: 6,
    });
    expect(faults).toEqual([]);
  });

  it.each([
    ["no response", undefined, 0],
    ["a proxy's page", { status: 502, body: "<html>Bad gateway</html>" }, 502],
    ["success without JSON", { status: 200, body: "<html>Sign in</html>" }, 0],
    ["a reply without success", { status: 200, body: { success: false } }, 0],
    ["a reply without data", { status: 200, body: { success: true } }, 0],
  ])("fails on %s and reports it", async (_what, answer, status) => {
    const { api, faults } = client({ [PATH]: answer });
    await expect(api.get("/api/reports/recent")).rejects.toMatchObject({
      status,
      explanation: undefined,
    });
    expect(faults).toHaveLength(1);
  });

  it("times out", async () => {
    const api = createApiClient({
      baseUrl: "http://registry.test",
      position: { read: () => undefined, write: () => undefined },
      timeoutMs: 5,
      fetch: (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        }),
    });
    await expect(api.get("/api/reports/recent")).rejects.toMatchObject({ status: 0 });
  });

  it("rethrows its caller's abort unchanged", async () => {
    const gone = new AbortController();
    gone.abort();
    const { api, faults } = client({
      [PATH]: () => {
        throw new DOMException("gone", "AbortError");
      },
    });
    await expect(api.get("/api/reports/recent", { signal: gone.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(faults).toEqual([]);
  });
});

it("dataOf returns a reply's data, and throws if there is none", async () => {
  expect(await dataOf(Promise.resolve({ data: 7 }))).toBe(7);
  await expect(dataOf(Promise.resolve({}))).rejects.toMatchObject({ status: 0, code: "garbled" });
});

it("sentenceOf returns the server's message, or else the page's, and rethrows bugs", () => {
  const refused = new ApiError(404, { explanation: "There is no such session." });
  expect(sentenceOf(refused, "Try again.")).toBe("There is no such session.");
  expect(sentenceOf(new ApiError(0), "Try again.")).toBe("Try again.");
  expect(() => sentenceOf(new TypeError("oops"), "Try again.")).toThrow("oops");
});
