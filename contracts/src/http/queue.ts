import { type Static, Type } from "typebox";
import { ReportId, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** The queue of reports that wait for a moderator. Its commands are below it. */
export const QUEUE = "/prod/api/admin/queue";

/** How long a moderator keeps a report that was taken from the queue. */
export const LEASE_MS = 10 * 60_000;

/** How many reports the queue's front has, and how many of them one request to take one may name. */
export const QUEUE_FRONT = 20;

const opt = Type.Optional;
const Time = Type.String({ description: "RFC 3339, UTC" });

/** POST .../take: the first of these reports that is free becomes the caller's for ten minutes; one's own is kept. */
export const TakeReport = strict({
  reports: Type.Array(ReportId, { minItems: 1, maxItems: QUEUE_FRONT }),
});
export const TakenReply = reply(
  strict({
    /** Absent when none of them is free anymore. */
    taken: opt(strict({ report_id: ReportId, until: Time })),
  }),
);

/** POST .../leave: others may have the report again. */
export const LeaveReport = strict({ report: ReportId });

/** A report that another moderator has. */
export const TakenByOther = strict({
  report_id: ReportId,
  /** First and last name; absent once the account is erased. */
  by: opt(Type.String()),
  until: Time,
});

/** GET: what waits for the caller. */
export const QueueReply = reply(
  strict({
    /**
     * The front, in the order in which it is decided: reports whose reporter has answered a question, then
     * confirmed ones, each the oldest first. None is the caller's own or names them, waits for its
     * reporter, or belongs to a banned account.
     */
    reports: Type.Array(ReportId, { maxItems: QUEUE_FRONT }),
    /** Since when each of them waits for a moderator. */
    since: Type.Array(Time, { maxItems: QUEUE_FRONT }),
    /** How many wait for any moderator, as everywhere: those that others have, and that concern the caller, too. */
    to_decide: Type.Integer(),
    taken: Type.Array(TakenByOther),
  }),
);
export type Queue = Static<typeof QueueReply>["data"];
export type TakenByOther = Static<typeof TakenByOther>;
export type Taken = Static<typeof TakenReply>["data"];
