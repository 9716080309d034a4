import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { reportIn } from "./report-texts.ts";
import {
  BlindIndexes,
  clearFields,
  personalFields,
  ReporterBlindIndexes,
  reporterFields,
  Slug,
} from "./stored-report.ts";

const Names = Type.Array(Type.String({ minLength: 1 }));

/**
 * A moderator changed fields. `set` holds the new values; `cleared` names the optional fields that
 * lost theirs. Each is in the part that its values belong to, and both use stored names
 * (`amount_cents`). `fields` names all changed fields as the wire does (`amount`), in the wire's
 * order, and outlives a deletion. `chargebacks` is set as a whole, both halves together.
 */
export const ReportEdited = defineEvent(
  "ReportEdited",
  1,
  strict({
    fields: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
    cleared: Names,
    set: partial(clearFields),
  }),
  {
    personal: strict({
      cleared: Names,
      /** The new address of a public report whose name changed. */
      slug: Type.Optional(Slug),
      /** All blind indexes of the report after the edit; present when one changed. */
      blind: Type.Optional(BlindIndexes),
      set: partial(personalFields),
    }),
    reporter: strict({
      set: partial(reporterFields),
      cleared: Names,
      /** Present when the reporter's address changed. */
      blind: Type.Optional(ReporterBlindIndexes),
    }),
  },
  { texts: { personal: reportIn("set"), reporter: reportIn("set") } },
);
