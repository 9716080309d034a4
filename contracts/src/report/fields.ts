import { type TProperties, type TSchemaOptions, Type } from "typebox";
import { AMOUNT_RULE } from "./amount-problem.ts";
import { isCalendarDate } from "./dates.ts";
import { isAmount } from "./money.ts";
import { ONE_LINE } from "./one-line.ts";
import { CHARGEBACK_REASONS, CHECK_REASONS } from "./reasons.ts";
import {
  COUNTRIES,
  CURRENCIES,
  REPORT_STATUSES,
  RESOLUTION_STATUSES,
  SHIPPING_STATUSES,
} from "./words.ts";

/** Object whose undeclared properties are refused. */
export function strict<P extends TProperties>(properties: P, options: TSchemaOptions = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** The same with every property optional. */
export function partial<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties), { additionalProperties: false });
}

/** Union of the codes that key a table of labels. */
export function codes<T extends string>(table: Readonly<Record<T, string>>) {
  return Type.Enum(Object.keys(table) as [T, ...T[]]);
}

/** Id of a report: a UUID in lower case, as the registry gives it out. */
export const ReportId = Type.String({
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
});

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: ONE_LINE });
/** Text of any number of lines. */
const prose = (maxLength: number) => Type.String({ minLength: 1, maxLength });

const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

/** An address as the HTML standard's `<input type=email>` takes it, with a dot in the domain. */
export const Email = Type.Refine(
  Type.String({ minLength: 3, maxLength: 254 }),
  (value) => EMAIL.test(value),
  () => "Please enter a valid email",
);

/** Decimal amount of at least 0 with at most two places. */
export const Amount = Type.Refine(Type.Number({ minimum: 0 }), isAmount, () => AMOUNT_RULE);

export const CalendarDate = Type.Refine(
  Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  isCalendarDate,
  () => "Enter a date that exists, as YYYY-MM-DD",
);

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Comma-separated IPv4 addresses. */
export const IpAddresses = Type.Refine(
  Type.String({ maxLength: 500, pattern: ONE_LINE }),
  (value) => value.split(",").every((entry) => IPV4.test(entry.trim())),
  () => "Please enter valid IP addresses. Use format: 192.168.1.1, 10.0.0.1",
);

/** One additional chargeback of the same person, as the wire carries it. */
export const AdditionalChargeback = strict({
  order_id: Type.Optional(text(100)),
  amount: Amount,
  date: Type.Optional(CalendarDate),
  reason: Type.Optional(codes(CHARGEBACK_REASONS)),
  first_6: Type.Optional(Type.String({ pattern: "^\\d{6}$" })),
  last_4: Type.Optional(Type.String({ pattern: "^\\d{4}$" })),
  chargeback_fee: Type.Optional(Amount),
  other_fees: Type.Optional(Amount),
  total_due: Type.Optional(Amount),
  resolution_status: Type.Optional(codes(RESOLUTION_STATUSES)),
  notes: Type.Optional(prose(10_000)),
});

/**
 * Every field that a report may have on the wire, with its limit. `company_name` and `order_id`
 * of the form are sent as `item_purchased` and `tracking_number`.
 */
export const reportFields = {
  report_type: Type.Enum(["chargeback", "bad_check"]),
  title: text(200),
  description: prose(10_000),
  first_name: text(100),
  last_name: text(100),
  middle_initial: text(1),
  email: Email,
  phone: text(40),
  item_purchased: text(200),
  tracking_number: text(100),
  ip_address: IpAddresses,
  shipping_status: codes(SHIPPING_STATUSES),
  street_address: text(200),
  city: text(100),
  state: Type.String({ pattern: "^[A-Z]{2,3}$" }),
  zip: text(12),
  country: codes(COUNTRIES),
  currency: Type.Enum([...CURRENCIES]),
  amount: Amount,
  transaction_date: CalendarDate,
  chargeback_date: CalendarDate,
  chargeback_reason: codes(CHARGEBACK_REASONS),
  chargeback_fee: Amount,
  other_fees: Amount,
  total_due: Amount,
  resolution_status: codes(RESOLUTION_STATUSES),
  notes: prose(10_000),
  chargebacks: Type.Array(AdditionalChargeback, { maxItems: 50 }),
  first_6: Type.String({ pattern: "^\\d{6}$" }),
  last_4: Type.String({ pattern: "^\\d{4}$" }),
  check_number: text(20),
  bank_name: text(100),
  bank_routing: Type.String({ pattern: "^\\d{9}$" }),
  bank_account: text(20),
  check_amount: Amount,
  check_date: CalendarDate,
  check_reason: codes(CHECK_REASONS),
  reporter_first_name: text(100),
  reporter_last_name: text(100),
  reporter_email: Email,
  reporter_phone: text(40),
  reporter_company_name: text(200),
  public_username: text(100),
} as const;
export const ReportStatusCode = codes(REPORT_STATUSES);
