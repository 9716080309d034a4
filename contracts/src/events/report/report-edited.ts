import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import { defineEvent, type Upcaster } from "../definition.ts";
import { clearFields1, personalFields1, reporterFields1 } from "./report-of-version-1.ts";
import {
  BlindIndexes,
  clearFields,
  personalFields,
  ReporterBlindIndexes,
  reporterFields,
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

/**
 * A moderator changed fields. `set` holds new values, `cleared` names optional fields that lost
 * theirs, each beside the values it belongs to, both by their stored names (`amount_cents`);
 * `fields` names all of them as the wire does (`amount`), in its order, and outlives a deletion.
 * `chargebacks` is set as a whole, both halves together.
 */
export const ReportEdited = defineEvent(
  "ReportEdited",
  2,
  strict({ ...clear, set: partial(clearFields) }),
  {
    personal: strict({ ...personal, set: partial(personalFields) }),
    reporter: strict({
      set: partial(reporterFields),
      cleared: Names,
      /** There when the reporter's address changed. */
      blind: Type.Optional(ReporterBlindIndexes),
    }),
  },
  /** Keyed hash of the address that an edit of version 1 gave the report, public or not. */
  { former: strict({ slug_hash: SlugHash }) },
);

const ReportEdited1 = defineEvent(
  "ReportEdited",
  1,
  strict({ ...clear, set: partial(clearFields1), slug_hash: Type.Optional(SlugHash) }),
  {
    personal: strict({ ...personal, set: partial(personalFields1) }),
    reporter: strict({ set: partial(reporterFields1), cleared: Names }),
  },
);

export const reportEditedUpcasters: readonly Upcaster[] = [
  {
    from: ReportEdited1,
    upcast: ({ slug_hash, ...data }) => ({
      ...data,
      ...(slug_hash === undefined ? {} : { former: { slug_hash } }),
    }),
  },
];
