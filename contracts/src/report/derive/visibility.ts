import type { ChargebackField, FieldRow, ReportField, ShownAs } from "../catalogue.ts";
import { maskAccount, maskEmail, maskPhone } from "../masks.ts";
import { CHARGEBACK_ROWS, REPORT_FIELDS, REPORT_ROWS } from "./fields.ts";

/** Audiences of a report. `reveal`: a moderator after `reveal`. `owner`: the account that submitted it. */
export type Audience = "public" | "moderator" | "reveal" | "auditor" | "owner";
export type Shown = "clear" | "masked" | "hidden";
type Shows = Readonly<Record<Audience, Shown>>;

const shows = (pub: Shown, moderator: Shown, auditor: Shown): Shows => ({
  public: pub,
  moderator,
  reveal: "clear",
  auditor,
  owner: "clear",
});

/** Meaning of the catalog's values for a report that is visible at all. The public sees approved reports only. */
const MEANINGS: Readonly<Record<ShownAs, Shows>> = {
  open: shows("clear", "clear", "clear"),
  masked: shows("masked", "masked", "masked"),
  kept: shows("hidden", "hidden", "hidden"),
  staff: shows("hidden", "masked", "hidden"),
};

function meant<F extends string>(rows: Readonly<Record<F, FieldRow>>): Readonly<Record<F, Shows>> {
  const entries = Object.entries<FieldRow>(rows).map(([name, row]) => [name, MEANINGS[row.shown]]);
  return Object.fromEntries(entries);
}

/** Visibility of report fields by audience. For the fields inside `chargebacks`, see the next table. */
export const visibility: Readonly<Record<ReportField, Shows>> = meant(REPORT_ROWS);

/** Visibility of an additional chargeback's fields by audience. */
export const chargebackVisibility: Readonly<
  Record<ChargebackField, Shows> & Record<string, Shows>
> = meant(CHARGEBACK_ROWS);

type Mask = (value: string) => string;
const MASKS: Readonly<Record<NonNullable<FieldRow["mask"]>, Mask>> = {
  email: maskEmail,
  phone: maskPhone,
  account: maskAccount,
};

/** Masks of the fields that are masked for some audience. */
export const FIELD_MASKS: Readonly<Partial<Record<string, Mask>>> = Object.fromEntries(
  REPORT_FIELDS.flatMap((field) => {
    const { mask } = REPORT_ROWS[field];
    return mask ? [[field, MASKS[mask]]] : [];
  }),
);
