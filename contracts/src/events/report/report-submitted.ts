import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import {
  BlindIndexes,
  ClearReport,
  PersonalReport,
  ReporterReport,
  Slug,
  SlugHash,
  Verification,
} from "./stored-report.ts";

/** Somebody reported a person, agreed to the terms and was sent a verification link. */
export const ReportSubmitted = defineEvent(
  "ReportSubmitted",
  1,
  strict({
    report_type: Type.Enum(["chargeback", "bad_check"]),
    report: ClearReport,
    slug_hash: SlugHash,
    terms_version: Type.String({ minLength: 1 }),
    verification: Verification,
  }),
  {
    personal: strict({ report: PersonalReport, slug: Slug, blind: BlindIndexes }),
    reporter: strict({ report: ReporterReport }),
  },
);
