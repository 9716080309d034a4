import { expect, it } from "vitest";
import { fieldsWhere, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { editBodyProblems } from "./edit-body.ts";

it.each(fieldsWhere(({ sentence }) => sentence !== undefined))(
  "refuses an invalid %s with the message that the form shows",
  (field) => {
    expect(editBodyProblems({ [field]: "?" })).toEqual({ [field]: REPORT_ROWS[field].sentence });
  },
);
