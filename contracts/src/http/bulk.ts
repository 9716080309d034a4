import { type Static, Type } from "typebox";
import { ReportId, ReportStatusCode, strict } from "../report/fields.ts";
import { JOB_LINES } from "./jobs.ts";
import { DECISIONS, MODERATION } from "./moderation.ts";

/** Decides many reports by one request. */
export const BULK = "/prod/api/admin/reports/bulk";

/** The commands that many reports can get at once. */
export type BulkCommandName = (typeof DECISIONS)[number];

/** Most reports in one request. */
export const BULK_REPORTS = JOB_LINES;

/** What the commands take in all; each takes only its own fields. */
const { properties: rejection } = Type.Partial(MODERATION.reject.body);

/** POST /prod/api/admin/reports/bulk */
export const BulkBody = strict({
  command: Type.Enum([...DECISIONS]),
  status: Type.Optional(ReportStatusCode),
  ...rejection,
  /** Each with the revision that the sender has seen: one that others changed meanwhile stays as it is. */
  reports: Type.Array(
    strict({ id: ReportId, revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }) }),
    { minItems: 1, maxItems: BULK_REPORTS },
  ),
});
export type BulkBody = Static<typeof BulkBody>;
