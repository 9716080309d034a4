import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import { defineEvent, type Upcaster } from "../definition.ts";
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
  /** The new address of a report that is public, when its name changed. */
  slug: Type.Optional(Slug),
  /** All blind indexes of the report as it stands after the edit, when one changed. */
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
        /** There when the reporter's address changed. */
        blind: Type.Optional(ReporterBlindIndexes),
      }),
    },
    /** Keyed hash of the address that an edit of version 1 gave the report, public or not. */
    { former: strict({ slug_hash: SlugHash }) },
  );
}

/**
 * A moderator changed fields. `set` holds new values, `cleared` names optional fields that lost
 * theirs, each beside the values it belongs to, both by their stored names (`amount_cents`);
 * `fields` names all of them as the wire does (`amount`), in its order, and outlives a deletion.
 * `chargebacks` is set as a whole, both halves together.
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
