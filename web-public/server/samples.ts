import type { Static } from "typebox";
import type { SiteFacts } from "#contracts/http/content.ts";
import type { SamplesReply } from "#contracts/http/reports.ts";

/**
 * Cache times in milliseconds. Facts expire after one second, so that what staff publish or set shows within two
 * seconds.
 */
const SAMPLES_MS = 5_000;
const FACTS_MS = 1_000;

/**
 * Returns a function that asks query-api whether there are sample reports, at most every five seconds for all
 * pages together. It rejects if query-api doesn't answer.
 */
export function askForSamples(queryApi: QueryApi): () => Promise<boolean> {
  const ask = cachedRead<Static<typeof SamplesReply>["data"]>(
    queryApi,
    "/prod/api/samples",
    SAMPLES_MS,
  );
  return async () => (await ask()).loaded;
}

/** Milliseconds that a page waits for such an answer. */
const TIMEOUT_MS = 2_000;

/** Where query-api is, and how it is called. */
export interface QueryApi {
  /** Origin of query-api's HTTP interface. */
  readonly queryUrl: string;
  readonly fetch?: typeof globalThis.fetch;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Returns a function that reads something for every page from query-api, and shares the answer for `keptMs`. It
 * rejects if query-api doesn't answer.
 * @param path of a public read.
 * @returns a function that resolves to the reply's `data`.
 */
export function cachedRead<T>(
  { queryUrl, fetch = globalThis.fetch, now = () => performance.now() }: QueryApi,
  path: `/prod/api/${string}`,
  keptMs: number,
): () => Promise<T> {
  async function ask(): Promise<T> {
    const answer = await fetch(queryUrl + path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`query-api answers ${answer.status}`);
    return ((await answer.json()) as { data: T }).data;
  }
  let asked: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    if (!asked || now() - asked.at >= keptMs) asked = { at: now(), answer: ask() };
    return asked.answer;
  };
}

/** Returns a function that resolves to the newest answer, or the previous one if reading fails. */
export function lastKnown<T>(
  ask: (() => Promise<T>) | undefined,
  first: T,
  onFailure: (error: unknown) => void,
): () => Promise<T> {
  let known = first;
  return async () => {
    try {
      if (ask) known = await ask();
    } catch (error) {
      onFailure(error);
    }
    return known;
  };
}

/**
 * Returns a function that reads the facts for every page from query-api: the footer's pages, and whether the site
 * is under maintenance. It asks at most once a second for all pages together, and rejects if query-api doesn't
 * answer.
 */
export function askForSiteFacts(queryApi: QueryApi): () => Promise<SiteFacts> {
  return cachedRead<SiteFacts>(queryApi, "/prod/api/site", FACTS_MS);
}
