import { describe, expect, it } from "vitest";
import type {
  TemplateItem,
  TemplateRecord,
  TemplateVersion,
} from "#contracts/http/admin-templates.ts";
import { emailRows, foundEmails, templateEditing } from "./labels.ts";

const { sentenceOf, actionsOf, statusOf, linesOf, problemsOf } = templateEditing;
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
  ])("says %j", (happened, sentence) => {
    expect(sentenceOf(happened)).toBe(sentence);
  });

  it("has a sentence for an unknown author", () => {
    const { actor: _, ...unknown } = event(1, "TemplateEdited");
    expect(sentenceOf(unknown)).toBe("Someone saved changes");
  });
});

it("the active template is deactivated, and never deleted", () => {
  const names = (status: TemplateRecord["status"]) =>
    actionsOf(record(status), false).map(({ name }) => name);
  expect(names("active")).toEqual(["test", "deactivate"]);
  expect(names("inactive")).toEqual(["test", "activate", "delete"]);
  expect(names("draft")).toEqual(["test", "activate", "delete"]);
});

it("the questions name the email and who is told", () => {
  for (const status of ["active", "inactive"] as const) {
    const question = actionsOf(record(status), false)[1]?.question;
    expect(question?.title).toContain("“Friendlier”");
    expect(question?.consequence).toContain("“Report published” emails");
    expect(question?.consequence).toContain("email all admins");
  }
});

it("the one who edits the active template is told that emails follow it", () => {
  expect(statusOf(record("active"), true)).toContain("saving changes the next emails");
  expect(statusOf(record("draft"), true)).toBe("Unsaved changes");
  expect(statusOf(record("active"), false)).toBe("In use: emails are sent as shown");
  expect(statusOf(record("inactive"), false)).toBe("Saved, not in use");
});

it("a template is compared by its fields and lines", () => {
  const lines = ["Name: Friendlier", "Subject: News", "Body:", "One", "Two"];
  expect(linesOf(text, record("draft"))).toEqual(lines);
});

it.each([
  [{}, []],
  [{ name: " ", subject: "", body: "\n" }, ["name", "subject", "body"]],
  [{ name: "x".repeat(101) }, ["name"]],
  [{ subject: "x".repeat(301), body: "x".repeat(100_001) }, ["subject", "body"]],
])("a template with %j has problems in %j", (change, fields) => {
  expect(Object.keys(problemsOf({ ...text, ...change }, record("draft")))).toEqual(fields);
});

describe("the list", () => {
  const item = (kind: string, type: string, id: string, status: string, usage: number) =>
    ({ kind, type, id, status, usage, name: id, subject: `Hello ${type}` }) as TemplateItem;
  const rows = emailRows([
    item("verification", "report", "shipped", "inactive", 1),
    item("verification", "report", "Friendlier", "active", 2),
    item("verification", "report", "Try", "draft", 0),
    item("notice_received", "legal", "shipped", "active", 4),
  ]);
  const none = { type: "", status: "", q: "" };

  it("has one row for each email, with the template that it uses", () => {
    expect(
      rows.map(({ kind, active, isChanged, others, usage }) => [
        kind,
        active.id,
        isChanged,
        others,
        usage,
      ]),
    ).toEqual([
      ["verification", "Friendlier", true, 1, 3],
      ["notice_received", "shipped", false, 0, 4],
    ]);
  });

  it.each([
    [{}, [0, 1]],
    [{ type: "legal" }, [1]],
    [{ status: "changed" }, [0]],
    [{ status: "default" }, [1]],
    [{ status: "others" }, [0]],
    [{ q: " friend" }, [0]],
    [{ q: "CONFIRM A REPORT" }, [0]],
    [{ q: "shipped" }, []],
    [{ q: "hello", type: "report", status: "changed" }, [0]],
  ])("by %j has the rows %j", (change, found) => {
    expect(foundEmails(rows, { ...none, ...change }).map((row) => rows.indexOf(row))).toEqual(
      found,
    );
  });
});
