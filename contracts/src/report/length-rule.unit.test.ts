import type { TSchema } from "typebox";
import { describe, expect, it } from "vitest";
import type { DomainError } from "#contracts/domain-error.ts";
import { EditReport } from "#contracts/http/moderation.ts";
import { SubmitReport } from "#contracts/http/reports.ts";
import { validatorCompiler } from "#http/validation.ts";
import { editProblems } from "../../../web-admin/src/record/edit-values.ts";
import type {
  FormField,
  ItemField,
} from "../../../web-public/src/features/submit-report/form-fields.ts";
import {
  formReducer,
  INITIAL_FORM,
} from "../../../web-public/src/features/submit-report/form-state.ts";
import { problemsOf } from "../../../web-public/src/features/submit-report/problems.ts";
import { FIELD_LABELS, REPORT_ROWS, typeOf } from "./derive/fields.ts";
import { chargebackFields, reportFields } from "./fields.ts";

/** Returns the fields with a maximum length, each with its limit. */
function limited(schemas: Readonly<Record<string, TSchema>>): [field: string, limit: number][] {
  return Object.entries(schemas).flatMap(([field, schema]) => {
    const { maxLength } = schema as { maxLength?: number };
    return maxLength === undefined ? [] : [[field, maxLength] as [string, number]];
  });
}

function server(schema: TSchema, body: unknown): Record<string, string> {
  const compiled = validatorCompiler({ schema, method: "POST", url: "/", httpPart: "body" });
  const validate = compiled as (value: unknown) => { error?: DomainError };
  return { ...validate(body).error?.fields };
}

function form(type: string, field: string, value: string): Record<string, string> {
  const typed = [["report_type", type] as const, [field, value] as const];
  const state = typed.reduce(
    (before, [name, text]) =>
      formReducer(before, { type: "set", field: name as FormField, value: text }),
    INITIAL_FORM,
  );
  return problemsOf(state, "2026-05-02");
}

/** The form addresses the reporter; the console speaks about the reporter. */
const ofTheConsole = (sentence: string) => sentence.replace(/^Your /, "Reporter's ");

describe("a text that is too long for its field", () => {
  it.each(limited(reportFields))(
    "is rejected with the same message everywhere: %s",
    (field, limit) => {
      const value = "x".repeat(limit + 1);
      const type = typeOf(REPORT_ROWS[field as keyof typeof REPORT_ROWS].only);
      const told = server(SubmitReport, { [field]: value })[field] ?? "";
      expect(told).toBe(
        `${FIELD_LABELS[field as keyof typeof REPORT_ROWS]} must have at most ${limit} ${limit === 1 ? "character" : "characters"}`,
      );
      expect(server(EditReport, { [field]: value })[field]).toBe(told);
      expect(form(type, field, value)[field]).toBe(told);
      const context = { report: {}, type, now: 0 };
      expect(editProblems({ [field]: value }, context)[field]).toBe(ofTheConsole(told));
    },
  );

  it.each(limited(chargebackFields))(
    "is rejected in an additional chargeback too: %s",
    (field, limit) => {
      const value = "x".repeat(limit + 1);
      const chargebacks = [{ amount: 1, [field]: value }];
      const path = `chargebacks.0.${field}`;
      const told = server(SubmitReport, { chargebacks })[path] ?? "";
      expect(told).toMatch(new RegExp(` must have at most ${limit} characters$`));
      expect(server(EditReport, { chargebacks })[path]).toBe(told);
      const state = formReducer(formReducer(INITIAL_FORM, { type: "add-item" }), {
        type: "set-item",
        key: INITIAL_FORM.nextKey,
        field: field as ItemField,
        value,
      });
      expect(problemsOf(state, "2026-05-02")[path]).toBe(told);
      const context = { report: {}, type: "chargeback", now: 0 } as const;
      expect(editProblems({ chargebacks }, context)[path]).toBe(told);
    },
  );
});
