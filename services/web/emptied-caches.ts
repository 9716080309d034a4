import type { Logger } from "pino";
import type { SiteFacts } from "#contracts/http/content.ts";
import type { Caches } from "#operations/caches.ts";

/** Empties the caches when query-api says that an admin has asked for it, once for each time. */
export function emptiesCaches(
  caches: Caches,
  log: Pick<Logger, "info">,
): (facts: Pick<SiteFacts, "emptied">) => void {
  return ({ emptied }) => {
    // It is absent again after an hour.
    if (emptied === undefined || emptied === caches.newest) return;
    caches.know(emptied);
    log.info({ removed: caches.clear() }, "the caches were emptied");
  };
}
