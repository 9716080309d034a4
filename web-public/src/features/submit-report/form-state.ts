import { omitUndefined } from "#contracts/omit-undefined.ts";
import { type FieldRow, MAX_CHARGEBACKS } from "#contracts/report/catalogue.ts";
import { initialOf } from "#contracts/report/derive/amounts.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS, typeOf } from "#contracts/report/derive/fields.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { FORM_FIELDS, type FormField, ITEM_FIELDS, type ItemField } from "./form-fields.ts";

/** An additional chargeback as typed. */
export interface ItemValues {
  /** Identifies the item even if its index changes. */
  readonly key: number;
  readonly values: Readonly<Record<ItemField, string>>;
}

/** Everything that was typed, as strings. */
export interface FormState {
  readonly fields: Readonly<Record<FormField, string>>;
  readonly items: readonly ItemValues[];
  readonly termsAccepted: boolean;
  /** The registry has other terms than this page: the reporter must agree again, to the current ones. */
  readonly termsChanged: boolean;
  /** Version of the terms that the form showed; empty for whichever are in force. */
  readonly termsVersion: string;
  readonly nextKey: number;
  /** Values that the form filled in itself; leaving the page doesn't lose them. */
  readonly prefilled: Prefilled;
}

/** Values for empty fields. */
export type Prefilled = Readonly<Partial<Record<FormField, string>>>;

export type FormAction =
  | { readonly type: "set"; readonly field: FormField; readonly value: string }
  | {
      readonly type: "set-item";
      readonly key: number;
      readonly field: ItemField;
      readonly value: string;
    }
  | { readonly type: "add-item" }
  | { readonly type: "remove-item"; readonly key: number }
  | { readonly type: "accept-terms"; readonly accepted: boolean }
  | { readonly type: "terms-changed" }
  /** Fills in empty fields, and removes earlier prefilled values. */
  | { readonly type: "prefill"; readonly values: Prefilled }
  /** Another account signed in, which must not see anything about the previous reporter. */
  | { readonly type: "another-account" }
  /** Restores an earlier form. What was typed into this one in the meantime stays. */
  | { readonly type: "restore"; readonly form: Pick<FormState, "fields" | "items"> }
  | { readonly type: "reset" };

export const INITIAL_FORM: FormState = {
  fields: newValues(FORM_FIELDS, REPORT_ROWS),
  items: [],
  termsAccepted: false,
  termsChanged: false,
  termsVersion: "",
  nextKey: 1,
  prefilled: {},
};
/**
 * Creates the form for a new page: as submitted before, or empty with the type in the query (`?type=bad_check`).
 * @param inForce the terms that the page shows; empty if it doesn't know their version.
 */
export function openForm(query: string, inForce: string, sent?: FormState): FormState {
  if (!sent) {
    const report_type = typeOf(new URLSearchParams(query).get("type") ?? undefined);
    const fields = { ...INITIAL_FORM.fields, report_type };
    return { ...INITIAL_FORM, fields, termsVersion: inForce };
  }
  if (!sent.termsChanged) return sent;
  // If it already showed the newest terms this page knows, the registry has newer ones.
  return { ...sent, termsVersion: sent.termsVersion === inForce ? "" : inForce };
}

/**
 * Returns an earlier form's values, without unknown fields.
 * @param read returns a field's text; undefined leaves its default.
 */
export function filledIn(
  read: (field: FormField) => string | undefined,
  items: readonly ((field: ItemField) => string | undefined)[],
): Pick<FormState, "fields" | "items"> {
  const texts = <F extends string>(names: readonly F[], of: (name: F) => string | undefined) =>
    omitUndefined(Object.fromEntries(names.map((name) => [name, of(name)])));
  return {
    fields: { ...INITIAL_FORM.fields, ...texts(FORM_FIELDS, read) },
    items: items.slice(0, MAX_CHARGEBACKS).map((item, index) => ({
      key: index + 1,
      values: { ...NEW_ITEM, ...texts(ITEM_FIELDS, item) },
    })),
  };
}

const NO_REPORTER = initial(
  FORM_FIELDS.filter((field) => REPORT_ROWS[field].section === "reporter"),
);

const NEW_ITEM = newValues(ITEM_FIELDS, CHARGEBACK_ROWS);

function initial(fields: readonly FormField[]): Partial<FormState["fields"]> {
  return Object.fromEntries(fields.map((field) => [field, INITIAL_FORM.fields[field]]));
}

function newValues<F extends string>(
  fields: readonly F[],
  rows: Readonly<Record<F, FieldRow>>,
): Record<F, string> {
  return Object.fromEntries(fields.map((field) => [field, initialOf(rows[field])])) as Record<
    F,
    string
  >;
}

export function formReducer(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case "set":
      return { ...state, fields: { ...state.fields, [action.field]: action.value } };
    case "set-item":
      return {
        ...state,
        items: state.items.map((item) =>
          item.key === action.key
            ? { ...item, values: { ...item.values, [action.field]: action.value } }
            : item,
        ),
      };
    case "add-item":
      if (state.items.length >= MAX_CHARGEBACKS) return state;
      return {
        ...state,
        items: [...state.items, { key: state.nextKey, values: NEW_ITEM }],
        nextKey: state.nextKey + 1,
      };
    case "remove-item":
      return { ...state, items: state.items.filter((item) => item.key !== action.key) };
    case "accept-terms":
      return { ...state, termsAccepted: action.accepted };
    case "terms-changed":
      // To agree again the reporter must read the terms in force, which this page doesn't have.
      return { ...state, termsAccepted: false, termsChanged: true, termsVersion: "" };
    case "prefill":
      return prefill(withoutPrefilled(state), action.values);
    case "another-account":
      return { ...state, fields: { ...state.fields, ...NO_REPORTER }, prefilled: {} };
    case "restore": {
      const { items } = action.form;
      const fields = { ...action.form.fields, ...typed(state) };
      const nextKey = Math.max(0, ...items.map(({ key }) => key)) + 1;
      return prefill({ ...emptyForm(state), fields, items, nextKey }, state.prefilled);
    }
    case "reset":
      return prefill(emptyForm(state), state.prefilled);
  }
}

/** Returns an empty form that shows the same terms. */
function emptyForm({ termsVersion }: FormState): FormState {
  return { ...INITIAL_FORM, termsVersion };
}

function prefill(state: FormState, prefilled: Prefilled): FormState {
  const empty = Object.entries(prefilled).filter(([field]) => !state.fields[field as FormField]);
  return { ...state, fields: { ...state.fields, ...Object.fromEntries(empty) }, prefilled };
}

function typed({ fields, prefilled }: FormState): Prefilled {
  return Object.fromEntries(
    FORM_FIELDS.filter(
      (field) => fields[field] !== (prefilled[field] ?? INITIAL_FORM.fields[field]),
    ).map((field) => [field, fields[field]]),
  );
}

/** Removes prefilled values that the user hasn't changed. */
function withoutPrefilled(state: FormState): FormState {
  const { fields, prefilled } = state;
  const untouched = FORM_FIELDS.filter((field) => fields[field] === prefilled[field]);
  return { ...state, fields: { ...fields, ...initial(untouched) }, prefilled: {} };
}

export function reportType(state: FormState): ReportType {
  return typeOf(state.fields.report_type);
}

/** Whether leaving the page would lose anything that was typed. */
export function isDirty(state: FormState): boolean {
  return state.items.length > 0 || Object.keys(typed(state)).length > 0;
}
