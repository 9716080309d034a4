import type { FieldRow } from "../catalogue.ts";
import {
  CHARGEBACK_FIELDS,
  CHARGEBACK_ROWS,
  isMoney,
  REPORT_FIELDS,
  REPORT_ROWS,
} from "./fields.ts";
import { chargebackVisibility, FIELD_MASKS, type Shown, visibility } from "./visibility.ts";

/** A column of a read model. Holds what moderators see of the field. */
export interface FieldColumn {
  readonly field: string;
  /** Name under which events store the value. */
  readonly stored: string;
  readonly column: string;
  readonly part: FieldRow["part"];
  /** Returns the mask of a value; absent if the value itself is shown. */
  readonly mask?: (value: string) => string | null;
}

/** Returns the name of a field in events and tables. Amounts are stored in cents. */
export function storedName(field: string): string {
  return isMoney(field) ? `${field}_cents` : field;
}

/** A masked field without a mask shows nothing. */
const hide = () => null;

function columnsOf<F extends string>(
  fields: readonly F[],
  rows: Readonly<Record<F, FieldRow>>,
  shows: Readonly<Record<F, { readonly moderator: Shown }>>,
): FieldColumn[] {
  return fields.flatMap((field): FieldColumn[] => {
    const { part } = rows[field];
    const stored = storedName(field);
    switch (shows[field].moderator) {
      case "clear":
        return [{ field, stored, column: stored, part }];
      case "masked":
        return [{ field, stored, column: `${field}_mask`, part, mask: FIELD_MASKS[field] ?? hide }];
      default:
        return [];
    }
  });
}

/** Columns of a report. Hidden fields have none. */
export const REPORT_COLUMNS = columnsOf(REPORT_FIELDS, REPORT_ROWS, visibility);
/** The same for an additional chargeback inside a report's row. */
export const CHARGEBACK_COLUMNS = columnsOf(
  CHARGEBACK_FIELDS,
  CHARGEBACK_ROWS,
  chargebackVisibility,
);
