import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import type { EventStore } from "#event-store/port.ts";
import { tellOfFurtherReports } from "./further-reports.ts";
import { summariseLastWeek } from "./weekly-summaries.ts";

/** How often noted approvals are looked for. */
const INTERVAL_MS = 1_000;
/** How often it is asked whether a week's summaries are due. */
const WEEK_MS = 60_000;
/** Pause after an error. */
const PAUSE_MS = 10_000;

/**
 * Adds the mails that no event asks for by itself, in each process of the projector, until the signal.
 * @returns a promise that settles after the signal.
 */
export async function runNotices(
  deps: { readonly pool: pg.Pool; readonly store: Pick<EventStore, "head">; readonly log: Logger },
  signal: AbortSignal,
): Promise<void> {
  let weekAskedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    let pause = INTERVAL_MS;
    try {
      await tellOfFurtherReports(deps.pool);
      if (performance.now() - weekAskedAt >= WEEK_MS) {
        if ((await summariseLastWeek(deps, Date.now())) === "done") weekAskedAt = performance.now();
      }
    } catch (err) {
      pause = PAUSE_MS;
      if (!signal.aborted) deps.log.warn({ err }, "mails about further reports or weeks wait");
    }
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
}
