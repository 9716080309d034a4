import type { SiteFacts } from "#contracts/http/content.ts";
import { keptAnswer, type QueryApi } from "./kept-answer.ts";

/** How long an answer is cached: a page that is published stands in the footer within two seconds. */
const CACHED_MS = 1_000;

/**
 * Creates a function that asks query-api which pages stand in the footer, once a second at most for
 * all pages together. The function rejects when query-api does not answer.
 */
export function askForSitePages(queryApi: QueryApi): () => Promise<SiteFacts["pages"]> {
  const ask = keptAnswer<SiteFacts>(queryApi, "/prod/api/site", CACHED_MS);
  return async () => (await ask()).pages;
}
