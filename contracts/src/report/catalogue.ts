import { CHARGEBACK_REASONS, CHECK_REASONS, FORM_CHARGEBACK_REASONS } from "./reasons.ts";
import {
  COUNTRIES,
  CURRENCIES,
  FORM_RESOLUTION_STATUSES,
  REPORT_TYPES,
  RESOLUTION_STATUSES,
  type ReportType,
  SHIPPING_STATUSES,
} from "./words.ts";

/** Kind of a value. Determines how the value is validated, entered and written. */
export type FieldKind =
  /** One line of text, at most `max` characters. */
  | "line"
  /** Several lines of text, at most `max` characters. */
  | "prose"
  /** A line that is a phone number. */
  | "phone"
  | "email"
  | "ip_addresses"
  /** `digits` digits; at least `least`, if given. */
  | "digits"
  /** A code from the country's list of regions; a line if the country has none (`regions.ts`). */
  | "state"
  /** A decimal amount, stored as integer cents under `<name>_cents`. */
  | "money"
  | "date"
  /** One of `codes`. */
  | "choice"
  /** Additional chargebacks; their fields are in `chargebackCatalogue`. */
  | "list";

/** Visibility of a field. `derive/visibility.ts` defines what each value means for each audience. */
export type ShownAs = "open" | "masked" | "kept" | "staff";

/** Where replies show a field: lists and pages, pages only, next to the reporter, or to moderators only. */
export type ViewPart = "list" | "page" | "reporter" | "staff";

/** Definition of a field. Rows are plain data. */
export interface FieldRow {
  /** Label on forms and in messages. */
  readonly label: string;
  readonly kind: FieldKind;
  readonly max?: number;
  readonly digits?: number;
  /** Minimum number of digits, if not `digits`; `submission-rules.ts` defines who needs how many. */
  readonly least?: number;
  readonly codes?: Readonly<Record<string, string>> | readonly string[];
  /** Reports that require it. */
  readonly required?: true | ReportType;
  /** Cannot be cleared by an edit, because it has a default or is computed. */
  readonly filled?: true;
  /** An order or parcel number, which is not treated as a card number in the report's texts. */
  readonly own?: true;
  /** The only reports that may have it. */
  readonly only?: ReportType;
  /** The only reports whose form asks for it. */
  readonly asked?: ReportType;
  /** Part of the stored event that holds it; absent if it is computed or stored elsewhere. */
  readonly part?: "clear" | "personal" | "reporter";
  readonly shown: ShownAs;
  /** Sealed with the text key of its event (`text-<id>-<n>`), so that parts of it can be masked permanently. */
  readonly textKey?: true;
  readonly mask?: "email" | "phone" | "account";
  /** Part of the replies, and the field's place in it; absent if the field is hidden. */
  readonly view?: readonly [part: ViewPart, place: number];
  readonly section?: FormSection;
  /** Message that says what to enter, for a field whose schema is only a pattern. */
  readonly sentence?: string;
  /** Hint below the label on the form. */
  readonly hint?: string;
  /** Codes that the form offers, if not all. */
  readonly offered?: readonly string[];
  /** Initial code on the form, if not the first. */
  readonly initial?: string;
  /** Reports that get this code when none is given. */
  readonly assumed?: true | ReportType;
  /** Width of its control, if kind and length do not determine it. */
  readonly width?: "medium" | "full";
  /** Number of lines of its control. */
  readonly rows?: number;
  /** The form's control stops at `max` characters. Otherwise a longer text is rejected with a message. */
  readonly cut?: true;
  /** A token of HTML's `autocomplete`. */
  readonly autocomplete?: string;
  /** Group of the public record, and the field's place in it; absent if the record shows it elsewhere. */
  readonly record?: readonly [group: RecordGroup, place: number];
  /** Label on the public record, if different. */
  readonly fact?: string;
  /** Group in the console, if kind or section does not determine it. */
  readonly console?: ConsoleGroup;
  /** Shown next to the status on the console's edit form. */
  readonly besideStatus?: true;
  /** Can be edited in the console for every report, even if the report's form does not ask for it. */
  readonly editedInAll?: true;
  /** The console points out when it was not given, because that matters to moderators. */
  readonly missed?: true;
}

/** Groups of facts on the public record, each under its own heading. */
export type RecordGroup = "person" | "transaction" | "more";

/** Groups of fields on the console, each under its own heading. */
export type ConsoleGroup = "person" | "matter" | "amounts" | "card" | "check" | "reporter";

/** Sections of the form, in display order. */
export const FORM_SECTIONS = [
  "report",
  "person",
  "address",
  "card",
  "check",
  "amounts",
  "reporter",
] as const;
export type FormSection = (typeof FORM_SECTIONS)[number];

const FIRST_6 = "Enter the first 6 digits of the card";
const LAST_4 = "Enter the last 4 digits of the card";

/**
 * Every field of a report, in wire order. The form's `company_name` and `order_id` are sent as `item_purchased`
 * and `tracking_number`.
 */
// biome-ignore format: one row a field
export const catalogue = {
  report_type: { label: "Report type", kind: "choice", codes: REPORT_TYPES, required: true, shown: "open", section: "report", record: ["transaction", 1], fact: "Type" },
  title: { label: "Title", kind: "line", max: 200, required: true, part: "personal", textKey: true, shown: "open", view: ["list", 3], section: "report", width: "full", hint: "One line, for example: Disputed a delivered order" },
  description: { label: "Description", kind: "prose", max: 10_000, required: true, part: "personal", textKey: true, shown: "open", view: ["list", 4], section: "report", rows: 8, hint: "Describe what you sold, when it was delivered, and how the payment was reversed. We publish this exactly as written, so leave out private details." },
  first_name: { label: "First name", kind: "line", max: 100, required: true, part: "personal", shown: "open", view: ["list", 1], section: "person", record: ["person", 1] },
  last_name: { label: "Last name", kind: "line", max: 100, required: true, part: "personal", shown: "open", view: ["list", 2], section: "person" },
  middle_initial: { label: "Middle initial", kind: "line", max: 1, part: "personal", shown: "kept", section: "person", cut: true },
  email: { label: "Email", kind: "email", part: "personal", shown: "masked", mask: "email", view: ["list", 5], section: "person", hint: "Published as q***@***", missed: true, record: ["person", 2] },
  phone: { label: "Phone", kind: "phone", max: 40, part: "personal", shown: "masked", mask: "phone", view: ["list", 6], section: "person", hint: "Published as (***) ***-****", missed: true, record: ["person", 3] },
  item_purchased: { label: "Company name or item purchased", kind: "line", max: 200, part: "personal", textKey: true, shown: "kept", section: "person", console: "matter" },
  tracking_number: { label: "Order ID or tracking number", kind: "line", max: 100, own: true, part: "personal", textKey: true, shown: "open", view: ["page", 1], section: "person", console: "matter", record: ["more", 1] },
  ip_address: { label: "IP addresses", kind: "ip_addresses", part: "personal", shown: "kept", section: "person", hint: "Addresses the person ordered from, separated by commas" },
  shipping_status: { label: "Shipping status", kind: "choice", codes: SHIPPING_STATUSES, part: "clear", shown: "open", view: ["list", 17], section: "person", initial: "not_shipped", assumed: "chargeback", console: "matter", record: ["transaction", 7] },
  country: { label: "Country", kind: "choice", codes: COUNTRIES, filled: true, part: "personal", shown: "open", view: ["list", 9], section: "address", assumed: true },
  street_address: { label: "Street address", kind: "line", max: 200, part: "personal", shown: "kept", section: "address" },
  city: { label: "City", kind: "line", max: 100, required: true, part: "personal", shown: "open", view: ["list", 7], section: "address", record: ["person", 4] },
  state: { label: "State", kind: "state", max: 100, required: true, part: "personal", shown: "open", view: ["list", 8], section: "address" },
  zip: { label: "ZIP", kind: "line", max: 12, required: true, part: "personal", shown: "kept", section: "address" },
  currency: { label: "Currency", kind: "choice", codes: CURRENCIES, filled: true, part: "clear", shown: "open", view: ["list", 10], section: "amounts", assumed: true, console: "amounts" },
  amount: { label: "Original amount", kind: "money", required: "chargeback", asked: "chargeback", filled: true, part: "clear", shown: "open", view: ["list", 11], section: "amounts" },
  transaction_date: { label: "Transaction date", kind: "date", required: "chargeback", asked: "chargeback", part: "clear", shown: "open", view: ["list", 13], section: "amounts", editedInAll: true, record: ["transaction", 2] },
  chargeback_date: { label: "Chargeback date", kind: "date", asked: "chargeback", part: "clear", shown: "open", view: ["page", 4], section: "amounts", record: ["transaction", 3] },
  chargeback_reason: { label: "Chargeback reason", kind: "choice", codes: CHARGEBACK_REASONS, asked: "chargeback", part: "clear", shown: "open", view: ["list", 15], section: "amounts", offered: FORM_CHARGEBACK_REASONS, assumed: "chargeback", besideStatus: true, record: ["transaction", 4] },
  chargeback_fee: { label: "Chargeback fee", kind: "money", asked: "chargeback", part: "clear", shown: "open", view: ["page", 5], section: "amounts" },
  other_fees: { label: "Other fees", kind: "money", part: "clear", shown: "open", view: ["page", 6], section: "amounts" },
  total_due: { label: "Total due", kind: "money", filled: true, shown: "open", view: ["list", 12], section: "amounts" },
  resolution_status: { label: "Resolution status", kind: "choice", codes: RESOLUTION_STATUSES, filled: true, part: "clear", shown: "open", view: ["list", 18], section: "amounts", offered: FORM_RESOLUTION_STATUSES, assumed: true, besideStatus: true, record: ["transaction", 8], fact: "Resolution" },
  notes: { label: "Notes", kind: "prose", max: 10_000, part: "personal", textKey: true, shown: "kept", section: "amounts", rows: 4, hint: "For our moderators" },
  chargebacks: { label: "Additional chargebacks", kind: "list", filled: true, shown: "open", section: "amounts" },
  first_6: { label: "Card, first 6 digits", kind: "digits", digits: 6, only: "chargeback", part: "personal", shown: "open", view: ["page", 2], section: "card", sentence: FIRST_6, record: ["more", 2] },
  last_4: { label: "Card, last 4 digits", kind: "digits", digits: 4, required: "chargeback", only: "chargeback", part: "personal", shown: "open", view: ["page", 3], section: "card", sentence: LAST_4 },
  check_number: { label: "Check number", kind: "line", max: 20, required: "bad_check", only: "bad_check", part: "personal", shown: "kept", section: "check" },
  bank_name: { label: "Bank name", kind: "line", max: 100, required: "bad_check", only: "bad_check", part: "personal", shown: "open", view: ["page", 8], section: "check", record: ["more", 3], fact: "Bank" },
  bank_routing: { label: "Bank routing number", kind: "digits", digits: 9, least: 1, only: "bad_check", part: "personal", shown: "kept", section: "check", sentence: "Enter the routing number as digits only, at most 9" },
  bank_account: { label: "Bank account number", kind: "line", max: 20, only: "bad_check", part: "personal", shown: "masked", mask: "account", view: ["page", 9], section: "check", cut: true, hint: "Published as ****6789, the last four characters", record: ["more", 4], fact: "Bank account" },
  check_amount: { label: "Check amount", kind: "money", required: "bad_check", only: "bad_check", filled: true, part: "clear", shown: "open", view: ["page", 7], section: "check" },
  check_date: { label: "Check date", kind: "date", required: "bad_check", only: "bad_check", part: "clear", shown: "open", view: ["list", 14], section: "check", record: ["transaction", 5] },
  check_reason: { label: "Reason for the return", kind: "choice", codes: CHECK_REASONS, required: "bad_check", only: "bad_check", part: "clear", shown: "open", view: ["list", 16], section: "check", besideStatus: true, record: ["transaction", 6] },
  reporter_first_name: { label: "Your first name", kind: "line", max: 100, required: true, part: "reporter", shown: "kept", section: "reporter", autocomplete: "given-name" },
  reporter_last_name: { label: "Your last name", kind: "line", max: 100, required: true, part: "reporter", shown: "kept", section: "reporter", autocomplete: "family-name" },
  reporter_email: { label: "Your email", kind: "email", required: true, part: "reporter", shown: "staff", mask: "email", view: ["staff", 1], section: "reporter", autocomplete: "email", hint: "We'll email you a link to confirm the report, unless your account has already confirmed this address" },
  reporter_phone: { label: "Your phone", kind: "phone", max: 40, part: "reporter", shown: "kept", section: "reporter", autocomplete: "tel" },
  reporter_company_name: { label: "Your company", kind: "line", max: 200, part: "reporter", shown: "kept", section: "reporter", width: "medium", autocomplete: "organization" },
  public_username: { label: "Public company name", kind: "line", max: 100, part: "reporter", textKey: true, shown: "open", view: ["reporter", 1], section: "reporter", hint: "Shown on the report as the source. Leave blank to stay anonymous.", missed: true },
} as const satisfies Readonly<Record<string, FieldRow>>;
export type ReportField = keyof typeof catalogue;

/** Every field of an additional chargeback, in wire order. */
// biome-ignore format: one row a field
export const chargebackCatalogue = {
  order_id: { label: "Order ID", kind: "line", max: 100, own: true, part: "personal", textKey: true, shown: "kept" },
  amount: { label: "Amount", kind: "money", required: true, part: "clear", shown: "open" },
  date: { label: "Date", kind: "date", part: "clear", shown: "open" },
  reason: { label: "Reason", kind: "choice", codes: CHARGEBACK_REASONS, part: "clear", shown: "open", offered: FORM_CHARGEBACK_REASONS },
  first_6: { label: "Card, first 6 digits", kind: "digits", digits: 6, part: "personal", shown: "open", sentence: FIRST_6 },
  last_4: { label: "Card, last 4 digits", kind: "digits", digits: 4, part: "personal", shown: "open", sentence: LAST_4 },
  chargeback_fee: { label: "Chargeback fee", kind: "money", part: "clear", shown: "open" },
  other_fees: { label: "Other fees", kind: "money", part: "clear", shown: "open" },
  total_due: { label: "Total", kind: "money", filled: true, shown: "open" },
  resolution_status: { label: "Resolution status", kind: "choice", codes: RESOLUTION_STATUSES, part: "clear", shown: "open", offered: FORM_RESOLUTION_STATUSES },
  notes: { label: "Notes", kind: "prose", max: 10_000, part: "personal", textKey: true, shown: "kept", rows: 3 },
} as const satisfies Readonly<Record<string, FieldRow>>;
export type ChargebackField = keyof typeof chargebackCatalogue;

/** Maximum number of additional chargebacks in a report. */
export const MAX_CHARGEBACKS = 50;
