import { expect, onTestFinished } from "vitest";

/** A request that the code under test sent. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The answer of a fake route. A function is called on each request. */
export interface FakeAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}
export type FakeRoute = FakeAnswer | ((request: SentRequest) => FakeAnswer | Promise<FakeAnswer>);

export interface FakeFetch {
  readonly fetch: typeof globalThis.fetch;
  /** All requests so far, in order. */
  readonly sent: SentRequest[];
}

/**
 * A `fetch` for one test that answers the given routes (`"GET /prod/admin/reports"`, without a
 * query). Any other request fails the test, even if the code under test swallows the error.
 */
export function fakeFetch(routes: Readonly<Record<string, FakeRoute>>): FakeFetch {
  const sent: SentRequest[] = [];
  const unhandled: string[] = [];
  onTestFinished(() => expect(unhandled, "requests that the test did not expect").toEqual([]));
  return {
    sent,
    async fetch(input, init = {}) {
      const url = String(input);
      const method = init.method ?? "GET";
      const request: SentRequest = {
        method,
        url,
        headers: new Headers(init.headers),
        body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
      };
      sent.push(request);
      const route = routes[`${method} ${url.split("?")[0]}`];
      if (!route) {
        unhandled.push(`${method} ${url}`);
        throw new Error(`Unexpected request: ${method} ${url}`);
      }
      init.signal?.throwIfAborted();
      const {
        status = 200,
        body,
        headers,
      } = typeof route === "function" ? await route(request) : route;
      return new Response(body === undefined ? null : JSON.stringify(body), {
        status,
        headers: { "content-type": "application/json", ...headers },
      });
    },
  };
}
