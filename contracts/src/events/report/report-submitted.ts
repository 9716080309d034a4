import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent, type Upcaster } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
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
  report: ClearReport,
  terms_version: Type.String({ minLength: 1 }),
};

/**
 * Somebody reported a person, agreed to the terms and was sent a verification link, unless their
 * address was confirmed before. The report has no address yet: it gets one when it is approved.
 */
export const ReportSubmitted = defineEvent(
  "ReportSubmitted",
  2,
  strict({ ...clear, verification: Type.Optional(OneTimeLink) }),
  {
    personal: strict({ report: PersonalReport, blind: BlindIndexes }),
    /** `blind` is absent from reports of version 1. */
    reporter: strict({ report: ReporterReport, blind: Type.Optional(ReporterBlindIndexes) }),
  },
  /** The address that a report of version 1 was given when it was submitted; its text while the person is there. */
  strict({ slug_hash: SlugHash, slug: Type.Optional(Slug) }),
);

const ReportSubmitted1 = defineEvent(
  "ReportSubmitted",
  1,
  strict({ ...clear, verification: OneTimeLink, slug_hash: SlugHash }),
  {
    personal: strict({ report: PersonalReport, slug: Slug, blind: BlindIndexes }),
    reporter: strict({ report: ReporterReport }),
  },
);

export const reportSubmittedUpcasters: readonly Upcaster[] = [
  {
    from: ReportSubmitted1,
    upcast({ slug_hash, ...data }) {
      const { slug, ...personal } = (data.personal ?? {}) as { slug?: string };
      return {
        ...data,
        ...(data.personal ? { personal } : {}),
        former: { slug_hash, ...(slug === undefined ? {} : { slug }) },
      };
    },
  },
];
