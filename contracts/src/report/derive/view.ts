import { type Static, type TObject, type TOptional, type TSchema, Type } from "typebox";
import type {
  catalogue,
  chargebackCatalogue,
  FieldRow,
  ReportField,
  ViewPart,
} from "../catalogue.ts";
import { chargebackFields, reportFields, type SchemaOf } from "../fields.ts";
import type { ReportType } from "../words.ts";
import { CHARGEBACK_FIELDS, CHARGEBACK_ROWS, fieldsWhere, REPORT_ROWS } from "./fields.ts";

/** Whether replies always have the field; a reporter's may be erased. Must match `isThere` below. */
type IsThere<R> = R extends { part: "reporter" } | { only: ReportType }
  ? false
  : R extends { required: true } | { filled: true }
    ? true
    : false;
type Value<R> = R extends { kind: "money" } ? Type.TNumber : SchemaOf<R>;
type Shown<R> = IsThere<R> extends true ? Value<R> : TOptional<Value<R>>;
/** The fields whose rows match `Such`, as in replies. */
type ShownFields<Rows, Such> = {
  -readonly [F in keyof Rows as Rows[F] extends Such ? F : never]: Shown<Rows[F]>;
};

function isThere({ part, only, required, filled }: FieldRow): boolean {
  return part !== "reporter" && !only && (required === true || filled === true);
}

/** Returns codes and dates as entered, but text without limits, because texts that were once accepted are shown. */
function shownSchema(row: FieldRow, entered: TSchema): TSchema {
  const isText = row.kind !== "choice" && row.kind !== "date";
  const text = isText ? Type.String() : entered;
  const value = row.kind === "money" ? Type.Number() : text;
  return isThere(row) ? value : Type.Optional(value);
}

/** Returns the fields of a part of the replies, in order. */
export function viewFields(part: ViewPart): ReportField[] {
  const placeOf = (field: ReportField) => REPORT_ROWS[field].view?.[1] ?? 0;
  return fieldsWhere(({ view }) => view?.[0] === part).sort((a, b) => placeOf(a) - placeOf(b));
}

type ViewSchemas<P extends ViewPart> = ShownFields<
  typeof catalogue,
  { view: readonly [P, number] }
>;
/** A part of a reply. */
export type ViewOf<P extends ViewPart> = Static<TObject<ViewSchemas<P>>>;

/** Returns the schemas of a part of the replies. */
export function viewSchemas<P extends ViewPart>(part: P): ViewSchemas<P> {
  const entries = viewFields(part).map((field) => [
    field,
    shownSchema(REPORT_ROWS[field], reportFields[field]),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the schemas of an additional chargeback's visible fields. */
export function shownChargebackSchemas(): ShownFields<
  typeof chargebackCatalogue,
  { shown: "open" }
> {
  const shown = CHARGEBACK_FIELDS.filter((field) => CHARGEBACK_ROWS[field].shown === "open");
  const entries = shown.map((field) => [
    field,
    shownSchema(CHARGEBACK_ROWS[field], chargebackFields[field]),
  ]);
  return Object.fromEntries(entries);
}
