import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { reportIn } from "./report-texts.ts";
import {
  BlindIndexes,
  ClearReport,
  PersonalReport,
  ReporterBlindIndexes,
  ReporterReport,
} from "./stored-report.ts";

/**
 * Somebody reported a person and agreed to the terms. They were sent a verification link, unless
 * their address was confirmed before. The report gets its public address only when it is approved.
 */
export const ReportSubmitted = defineEvent(
  "ReportSubmitted",
  1,
  strict({
    report_type: Type.Enum(["chargeback", "bad_check"]),
    terms_version: Type.String({ minLength: 1 }),
    report: ClearReport,
    link: Type.Optional(OneTimeLink),
  }),
  {
    personal: strict({ report: PersonalReport, blind: BlindIndexes }),
    reporter: strict({ report: ReporterReport, blind: ReporterBlindIndexes }),
  },
  {
    required: ["personal", "reporter"],
    texts: { personal: reportIn("report"), reporter: reportIn("report") },
  },
);

/**
 * Whoever submitted the report gave another address for it, because nobody had confirmed the former
 * one. What was mailed to the former one is void.
 */
export const ReporterAddressCorrected = defineEvent(
  "ReporterAddressCorrected",
  1,
  /** Confirms the new address. */
  strict({ link: OneTimeLink }),
  { reporter: strict({ email: Type.String({ minLength: 1 }), blind: ReporterBlindIndexes }) },
  { required: ["reporter"] },
);

/**
 * Whoever reads the mails at the report's address wants those about its decisions, or none any more.
 * It counts until the report has another address.
 */
export const ReporterNotificationsSet = defineEvent(
  "ReporterNotificationsSet",
  1,
  strict({
    by: Type.Enum(["unsubscribe_link", "status_link"]),
    decisions: Type.Boolean(),
  }),
  {},
);

export const reportSubmittedDefinitions = [
  ReportSubmitted,
  ReporterAddressCorrected,
  ReporterNotificationsSet,
] as const;
