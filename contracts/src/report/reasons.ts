/** Reasons for forms, console, search and facets. The codes are stored forever. */

export const CHARGEBACK_REASONS = {
  services_received: "Services received",
  fraudulent: "Fraudulent",
  duplicate: "Duplicate",
  product_not_received: "Product not received",
  product_not_as_described: "Product not as described",
  credit_not_processed: "Credit not processed",
  general: "General",
  goods_received: "Goods received",
  duplicate_charge: "Duplicate charge",
  not_as_described: "Not as described",
  bounced_check: "Bounced check",
  stop_payment_check: "Stop payment on a check",
  wire_recall: "Wire recall",
  other: "Other",
} as const;
export type ChargebackReason = keyof typeof CHARGEBACK_REASONS;

/** The seven reasons that the public form offers; the console offers all. */
export const FORM_CHARGEBACK_REASONS: readonly ChargebackReason[] = [
  "services_received",
  "fraudulent",
  "duplicate",
  "product_not_received",
  "product_not_as_described",
  "credit_not_processed",
  "general",
];

export const CHECK_REASONS = {
  nsf: "Insufficient funds (NSF)",
  stop_payment: "Stop payment",
  account_closed: "Account closed",
  other: "Other",
} as const;
export type CheckReason = keyof typeof CHECK_REASONS;

type ReasonCode = ChargebackReason | CheckReason;

/** The search menu's six groups; every code is in exactly one. */
export const REASON_GROUPS: Readonly<Record<string, readonly ReasonCode[]>> = {
  Fraud: ["fraudulent"],
  NSF: ["nsf", "bounced_check", "account_closed"],
  Authorization: ["stop_payment", "stop_payment_check", "wire_recall"],
  "Processing Error": ["credit_not_processed"],
  Duplicate: ["duplicate", "duplicate_charge"],
  "Service Dispute": [
    "services_received",
    "goods_received",
    "product_not_received",
    "product_not_as_described",
    "not_as_described",
    "general",
    "other",
  ],
};

/** Returns a code's label, or the code itself if it is unknown. */
export function reasonLabel(code: string): string {
  const labels: Record<string, string> = { ...CHECK_REASONS, ...CHARGEBACK_REASONS };
  return labels[code] ?? code;
}
