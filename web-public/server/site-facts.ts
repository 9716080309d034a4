import type { SiteFacts } from "#contracts/http/content.ts";

/** Cache time in milliseconds, so that what staff publish or set shows within two seconds. */
const FACTS_MS = 1_000;

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
 * Returns a function that reads the facts for every page from query-api: the footer's pages, and whether the site
 * is under maintenance or has sample reports. It asks at most once a second for all pages together, and rejects if
 * query-api doesn't answer.
 */
export function askForSiteFacts({
  queryUrl,
  fetch = globalThis.fetch,
  now = () => performance.now(),
}: QueryApi): () => Promise<SiteFacts> {
  async function ask(): Promise<SiteFacts> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`${queryUrl}/prod/api/site`, { signal });
    if (!answer.ok) throw new Error(`query-api returned ${answer.status}`);
    return ((await answer.json()) as { data: SiteFacts }).data;
  }
  let asked: { readonly at: number; readonly answer: Promise<SiteFacts> } | undefined;
  return () => {
    if (!asked || now() - asked.at >= FACTS_MS) asked = { at: now(), answer: ask() };
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
