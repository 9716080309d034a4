import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent, type Upcaster } from "../definition.ts";
import { FormerLink, OneTimeLink } from "../one-time-link.ts";
import { ClearReport1, PersonalReport1, ReporterReport1 } from "./report-of-version-1.ts";
import {
  BlindIndexes,
  ClearReport,
  PersonalReport,
  ReporterBlindIndexes,
  ReporterReport,
  Slug,
  SlugHash,
} from "./stored-report.ts";

const clear = {
  report_type: Type.Enum(["chargeback", "bad_check"]),
  terms_version: Type.String({ minLength: 1 }),
};

/**
 * Somebody reported a person, agreed to the terms and was sent a verification link, unless their
 * address was confirmed before. The report has no address yet: it gets one when it is approved.
 */
export const ReportSubmitted = defineEvent(
  "ReportSubmitted",
  2,
  strict({ ...clear, report: ClearReport, link: Type.Optional(OneTimeLink) }),
  {
    personal: strict({ report: PersonalReport, blind: BlindIndexes }),
    /** `blind` is absent from reports of version 1. */
    reporter: strict({ report: ReporterReport, blind: Type.Optional(ReporterBlindIndexes) }),
  },
  {
    /**
     * The address that a report of version 1 was given when it was submitted; its text while the
     * person is there.
     */
    former: strict({ slug_hash: SlugHash, slug: Type.Optional(Slug) }),
    required: ["personal", "reporter"],
  },
);

const ReportSubmitted1 = defineEvent(
  "ReportSubmitted",
  1,
  strict({ ...clear, report: ClearReport1, verification: FormerLink, slug_hash: SlugHash }),
  {
    personal: strict({ report: PersonalReport1, slug: Slug, blind: BlindIndexes }),
    reporter: strict({ report: ReporterReport1 }),
  },
);

export const reportSubmittedUpcasters: readonly Upcaster[] = [
  {
    from: ReportSubmitted1,
    upcast({ slug_hash, verification, ...data }) {
      const { slug, ...personal } = (data.personal ?? {}) as { slug?: string };
      return {
        ...data,
        link: verification,
        ...(data.personal ? { personal } : {}),
        former: { slug_hash, ...(slug === undefined ? {} : { slug }) },
      };
    },
  },
];
