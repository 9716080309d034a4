import type { FieldRow } from "#contracts/report/catalogue.ts";
import { MAX_CHARGEBACKS } from "#contracts/report/catalogue.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { FORM_FIELDS, ITEM_FIELDS } from "./form-fields.ts";
import { type FormState, INITIAL_FORM, type ItemValues, NEW_ITEM } from "./form-state.ts";

/** A form that was not submitted, as the browser keeps it. */
export interface Draft {
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
  /** The account that was signed in; null for a visitor. */
  readonly account: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly items: readonly Readonly<Record<string, string>>[];
}

/**
 * Whether a draft holds the field. Numbers of cards, checks and accounts, and whatever reaches a
 * person, are not left lying in a browser that others may use.
 */
export function isKept({ kind, section, part, shown }: FieldRow): boolean {
  if (kind === "email" || kind === "phone" || kind === "ip_addresses") return false;
  if (kind === "digits" || section === "card") return false;
  if (section === "check") return part === "clear";
  return section !== "address" || shown !== "kept";
}

const KEPT_FIELDS = FORM_FIELDS.filter((field) => isKept(REPORT_ROWS[field]));
const KEPT_ITEM_FIELDS = ITEM_FIELDS.filter((field) => isKept(CHARGEBACK_ROWS[field]));

/** What a draft keeps of a form. */
export function draftOf(state: FormState, account: string | null, now: number): Draft {
  return {
    savedAt: now,
    account,
    fields: kept(KEPT_FIELDS, state.fields),
    items: state.items.map(({ values }) => kept(KEPT_ITEM_FIELDS, values)),
  };
}

function kept<F extends string>(fields: readonly F[], values: Readonly<Record<F, string>>) {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/** The form that a draft was made of, without what drafts leave out. */
export function formOf(draft: Draft): Pick<FormState, "fields" | "items"> {
  return {
    fields: { ...INITIAL_FORM.fields, ...texts(KEPT_FIELDS, draft.fields) },
    items: draft.items.slice(0, MAX_CHARGEBACKS).map(
      (values, index): ItemValues => ({
        key: index + 1,
        values: { ...NEW_ITEM, ...texts(KEPT_ITEM_FIELDS, values) },
      }),
    ),
  };
}

/** The fields that are texts, whatever else the storage holds. */
function texts<F extends string>(
  fields: readonly F[],
  values: Readonly<Record<string, unknown>>,
): Partial<Record<F, string>> {
  const found = fields.filter((field) => typeof values[field] === "string");
  return Object.fromEntries(found.map((field) => [field, values[field]])) as Partial<
    Record<F, string>
  >;
}
