import { type TProperties, type TSchema, type TSchemaOptions, Type } from "typebox";
import { EMAIL_LENGTH, EMAIL_SENTENCE, isEmail } from "../account/email.ts";
import { catalogue, chargebackCatalogue, type FieldRow, MAX_CHARGEBACKS } from "./catalogue.ts";
import { rowOf } from "./derive/fields.ts";
import { AMOUNT_RULE, isAmount } from "./money.ts";
import { REPORT_STATUSES } from "./words.ts";

/**
 * Pattern of a single-line text that reads as it is stored. Rejects line breaks and other control characters
 * (Unicode category Cc, U+2028, U+2029), and those that reorder the text around them (UAX #9: embeddings,
 * overrides and isolates). Right-to-left text needs none of them.
 */
export const ONE_LINE =
  "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*$";

/** Message that follows the field's label. */
export const ONE_LINE_RULE = "must be one line, without control characters";

/** Whether a validator's error means that a text breaks this rule. */
export function isOneLineError(error: { readonly keyword: string; readonly params: unknown }) {
  const { pattern } = error.params as { pattern?: unknown };
  return error.keyword === "pattern" && String(pattern) === ONE_LINE;
}

/** Returns an object schema that rejects undeclared properties. */
export function strict<P extends TProperties>(properties: P, options: TSchemaOptions = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** Does the same, with every property optional. */
export function partial<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties), { additionalProperties: false });
}

/** Returns a schema for the keys of a table, such as a table of labels. */
export function codes<T extends string>(table: Readonly<Record<T, unknown>>) {
  return Type.Enum(Object.keys(table) as [T, ...T[]]);
}

/** ID of a report: a lower-case UUID, as the registry issues it. */
export const ReportId = Type.String({
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
});

/** An email address; see {@link isEmail}. */
export const Email = Type.Refine(
  Type.String({ minLength: 3, maxLength: EMAIL_LENGTH }),
  isEmail,
  () => EMAIL_SENTENCE,
);

/** An email address, or the console's mask for it, which means no change. */
const EmailOrMask = Type.Union([
  Email,
  Type.String({ pattern: "^(.\\*\\*\\*@\\*\\*\\*|\\*\\*\\*)$" }),
]);

/** A decimal amount of at least 0, with at most two decimal places. */
const Amount = Type.Refine(Type.Number({ minimum: 0 }), isAmount, () => AMOUNT_RULE);

export const DATE_SENTENCE = "Enter a valid date (YYYY-MM-DD)";

export const CalendarDate = Type.Refine(
  Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  isCalendarDate,
  () => DATE_SENTENCE,
);

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Comma-separated IPv4 addresses. */
const IpAddresses = Type.Refine(
  Type.String({ maxLength: 500, pattern: ONE_LINE }),
  (value) => value.split(",").every((entry) => IPV4.test(entry.trim())),
  () => "Please enter valid IP addresses. Use format: 192.168.1.1, 10.0.0.1",
);

type Code<C> = C extends readonly (infer V extends string)[] ? V : Extract<keyof C, string>;
/** Schema of a field's value, derived from its row. */
export type SchemaOf<R> = R extends { kind: "money" }
  ? typeof Amount
  : R extends { kind: "choice"; codes: infer C }
    ? Type.TEnum<[Code<C>, ...Code<C>[]]>
    : R extends { kind: "list" }
      ? Type.TArray<typeof AdditionalChargeback>
      : Type.TString;
type SchemasOf<R> = { readonly [K in keyof R]: SchemaOf<R[K]> };
/** The schemas, optional unless the row requires the field. */
type GivenOf<R> = {
  readonly [K in keyof R]: R[K] extends { required: true }
    ? SchemaOf<R[K]>
    : Type.TOptional<SchemaOf<R[K]>>;
};

function schemaOf({ kind, max = 0, digits, least, codes: table = [] }: FieldRow): TSchema {
  switch (kind) {
    case "prose":
      return Type.String({ minLength: 1, maxLength: max });
    case "email":
      return Email;
    case "ip_addresses":
      return IpAddresses;
    case "digits":
      return Type.String({ pattern: `^\\d{${least === undefined ? "" : `${least},`}${digits}}$` });
    case "money":
      return Amount;
    case "date":
      return CalendarDate;
    case "choice":
      return Type.Enum(Array.isArray(table) ? table : Object.keys(table));
    case "list":
      return Type.Array(AdditionalChargeback, { maxItems: MAX_CHARGEBACKS });
    default:
      return Type.String({ minLength: 1, maxLength: max, pattern: ONE_LINE });
  }
}

function schemasOf<R extends Readonly<Record<string, FieldRow>>>(rows: R): SchemasOf<R> {
  const entries = Object.entries(rows).map(([name, row]) => [name, schemaOf(row)]);
  return Object.fromEntries(entries);
}

/** Returns the schemas for a submission: optional unless every report requires the field. */
export function submissionSchemas<R extends Readonly<Record<string, FieldRow>>>(
  rows: R,
  schemas: SchemasOf<R>,
): GivenOf<R> {
  const entries = Object.entries<TSchema>(schemas).map(([name, schema]) => [
    name,
    rows[name]?.required === true ? schema : Type.Optional(schema),
  ]);
  return Object.fromEntries(entries);
}

type Clearable<S extends TSchema> = Type.TOptional<Type.TUnion<[S, Type.TNull]>>;
type EditedOf<R> = {
  readonly [K in Exclude<keyof R, "report_type">]: R[K] extends
    | { required: true }
    | { filled: true }
    ? Type.TOptional<SchemaOf<R[K]>>
    : Clearable<SchemaOf<R[K]>>;
};

/** Returns the schemas for an edit: optional, and nullable if the field can be cleared. */
export function edited<R extends Readonly<Record<string, FieldRow>>>(
  rows: R,
  schemas: SchemasOf<R>,
): EditedOf<R> {
  const entries = Object.entries<TSchema>(schemas).map(([name, schema]) => {
    const { kind, required, filled } = rows[name] as FieldRow;
    const value = kind === "email" ? EmailOrMask : schema;
    const keeps = required === true || filled;
    return [name, Type.Optional(keeps ? value : Type.Union([value, Type.Null()]))];
  });
  const { report_type: _, ...fields } = Object.fromEntries(entries);
  return fields;
}

/** Wire schemas of an additional chargeback's fields, with their limits. */
export const chargebackFields = schemasOf(chargebackCatalogue);

/** An additional chargeback of the same person, as on the wire. */
export const AdditionalChargeback = strict(
  submissionSchemas(chargebackCatalogue, chargebackFields),
);

/** Wire schemas of a report's fields, with their limits. */
export const reportFields = schemasOf(catalogue);

/** Returns the catalog's message for a rejected text: what to enter, or how long it may be. */
export function fieldSentence(
  field: string,
  error: { readonly keyword: string; readonly params: unknown },
): string | undefined {
  const row = rowOf(field);
  const own =
    row && (schemaOf(row) as { readonly pattern?: unknown; readonly maxLength?: unknown });
  if (error.keyword === "minLength" && row?.kind === "email") return EMAIL_SENTENCE;
  const { pattern } = error.params as { readonly pattern?: unknown };
  if (error.keyword === "pattern" && pattern === own?.pattern) return row?.sentence;
  const limit = exceededLimit([error]);
  return row && limit !== undefined && limit === own?.maxLength
    ? `${row.label} ${lengthRule(limit)}`
    : undefined;
}

export const ReportStatusCode = codes(REPORT_STATUSES);

/** Returns the message for a text that is too long, which follows the field's label. */
export function lengthRule(limit: number | bigint): string {
  return `must have at most ${limit} ${Number(limit) === 1 ? "character" : "characters"}`;
}

/** Returns the maximum length that a text exceeds, if one of a validator's errors says so. */
export function exceededLimit(
  errors: readonly { readonly keyword: string; readonly params: unknown }[],
): number | bigint | undefined {
  const found = errors.find(({ keyword }) => keyword === "maxLength");
  return (found?.params as { readonly limit: number | bigint } | undefined)?.limit;
}

/** Calendar dates of a report: `YYYY-MM-DD`, without a time zone. */

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether the text is an existing date, from 1900 on. */
export function isCalendarDate(text: string): boolean {
  const match = SHAPE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1900 || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Returns the latest date that is not in the future anywhere on earth: today at UTC+14. */
export function latestDate(nowMs: number): string {
  return new Date(nowMs + 14 * 3_600_000).toISOString().slice(0, 10);
}
