import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import {
  BlindIndexes,
  clearFields,
  personalFields,
  reporterFields,
  Slug,
  SlugHash,
} from "./stored-report.ts";

const Names = Type.Array(Type.String({ minLength: 1 }));

/**
 * A moderator changed fields. `set` holds new values, `cleared` names optional fields that lost
 * theirs, each beside the values it belongs to, both by their stored names (`amount_cents`);
 * `fields` names all of them as the wire does (`amount`), in its order, and outlives a deletion.
 * `chargebacks` is set as a whole, both halves together. `slug` and `slug_hash` are there when the name changed.
 */
export const ReportEdited = defineEvent(
  "ReportEdited",
  1,
  strict({
    fields: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
    set: partial(clearFields),
    cleared: Names,
    slug_hash: Type.Optional(SlugHash),
  }),
  {
    personal: strict({
      set: partial(personalFields),
      cleared: Names,
      slug: Type.Optional(Slug),
      /** All blind indexes of the report as it stands after the edit, when one changed. */
      blind: Type.Optional(BlindIndexes),
    }),
    reporter: strict({ set: partial(reporterFields), cleared: Names }),
  },
);
