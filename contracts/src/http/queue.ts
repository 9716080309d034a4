import { type Static, Type } from "typebox";
import { ReportId, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** The queue of reports that are waiting for a moderator. Commands are below this path. */
export const QUEUE = "/prod/api/admin/queue";

/** How long a moderator holds a report taken from the queue. */
export const LEASE_MS = 10 * 60_000;

/** Number of reports in the queue's front, and maximum number that a request to take one can name. */
export const QUEUE_FRONT = 20;

const opt = Type.Optional;
const Time = Type.String({ description: "RFC 3339, UTC" });

/**
 * POST .../take: leases the first of these reports that is free to the caller for ten minutes. A report that the
 * caller already holds is kept.
 */
export const TakeReport = strict({
  reports: Type.Array(ReportId, { minItems: 1, maxItems: QUEUE_FRONT }),
});
export const TakenReply = reply(
  strict({
    /** Absent if none of them is free anymore. */
    taken: opt(strict({ report_id: ReportId, until: Time })),
  }),
);

/** POST .../leave: releases the report for others. */
export const LeaveReport = strict({ report: ReportId });

/** A report that another moderator holds. */
export const TakenByOther = strict({
  report_id: ReportId,
  /** First and last name; absent once the account is erased. */
  by: opt(Type.String()),
  until: Time,
});

/** GET: the reports waiting for the caller. */
export const QueueReply = reply(
  strict({
    /**
     * The front, in the order of decision: reports whose reporter has answered a question, then confirmed ones,
     * each oldest first. Excludes reports by or about the caller, reports waiting for their reporter, and reports
     * of banned accounts.
     */
    reports: Type.Array(ReportId, { maxItems: QUEUE_FRONT }),
    /** Since when each of them has been waiting for a moderator. */
    since: Type.Array(Time, { maxItems: QUEUE_FRONT }),
    /**
     * Number of reports waiting for any moderator, including those held by others and those that concern the
     * caller.
     */
    to_decide: Type.Integer(),
    taken: Type.Array(TakenByOther),
  }),
);
export type Queue = Static<typeof QueueReply>["data"];
export type TakenByOther = Static<typeof TakenByOther>;
export type Taken = Static<typeof TakenReply>["data"];
