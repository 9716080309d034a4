import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import { defineEvent, type OpenData } from "../definition.ts";
import type { ReportEdited } from "./report-edited.ts";
import { personalFields, reporterFields } from "./stored-report.ts";

const { title, description, item_purchased, tracking_number, notes, chargebacks } = personalFields;
const { public_username } = reporterFields;

/**
 * Private text was masked. `set` holds all free texts as they read since; `fields` names those that changed, as the
 * wire does. Right after this event the keys of every earlier event that has the private text are destroyed, and
 * the texts of those events read as masked. The report itself is neither deleted nor erased.
 */
export const ReportTextMasked = defineEvent(
  "ReportTextMasked",
  1,
  strict({
    fields: Type.Array(Type.String({ minLength: 1 })),
    keys: Type.Array(Type.String({ pattern: "^text-[0-9a-z-]+-[0-9]+$" }), { minItems: 1 }),
  }),
  {
    personal: strict({
      set: partial({ title, description, item_purchased, tracking_number, notes, chargebacks }),
    }),
    reporter: strict({ set: partial({ public_username }) }),
  },
  { required: ["personal"], texts: { personal: "set", reporter: "set" } },
);

/** The edit that masking amounts to. */
export function asEdit({
  fields,
  personal,
  reporter,
}: OpenData<typeof ReportTextMasked>): OpenData<typeof ReportEdited> {
  return {
    fields,
    set: {},
    cleared: [],
    ...(personal === undefined ? {} : { personal: personal && { ...personal, cleared: [] } }),
    ...(reporter === undefined ? {} : { reporter: reporter && { ...reporter, cleared: [] } }),
  };
}
