import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import { defineEvent, type Upcaster } from "../definition.ts";
import { reportIn } from "./report-texts.ts";
import { REPORT_VERSION, type ReportFields, reportUpcasters } from "./report-versions.ts";
import {
  BlindIndexes,
  ReporterBlindIndexes,
  reportFields,
  Slug,
  SlugHash,
} from "./stored-report.ts";

const Names = Type.Array(Type.String({ minLength: 1 }));

const clear = {
  fields: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  cleared: Names,
};
const personal = {
  cleared: Names,
  /** The new address of a public report whose name changed. */
  slug: Type.Optional(Slug),
  /** All blind indexes of the report after the edit; present when one changed. */
  blind: Type.Optional(BlindIndexes),
};

function edited<F extends ReportFields>(version: number, fields: F) {
  return defineEvent(
    "ReportEdited",
    version,
    strict({ ...clear, set: partial<F["clear"]>(fields.clear) }),
    {
      personal: strict({ ...personal, set: partial<F["personal"]>(fields.personal) }),
      reporter: strict({
        set: partial<F["reporter"]>(fields.reporter),
        cleared: Names,
        /** Present when the reporter's address changed. */
        blind: Type.Optional(ReporterBlindIndexes),
      }),
    },
    /** Keyed hash of the address that an edit of version 1 gave the report, public or not. */
    {
      former: strict({ slug_hash: SlugHash }),
      texts: { personal: reportIn("set"), reporter: reportIn("set") },
    },
  );
}

/**
 * A moderator changed fields. `set` holds the new values; `cleared` names the optional fields that
 * lost theirs. Each is in the part that its values belong to, and both use stored names
 * (`amount_cents`). `fields` names all changed fields as the wire does (`amount`), in the wire's
 * order, and outlives a deletion. `chargebacks` is set as a whole, both halves together.
 */
export const ReportEdited = edited(REPORT_VERSION, reportFields);

function edited1(fields: ReportFields) {
  return defineEvent(
    "ReportEdited",
    1,
    strict({ ...clear, set: partial(fields.clear), slug_hash: Type.Optional(SlugHash) }),
    {
      personal: strict({ ...personal, set: partial(fields.personal) }),
      reporter: strict({ set: partial(fields.reporter), cleared: Names }),
    },
  );
}

export const reportEditedUpcasters: readonly Upcaster[] = reportUpcasters(
  (fields) => ({
    from: edited1(fields),
    upcast: ({ slug_hash, ...data }) => ({
      ...data,
      ...(slug_hash === undefined ? {} : { former: { slug_hash } }),
    }),
  }),
  edited,
);
