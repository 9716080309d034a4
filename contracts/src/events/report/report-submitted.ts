import { Type } from "typebox";
import { given } from "../../given.ts";
import { strict } from "../../report/fields.ts";
import { defineEvent, type Upcaster } from "../definition.ts";
import { FormerLink, OneTimeLink } from "../one-time-link.ts";
import { reportIn } from "./report-texts.ts";
import { REPORT_VERSION, type ReportFields, reportUpcasters } from "./report-versions.ts";
import {
  BlindIndexes,
  ReporterBlindIndexes,
  reportFields,
  Slug,
  SlugHash,
} from "./stored-report.ts";

const clear = {
  report_type: Type.Enum(["chargeback", "bad_check"]),
  terms_version: Type.String({ minLength: 1 }),
};

function submitted<F extends ReportFields>(version: number, fields: F) {
  return defineEvent(
    "ReportSubmitted",
    version,
    strict({
      ...clear,
      report: strict<F["clear"]>(fields.clear),
      link: Type.Optional(OneTimeLink),
    }),
    {
      personal: strict({ report: strict<F["personal"]>(fields.personal), blind: BlindIndexes }),
      /** `blind` is absent from reports of version 1. */
      reporter: strict({
        report: strict<F["reporter"]>(fields.reporter),
        blind: Type.Optional(ReporterBlindIndexes),
      }),
    },
    {
      /**
       * The address that a report of version 1 was given when it was submitted; its text while the
       * person is there.
       */
      former: strict({ slug_hash: SlugHash, slug: Type.Optional(Slug) }),
      required: ["personal", "reporter"],
      texts: { personal: reportIn("report"), reporter: reportIn("report") },
    },
  );
}

/**
 * Somebody reported a person and agreed to the terms. They were sent a verification link, unless
 * their address was confirmed before. The report gets its public address only when it is approved.
 */
export const ReportSubmitted = submitted(REPORT_VERSION, reportFields);

function submitted1({ clear: report, personal, reporter }: ReportFields) {
  return defineEvent(
    "ReportSubmitted",
    1,
    strict({ ...clear, report: strict(report), verification: FormerLink, slug_hash: SlugHash }),
    {
      personal: strict({ report: strict(personal), slug: Slug, blind: BlindIndexes }),
      reporter: strict({ report: strict(reporter) }),
    },
  );
}

export const reportSubmittedUpcasters: readonly Upcaster[] = reportUpcasters(
  (fields) => ({
    from: submitted1(fields),
    upcast({ slug_hash, verification, ...data }) {
      const { slug, ...personal } = (data.personal ?? {}) as { slug?: string };
      return {
        ...data,
        link: verification,
        ...(data.personal ? { personal } : {}),
        former: { slug_hash, ...given({ slug }) },
      };
    },
  }),
  submitted,
);
