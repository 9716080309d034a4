import { Type } from "typebox";
import { expect, it } from "vitest";
import { REPORT_FIELDS, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { viewSchemas } from "#contracts/report/derive/view.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { createReportTables, PUBLIC_REPORT_COLUMNS } from "./report.ts";

const TABLE = /create table \w+\.report \((.*?)\n {4}\);/s.exec(createReportTables("reports"))?.[1];
const COLUMNS = [...(TABLE ?? "").matchAll(/^ {6}(\w+) /gm)].map(([, name]) => name);

/** Returns the column that holds a field for an audience: the value's, the mask's, or none. */
function columnOf(field: (typeof REPORT_FIELDS)[number], audience: "public" | "moderator") {
  const shown = visibility[field][audience];
  if (shown === "hidden") return undefined;
  if (shown === "masked") return `${field}_mask`;
  return REPORT_ROWS[field].kind === "money" ? `${field}_cents` : field;
}

it.each(REPORT_FIELDS)("the table holds only what readers may see of %s", (field) => {
  const own = (column: string | undefined) =>
    column !== undefined && [field, `${field}_mask`, `${field}_cents`].includes(column);
  const moderators = columnOf(field, "moderator");
  expect(COLUMNS.filter(own)).toEqual(moderators ? [moderators] : []);
  const visitors = columnOf(field, "public");
  expect(PUBLIC_REPORT_COLUMNS.filter(own)).toEqual(visitors ? [visitors] : []);
});

it("a field that replies always include has a non-null column", () => {
  const filled = [...(TABLE ?? "").matchAll(/^ {6}(\w+) .* not null/gm)].map(([, name]) => name);
  const properties = { ...viewSchemas("list"), ...viewSchemas("page") };
  const always = Object.entries(properties).filter(([, schema]) => !Type.IsOptional(schema));
  expect(always.length).toBeGreaterThan(8);
  for (const [field] of always)
    expect(filled).toContain(columnOf(field as keyof typeof properties, "public"));
});
