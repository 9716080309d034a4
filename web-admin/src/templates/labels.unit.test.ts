import { describe, expect, it } from "vitest";
import type { TemplateRecord, TemplateVersion } from "#contracts/http/admin-templates.ts";
import { linesOf, problemWith } from "../shared/fields.tsx";
import { templateEditing } from "./labels.ts";

const { sentenceOf, actionsOf, statusOf, fieldsOf } = templateEditing;
const event = (revision: number, type: string, more: Partial<TemplateVersion> = {}) =>
  ({ revision, type, at: "2026-11-23T20:00:00Z", actor: "Dana Ruiz", ...more }) as TemplateVersion;
const text = { name: "Friendlier", subject: "News", body: "One\nTwo\n" };
const record = (status: TemplateRecord["status"]) =>
  ({ ...text, kind: "approved", status }) as TemplateRecord;

describe("the history of a template", () => {
  it.each([
    [event(0, "TemplateCreated"), "Dana Ruiz created this template"],
    [event(1, "TemplateEdited"), "Dana Ruiz saved changes"],
    [event(2, "TemplateRestored", { restored: 1 }), "Dana Ruiz restored revision 1"],
    [event(3, "TemplateActivated"), "Dana Ruiz activated it"],
    [event(4, "TemplateDeactivated"), "Dana Ruiz deactivated it"],
    [event(5, "TemplateTested"), "Dana Ruiz sent themselves a test email"],
  ])("describes %j", (happened, sentence) => {
    expect(sentenceOf(happened)).toBe(sentence);
  });

  it("describes an unknown author", () => {
    const { actor: _, ...unknown } = event(1, "TemplateEdited");
    expect(sentenceOf(unknown)).toBe("Someone saved changes");
  });
});

it("the active template can be deactivated, but not deleted", () => {
  const names = (status: TemplateRecord["status"]) =>
    actionsOf(record(status), false).map(({ name }) => name);
  expect(names("active")).toEqual(["test", "deactivate"]);
  expect(names("inactive")).toEqual(["test", "activate", "delete"]);
  expect(names("draft")).toEqual(["test", "activate", "delete"]);
});

it("confirmation questions name the email and who will be notified", () => {
  for (const status of ["active", "inactive"] as const) {
    const question = actionsOf(record(status), false)[1]?.question;
    expect(question?.title).toContain("“Friendlier”");
    expect(question?.consequence).toContain("“Report published” emails");
    expect(question?.consequence).toContain("email all admins");
  }
});

it("editing the active template warns that it changes the next emails", () => {
  expect(statusOf(record("active"), true)).toContain("saving changes the next emails");
  expect(statusOf(record("draft"), true)).toBe("Unsaved changes");
  expect(statusOf(record("active"), false)).toBe("In use: emails are sent as shown");
  expect(statusOf(record("inactive"), false)).toBe("Saved, not in use");
});

it("compares a template by its fields and lines", () => {
  const lines = ["Name: Friendlier", "Subject: News", "Body (Markdown):", "One", "Two"];
  expect(linesOf(fieldsOf(record("draft")), text)).toEqual(lines);
});

it.each([
  [{}, []],
  [{ name: " ", subject: "", body: "\n" }, ["name", "subject", "body"]],
  [{ name: "x".repeat(101) }, ["name"]],
  [{ subject: "x".repeat(301), body: "x".repeat(100_001) }, ["subject", "body"]],
])("a template with %j has problems in %j", (change, fields) => {
  const values = { ...text, ...change };
  const wrong = fieldsOf(record("draft")).filter((field) =>
    problemWith(field, values[field.source]),
  );
  expect(wrong.map(({ source }) => source)).toEqual(fields);
});
