import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import { defineEvent, type OpenData, type OpenFields, type TextMapper } from "../definition.ts";
import type { ReportEdited } from "./report-edited.ts";
import { mapTexts, type PlacedText } from "./report-texts.ts";
import { personalFields, reporterFields } from "./stored-report.ts";

/** Code of a reason. The log does not limit which codes exist. */
const ReasonCode = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });
const { title, description, item_purchased, tracking_number, notes, chargebacks } = personalFields;
const { public_username } = reporterFields;

/** Texts around the report, as they read since. */
const around = Type.Optional(
  Type.Array(strict({ path: Type.String({ minLength: 1 }), text: Type.String({ minLength: 1 }) }), {
    minItems: 1,
  }),
);
type Texts = { readonly set: object; readonly around?: readonly PlacedText[] };

const textsOf: TextMapper = (part, change) => {
  const { set, around } = part as unknown as Texts;
  return {
    set: mapTexts(set as OpenFields, change),
    ...(around && { around: around.map(({ path, text }) => ({ path, text: change(text) })) }),
  };
};

/**
 * Private text was masked. `set` holds all free texts of the report as they read since, `around` those that changed of
 * questions, answers, notes and reasons; `fields` names what changed, as the wire does. `rejection_code` is there where
 * the reason of the rejection changed, and had a code. Right after this event the keys of every earlier event that has the private text are destroyed, and
 * the texts of those events read as masked. The report itself is neither deleted nor erased.
 */
export const ReportTextMasked = defineEvent(
  "ReportTextMasked",
  1,
  strict({
    fields: Type.Array(Type.String({ minLength: 1 })),
    rejection_code: Type.Optional(ReasonCode),
    keys: Type.Array(Type.String({ pattern: "^text-[0-9a-z-]+-[0-9]+$" }), { minItems: 1 }),
  }),
  {
    personal: strict({
      set: partial({ title, description, item_purchased, tracking_number, notes, chargebacks }),
      around,
    }),
    reporter: strict({ set: partial({ public_username }), around }),
  },
  { required: ["personal"], texts: { personal: textsOf, reporter: textsOf } },
);

type Masked = OpenData<typeof ReportTextMasked>;

/** The edit that masking amounts to. */
export function asEdit({ fields, personal, reporter }: Masked): OpenData<typeof ReportEdited> {
  return {
    fields,
    set: {},
    cleared: [],
    ...(personal === undefined ? {} : { personal: personal && { set: personal.set, cleared: [] } }),
    ...(reporter === undefined ? {} : { reporter: reporter && { set: reporter.set, cleared: [] } }),
  };
}

/** The texts around the report as they read since. */
export function textsAround({ personal, reporter }: Masked): readonly PlacedText[] {
  return [...(personal?.around ?? []), ...(reporter?.around ?? [])];
}
