import type { Static } from "typebox";
import type { SamplesReply } from "#contracts/http/reports.ts";
import { keptAnswer, type QueryApi } from "./kept-answer.ts";

/** How long an answer is cached, in milliseconds. */
const CACHED_MS = 5_000;

/**
 * Creates a function that asks query-api whether sample reports are loaded, every five seconds at
 * most for all pages together. The function rejects when query-api does not answer.
 */
export function askForSamples(queryApi: QueryApi): () => Promise<boolean> {
  const ask = keptAnswer<Static<typeof SamplesReply>["data"]>(
    queryApi,
    "/prod/api/samples",
    CACHED_MS,
  );
  return async () => (await ask()).loaded;
}
