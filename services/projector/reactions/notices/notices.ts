import type pg from "pg";
import type { Logger } from "pino";
import type { EventStore } from "#event-store/port.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { tellOfFurtherReports } from "./further-reports.ts";
import { summariseLastWeek } from "./weekly-summaries.ts";

/** How often noted approvals are looked for. */
const INTERVAL_MS = 1_000;
/** How often it is asked whether a week's summaries are due. */
const WEEK_MS = 60_000;

/** Adds the mails that no event asks for by itself, in each process of the projector. */
export function createNotices(deps: {
  readonly pool: pg.Pool;
  readonly store: Pick<EventStore, "head">;
  readonly log: Logger;
}): Periodic {
  let weekAskedAt = Number.NEGATIVE_INFINITY;
  return new Periodic(
    async () => {
      await tellOfFurtherReports(deps.pool);
      if (performance.now() - weekAskedAt < WEEK_MS) return;
      if ((await summariseLastWeek(deps, Date.now())) === "done") weekAskedAt = performance.now();
    },
    {
      everyMs: INTERVAL_MS,
      onError: (err, isFirst) =>
        isFirst && deps.log.warn({ err }, "mails about further reports or weeks wait"),
    },
  );
}
