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
