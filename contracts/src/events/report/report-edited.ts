import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import { defineEvent, type Upcaster } from "../definition.ts";
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
  set: partial(clearFields),
  cleared: Names,
};
const personal = strict({
  set: partial(personalFields),
  cleared: Names,
  /** The new address of a report that is public, when its name changed. */
  slug: Type.Optional(Slug),
  /** All blind indexes of the report as it stands after the edit, when one changed. */
  blind: Type.Optional(BlindIndexes),
});
const reporter = { set: partial(reporterFields), cleared: Names };

/**
 * A moderator changed fields. `set` holds new values, `cleared` names optional fields that lost
 * theirs, each beside the values it belongs to, both by their stored names (`amount_cents`);
 * `fields` names all of them as the wire does (`amount`), in its order, and outlives a deletion.
 * `chargebacks` is set as a whole, both halves together.
 */
export const ReportEdited = defineEvent(
  "ReportEdited",
  2,
  strict(clear),
  {
    personal,
    /** `blind` is there when the reporter's address changed. */
    reporter: strict({ ...reporter, blind: Type.Optional(ReporterBlindIndexes) }),
  },
  /** Keyed hash of the address that an edit of version 1 gave the report, public or not. */
  strict({ slug_hash: SlugHash }),
);

const ReportEdited1 = defineEvent(
  "ReportEdited",
  1,
  strict({ ...clear, slug_hash: Type.Optional(SlugHash) }),
  { personal, reporter: strict(reporter) },
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
