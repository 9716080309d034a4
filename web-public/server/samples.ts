import type { Static } from "typebox";
import type { SamplesReply } from "#contracts/http/samples.ts";

/** How long an answer is cached, in milliseconds. */
const CACHED_MS = 5_000;
/** How long a page may wait for the answer, in milliseconds. */
const TIMEOUT_MS = 2_000;

export interface SamplesQuestion {
  /** Origin of query-api's HTTP interface. */
  readonly queryUrl: string;
  readonly fetch?: typeof globalThis.fetch;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Creates a function that asks query-api whether sample reports are loaded, every five seconds at
 * most for all pages together. The function rejects when query-api does not answer.
 */
export function askForSamples({
  queryUrl,
  fetch = globalThis.fetch,
  now = () => performance.now(),
}: SamplesQuestion): () => Promise<boolean> {
  async function ask(): Promise<boolean> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`${queryUrl}/prod/api/samples`, { signal });
    if (!answer.ok) throw new Error(`query-api answers ${answer.status}`);
    const { data } = (await answer.json()) as Static<typeof SamplesReply>;
    return data.loaded;
  }
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  return () => {
    if (!asked || now() - asked.at >= CACHED_MS) asked = { at: now(), answer: ask() };
    return asked.answer;
  };
}
