import type { ReactNode } from "react";
import {
  CHARGEBACK_REASONS,
  CHECK_REASONS,
  FORM_CHARGEBACK_REASONS,
} from "#contracts/report/reasons.ts";
import {
  COUNTRIES,
  CURRENCIES,
  FORM_RESOLUTION_STATUSES,
  RESOLUTION_STATUSES,
  SHIPPING_STATUSES,
} from "#contracts/report/words.ts";
import { Control, type ControlKind, type ControlProps } from "./Control.tsx";
import { useReportForm } from "./form-context.ts";
import {
  FIELD_LABELS,
  type FormField,
  ITEM_LABELS,
  type ItemField,
  isRequired,
  maxLength,
  publication,
} from "./form-fields.ts";
import type { ItemValues } from "./form-state.ts";

const entries = (table: Readonly<Record<string, string>>) => Object.entries(table);
const CHARGEBACK_REASON_OPTIONS = FORM_CHARGEBACK_REASONS.map(
  (code) => [code, CHARGEBACK_REASONS[code]] as const,
);
const RESOLUTION_OPTIONS = FORM_RESOLUTION_STATUSES.map(
  (code) => [code, RESOLUTION_STATUSES[code]] as const,
);

/** Codes whose length the control keeps; longer texts get a sentence instead of being cut. */
const CUT_FIELDS: readonly FormField[] = [
  "middle_initial",
  "first_6",
  "last_4",
  "bank_routing",
  "bank_account",
];

/** How a field is entered; plain text unless it stands here. */
function controlOf(field: FormField, latest: string): ControlKind {
  switch (field) {
    case "description":
      return { kind: "long", rows: 8 };
    case "notes":
      return { kind: "long", rows: 4 };
    case "email":
    case "reporter_email":
      return { kind: "email" };
    case "phone":
    case "reporter_phone":
      return { kind: "tel" };
    case "first_6":
    case "last_4":
    case "bank_routing":
      return { kind: "digits" };
    case "state":
      return { kind: "code" };
    case "amount":
    case "chargeback_fee":
    case "other_fees":
    case "check_amount":
      return { kind: "amount" };
    case "transaction_date":
    case "chargeback_date":
    case "check_date":
      return { kind: "date", latest };
    case "country":
      return { kind: "choice", options: entries(COUNTRIES) };
    case "currency":
      return { kind: "choice", options: CURRENCIES.map((code) => [code, code] as const) };
    case "shipping_status":
      return { kind: "choice", options: entries(SHIPPING_STATUSES) };
    case "chargeback_reason":
      return { kind: "choice", options: CHARGEBACK_REASON_OPTIONS };
    case "check_reason":
      return { kind: "choice", options: entries(CHECK_REASONS) };
    case "resolution_status":
      return { kind: "choice", options: RESOLUTION_OPTIONS };
    default:
      return { kind: "text" };
  }
}

type Extras = Pick<ControlProps, "width" | "autoComplete" | "list"> & {
  hint?: ReactNode;
  label?: string;
};

/** A field of the report, as the contract describes it. */
export function ReportField({ field, ...extras }: { field: FormField } & Extras) {
  const { state, type, dispatch, latestDate } = useReportForm();
  return (
    <Control
      label={FIELD_LABELS[field]}
      {...extras}
      path={field}
      value={state.fields[field]}
      onChange={(value) => dispatch({ type: "set", field, value })}
      control={controlOf(field, latestDate)}
      required={isRequired(field, type)}
      publication={publication(field)}
      maxLength={CUT_FIELDS.includes(field) ? maxLength(field) : undefined}
    />
  );
}

const ITEM_CONTROLS: Readonly<Partial<Record<ItemField, ControlKind>>> = {
  amount: { kind: "amount" },
  chargeback_fee: { kind: "amount" },
  other_fees: { kind: "amount" },
  reason: { kind: "choice", options: CHARGEBACK_REASON_OPTIONS },
  resolution_status: { kind: "choice", options: RESOLUTION_OPTIONS },
  first_6: { kind: "digits" },
  last_4: { kind: "digits" },
  notes: { kind: "long", rows: 3 },
};

/** A field of an additional chargeback. */
export function ChargebackField(
  props: { item: ItemValues; index: number; field: ItemField } & Extras,
) {
  const { item, index, field, ...extras } = props;
  const { dispatch, latestDate } = useReportForm();
  return (
    <Control
      label={ITEM_LABELS[field]}
      {...extras}
      path={`chargebacks.${index}.${field}`}
      value={item.values[field]}
      onChange={(value) => dispatch({ type: "set-item", key: item.key, field, value })}
      control={
        field === "date"
          ? { kind: "date", latest: latestDate }
          : (ITEM_CONTROLS[field] ?? { kind: "text" })
      }
      required={field === "amount"}
      publication={field === "order_id" || field === "notes" ? "private" : "public"}
      maxLength={field === "first_6" ? 6 : field === "last_4" ? 4 : undefined}
    />
  );
}
