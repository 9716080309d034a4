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
 * Someone reported a person and agreed to the terms. They were emailed a confirmation link, unless
 * their address was already confirmed. The report gets its public address only when it is approved.
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
 * The submitter replaced an unconfirmed address. Links emailed to the previous address are void.
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
 * The reader of the report's emails turned decision emails on or off. Applies until the report has
 * another address.
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
