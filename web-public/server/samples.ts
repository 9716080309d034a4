import type { Static } from "typebox";
import type { SiteFacts } from "#contracts/http/content.ts";
import type { SamplesReply } from "#contracts/http/reports.ts";

/** How long answers are cached, in milliseconds: what is published, or set, shows within two seconds. */
const SAMPLES_MS = 5_000;
const FACTS_MS = 1_000;

/**
 * Creates a function that asks query-api whether sample reports are loaded, every five seconds at
 * most for all pages together. The function rejects when query-api does not answer.
 */
export function askForSamples(queryApi: QueryApi): () => Promise<boolean> {
  const ask = keptAnswer<Static<typeof SamplesReply>["data"]>(
    queryApi,
    "/prod/api/samples",
    SAMPLES_MS,
  );
  return async () => (await ask()).loaded;
}

/** How long a page may wait for such an answer, in milliseconds. */
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
 * Creates a function that reads from query-api what every page shows, at most once in a time for all
 * pages together. The function rejects when query-api does not answer.
 * @param path of a read that any visitor may make.
 * @returns the reply's `data`.
 */
export function keptAnswer<T>(
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

/** The newest answer or, while there is none, the one before it. */
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
 * Creates a function that asks query-api what every page shows: the pages in the footer, and whether the
 * registry is being maintained. It asks once a second at most for all pages together, and rejects when
 * query-api does not answer.
 */
export function askForSiteFacts(queryApi: QueryApi): () => Promise<SiteFacts> {
  return keptAnswer<SiteFacts>(queryApi, "/prod/api/site", FACTS_MS);
}
