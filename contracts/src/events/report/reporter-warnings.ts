import { Type } from "typebox";
import { ReportId, strict } from "../../report/fields.ts";
import { defineEvent, type OpenData } from "../definition.ts";
import type { ReportEvent } from "../index.ts";
import { Instant } from "../instant.ts";

/* What follows for a reporter whose material a DMCA notice took down. They name nobody: whose warning it is
   says the report. */

/** What somebody meets after one, two, and more infringements. */
export const WARNING_STEPS = ["warning", "suspension", "ban"] as const;
export type WarningStep = (typeof WARNING_STEPS)[number];

/** The reporter infringed copyright again. `strike` is the number of infringements that count. */
export const ReporterWarned = defineEvent(
  "ReporterWarned",
  1,
  strict({
    notice_id: ReportId,
    step: Type.Enum([...WARNING_STEPS]),
    strike: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    /** When a suspension ends; absent for the others. */
    until: Type.Optional(Instant),
    /** The account that the report belonged to. */
    account_id: Type.Optional(ReportId),
    /**
     * The notice counts already with another report of the reporter, who was told then. It counts once, as long
     * as one of the reports has its warning. Which one it was is not said: that would say for ever who wrote both.
     */
    counted_before: Type.Optional(Type.Literal(true)),
  }),
  {},
);

/**
 * Reports from the submitted address are not accepted, until `until` or permanently. The address is
 * emailed this, without a link. The submitter isn't told.
 */
export const SubmissionHeldBack = defineEvent(
  "SubmissionHeldBack",
  1,
  strict({ until: Type.Optional(Instant) }),
  {},
);

/** The notice was lifted or refused and no longer counts. */
export const ReporterWarningLifted = defineEvent(
  "ReporterWarningLifted",
  1,
  strict({ notice_id: ReportId }),
  {},
);

export const reporterWarningDefinitions = [
  ReporterWarned,
  SubmissionHeldBack,
  ReporterWarningLifted,
] as const;

/** A warning of the report's reporter that counts. */
export type ReporterWarning = OpenData<typeof ReporterWarned>;

/** The warnings that count after one more event, at most one of each notice. */
export function evolveWarnings(
  warnings: readonly ReporterWarning[],
  event: ReportEvent,
): readonly ReporterWarning[] {
  if (event.type !== "ReporterWarned" && event.type !== "ReporterWarningLifted") return warnings;
  const { data } = event;
  const others = warnings.filter(({ notice_id }) => notice_id !== data.notice_id);
  return event.type === "ReporterWarned" ? [...others, event.data] : others;
}
