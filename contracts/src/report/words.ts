/** Codes of a report other than reasons, with their labels. */

export const REPORT_TYPES = { chargeback: "Chargeback", bad_check: "Bad check" } as const;
export type ReportType = keyof typeof REPORT_TYPES;

export const CURRENCIES = ["USD", "EUR", "GBP", "CAD"] as const;
export type Currency = (typeof CURRENCIES)[number];

export const COUNTRIES = {
  US: "United States",
  CA: "Canada",
  UK: "United Kingdom",
  AU: "Australia",
} as const;
export type Country = keyof typeof COUNTRIES;

export const SHIPPING_STATUSES = {
  shipped: "Shipped",
  not_shipped: "Not shipped",
  digital: "Digital",
} as const;
export type ShippingStatus = keyof typeof SHIPPING_STATUSES;

export const RESOLUTION_STATUSES = {
  unresolved: "Unresolved",
  in_progress: "In progress",
  partially_resolved: "Partially resolved",
  resolved: "Resolved",
} as const;
export type ResolutionStatus = keyof typeof RESOLUTION_STATUSES;

/** The three statuses that the public form offers. */
export const FORM_RESOLUTION_STATUSES: readonly ResolutionStatus[] = [
  "unresolved",
  "resolved",
  "in_progress",
];

export const REPORT_STATUSES = {
  pending: "Pending",
  under_review: "Under review",
  approved: "Approved",
  rejected: "Rejected",
} as const;
export type ReportStatus = keyof typeof REPORT_STATUSES;

export const DELETION_REASONS = {
  court_order: "Court order",
  subject_request: "Requested by the person concerned",
  false_report: "False report",
  duplicate: "Duplicate",
  spam: "Spam",
  other: "Other",
} as const;

/** Reasons for which the registry itself deletes a report: a retention period has expired. */
export const EXPIRY_REASONS = {
  unconfirmed: "Address not confirmed in time",
  rejected: "Rejected, retention period over",
} as const;

/** Reasons for a rejection; `other` requires a text. */
export const REJECTION_REASONS = {
  no_evidence: "No evidence",
  private_data: "Private data",
  not_a_chargeback: "Not a chargeback or bad check",
  duplicate: "Duplicate",
  abusive: "Abusive",
  outside_scope: "Outside our scope",
  other: "Other",
} as const;

export type RejectionReason = keyof typeof REJECTION_REASONS;

/** Sentences shown to the reporter. `other` has only its text. */
const REJECTION_SENTENCES: Readonly<Record<Exclude<RejectionReason, "other">, string>> = {
  no_evidence: "It has no evidence, or the evidence doesn't support it.",
  private_data: "It contains private data that we can't publish.",
  not_a_chargeback: "It isn't about a chargeback or a bad check.",
  duplicate: "The same case has already been reported.",
  abusive: "It insults or threatens someone.",
  outside_scope: "It is outside the scope of this registry.",
};

/** Returns a rejection code's label for moderators. An unknown code is spelled out. */
export function rejectionLabel(code: string): string {
  const labels: Readonly<Record<string, string>> = REJECTION_REASONS;
  if (Object.hasOwn(labels, code)) return labels[code] as string;
  const words = code.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the explanation of a rejection: its code's sentence and its text; null if neither is left. */
export function rejectionText(text: string | null, code: string | null): string | null {
  if (code === null) return text;
  const sentences: Readonly<Record<string, string>> = REJECTION_SENTENCES;
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  if (text !== null) return sentence ? `${sentence} ${text}` : text;
  return sentence ?? rejectionLabel(code);
}

export type DeletionReason = keyof typeof DELETION_REASONS;

export const US_STATES = {
  AL: "Alabama",
  AK: "Alaska",
  AZ: "Arizona",
  AR: "Arkansas",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DE: "Delaware",
  FL: "Florida",
  GA: "Georgia",
  HI: "Hawaii",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  IA: "Iowa",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  ME: "Maine",
  MD: "Maryland",
  MA: "Massachusetts",
  MI: "Michigan",
  MN: "Minnesota",
  MS: "Mississippi",
  MO: "Missouri",
  MT: "Montana",
  NE: "Nebraska",
  NV: "Nevada",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NY: "New York",
  NC: "North Carolina",
  ND: "North Dakota",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  UT: "Utah",
  VT: "Vermont",
  VA: "Virginia",
  WA: "Washington",
  WV: "West Virginia",
  WI: "Wisconsin",
  WY: "Wyoming",
} as const;

/** Version of the terms at /terms: their effective date. Each submission keeps it as evidence. */
export const TERMS_VERSION = "2026-11-30";

/** Message for anyone who agreed to outdated terms. */
export const TERMS_OUTDATED =
  "Our terms have changed since you opened this form. Please read them and agree again.";

/** Lifetime of a verification link. */
export const VERIFICATION_HOURS = 48;
export const VERIFICATION_TTL_MS = VERIFICATION_HOURS * 3_600_000;
