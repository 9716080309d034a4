import { type TProperties, Type } from "typebox";
import { strict } from "../../report/fields.ts";
import type { EventDefinition, Upcaster } from "../definition.ts";

/*
 * The versions of the two events that hold a report, `ReportSubmitted` and `ReportEdited`, which
 * are raised together. `stored-report.ts` defines the present version. Each former version is
 * written out here, codes included, so that changes for new reports do not change what was stored
 * before.
 */

/** The fields of a report by the part that holds them, with optional ones marked. */
export interface ReportFields {
  readonly clear: TProperties;
  readonly personal: TProperties;
  readonly reporter: TProperties;
}

const Text = Type.String({ minLength: 1 });
const Cents = Type.Integer({ minimum: 0, maximum: 999_999_999_999 });
const CalendarDate = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const Resolution = Type.Enum(["unresolved", "in_progress", "partially_resolved", "resolved"]);
const ChargebackReason = Type.Enum([
  "services_received",
  "fraudulent",
  "duplicate",
  "product_not_received",
  "product_not_as_described",
  "credit_not_processed",
  "general",
  "goods_received",
  "duplicate_charge",
  "not_as_described",
  "bounced_check",
  "stop_payment_check",
  "wire_recall",
  "other",
]);

const version1: ReportFields = {
  clear: {
    currency: Type.Enum(["USD", "EUR", "GBP", "CAD"]),
    amount_cents: Type.Optional(Cents),
    check_amount_cents: Type.Optional(Cents),
    chargeback_fee_cents: Type.Optional(Cents),
    other_fees_cents: Type.Optional(Cents),
    transaction_date: Type.Optional(CalendarDate),
    chargeback_date: Type.Optional(CalendarDate),
    check_date: Type.Optional(CalendarDate),
    chargeback_reason: Type.Optional(ChargebackReason),
    check_reason: Type.Optional(Type.Enum(["nsf", "stop_payment", "account_closed", "other"])),
    shipping_status: Type.Optional(Type.Enum(["shipped", "not_shipped", "digital"])),
    resolution_status: Resolution,
    chargebacks: Type.Array(
      strict({
        amount_cents: Cents,
        date: Type.Optional(CalendarDate),
        reason: Type.Optional(ChargebackReason),
        chargeback_fee_cents: Type.Optional(Cents),
        other_fees_cents: Type.Optional(Cents),
        resolution_status: Type.Optional(Resolution),
      }),
      { maxItems: 50 },
    ),
  },
  personal: {
    first_name: Text,
    last_name: Text,
    middle_initial: Type.Optional(Text),
    title: Text,
    description: Text,
    email: Type.Optional(Text),
    phone: Type.Optional(Text),
    item_purchased: Type.Optional(Text),
    tracking_number: Type.Optional(Text),
    ip_address: Type.Optional(Text),
    street_address: Type.Optional(Text),
    city: Text,
    state: Text,
    zip: Text,
    country: Type.Enum(["US", "CA", "UK", "AU"]),
    notes: Type.Optional(Text),
    first_6: Type.Optional(Text),
    last_4: Type.Optional(Text),
    check_number: Type.Optional(Text),
    bank_name: Type.Optional(Text),
    bank_routing: Type.Optional(Text),
    bank_account: Type.Optional(Text),
    chargebacks: Type.Array(
      strict({
        order_id: Type.Optional(Text),
        first_6: Type.Optional(Text),
        last_4: Type.Optional(Text),
        notes: Type.Optional(Text),
      }),
      { maxItems: 50 },
    ),
  },
  reporter: {
    reporter_first_name: Text,
    reporter_last_name: Text,
    reporter_email: Text,
    reporter_phone: Type.Optional(Text),
    reporter_company_name: Type.Optional(Text),
    public_username: Type.Optional(Text),
  },
};

/** The fields of each version before the present one, from version 1 on. */
export const FORMER_REPORTS: readonly ReportFields[] = [version1];

/** The present version of both events. */
export const REPORT_VERSION = FORMER_REPORTS.length + 1;

/**
 * The upcasters of an event that holds a report.
 * @param first from version 1, which differs in more than fields; made from the report's fields in
 * that version.
 * @param definition of a later version, made from its fields; it only lacks optional fields that
 * were added later.
 */
export function reportUpcasters(
  first: (fields: ReportFields) => Upcaster,
  definition: (version: number, fields: ReportFields) => EventDefinition,
  former: readonly ReportFields[] = FORMER_REPORTS,
): readonly Upcaster[] {
  return former.map((fields, index) =>
    index === 0 ? first(fields) : { from: definition(index + 1, fields), upcast: (data) => data },
  );
}
