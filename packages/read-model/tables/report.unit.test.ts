import { expect, it } from "vitest";
import { REPORT_FIELDS, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { createReportTables, PUBLIC_REPORT_COLUMNS } from "./report.ts";

const TABLE = /create table \w+\.report \((.*?)\n {4}\);/s.exec(createReportTables("reports"))?.[1];
const COLUMNS = [...(TABLE ?? "").matchAll(/^ {6}(\w+) /gm)].map(([, name]) => name);

/** Columns in which a field may stand: its value where that is shown, its mask, or neither. */
function columnOf(field: (typeof REPORT_FIELDS)[number], audience: "public" | "moderator") {
  const shown = visibility[field][audience];
  if (shown === "hidden") return undefined;
  if (shown === "masked") return `${field}_mask`;
  return REPORT_ROWS[field].kind === "money" ? `${field}_cents` : field;
}

it.each(REPORT_FIELDS)("the table holds %s as its readers may see it, and no more", (field) => {
  const own = (column: string | undefined) =>
    column !== undefined && [field, `${field}_mask`, `${field}_cents`].includes(column);
  const moderators = columnOf(field, "moderator");
  expect(COLUMNS.filter(own)).toEqual(moderators ? [moderators] : []);
  const visitors = columnOf(field, "public");
  expect(PUBLIC_REPORT_COLUMNS.filter(own)).toEqual(visitors ? [visitors] : []);
});
