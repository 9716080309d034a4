import type { SiteFacts } from "#contracts/http/content.ts";
import { keptAnswer, type QueryApi } from "./samples.ts";

/** How long an answer is cached: what is published, or set, shows within two seconds. */
const CACHED_MS = 1_000;

/**
 * Creates a function that asks query-api what every page shows: the pages in the footer, and whether the
 * registry is being maintained. It asks once a second at most for all pages together, and rejects when
 * query-api does not answer.
 */
export function askForSiteFacts(queryApi: QueryApi): () => Promise<SiteFacts> {
  return keptAnswer<SiteFacts>(queryApi, "/prod/api/site", CACHED_MS);
}
