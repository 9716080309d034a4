import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import {
  ClearReport,
  clearFields,
  PersonalReport,
  personalFields,
  ReporterReport,
  reporterFields,
} from "./stored-report.ts";

/*
 * A report as events of version 1 hold it. The codes are spelled out: a list that grows in
 * `contracts/src/report` changes nothing that was stored before.
 */

export const Status1 = Type.Enum(["pending", "under_review", "approved", "rejected"]);

const ChargebackReason1 = Type.Enum([
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
const CheckReason1 = Type.Enum(["nsf", "stop_payment", "account_closed", "other"]);
const Resolution1 = Type.Enum(["unresolved", "in_progress", "partially_resolved", "resolved"]);
const Shipping1 = Type.Enum(["shipped", "not_shipped", "digital"]);

const required = {
  currency: Type.Enum(["USD", "EUR", "GBP", "CAD"]),
  resolution_status: Resolution1,
  chargebacks: Type.Array(
    strict({
      ...clearFields.chargebacks.items.properties,
      reason: Type.Optional(ChargebackReason1),
      resolution_status: Type.Optional(Resolution1),
    }),
    { maxItems: 50 },
  ),
};
const country = Type.Enum(["US", "CA", "UK", "AU"]);

export const clearFields1 = {
  ...clearFields,
  ...required,
  chargeback_reason: ChargebackReason1,
  check_reason: CheckReason1,
  shipping_status: Shipping1,
};
export const personalFields1 = { ...personalFields, country };
export const reporterFields1 = reporterFields;

export const ClearReport1 = strict({
  ...ClearReport.properties,
  ...required,
  chargeback_reason: Type.Optional(ChargebackReason1),
  check_reason: Type.Optional(CheckReason1),
  shipping_status: Type.Optional(Shipping1),
});
export const PersonalReport1 = strict({ ...PersonalReport.properties, country });
export const ReporterReport1 = ReporterReport;
