import { describe, expect, it } from "vitest";
import type { TemplateItem, TemplateVersion } from "#contracts/http/admin-templates.ts";
import {
  changedSince,
  filtered,
  happenedTo,
  standingText,
  stepsFor,
  stepWords,
  templateLines,
  templateProblems,
} from "./template-words.ts";

const event = (revision: number, type: string, more: Partial<TemplateVersion> = {}) =>
  ({ revision, type, at: "2026-11-23T20:00:00Z", actor: "Dana Ruiz", ...more }) as TemplateVersion;
const text = { name: "Friendlier", subject: "News", body: "One\nTwo\n" };

describe("the history of a template", () => {
  it.each([
    [event(0, "TemplateCreated"), "Dana Ruiz began this template"],
    [event(1, "TemplateEdited"), "Dana Ruiz saved it"],
    [event(2, "TemplateRestored", { restored: 1 }), "Dana Ruiz restored revision 1"],
    [event(3, "TemplateActivated"), "Dana Ruiz activated it"],
    [event(4, "TemplateDeactivated"), "Dana Ruiz deactivated it"],
    [event(5, "TemplateTested"), "Dana Ruiz had a test mail sent to their own address"],
  ])("says %j", (happened, sentence) => {
    expect(happenedTo([happened])[0]?.sentence).toBe(sentence);
  });

  it("has a sentence for what nobody knows the author of", () => {
    const { actor: _, ...nobody } = event(1, "TemplateEdited");
    expect(happenedTo([nobody])[0]?.sentence).toBe("Somebody saved it");
  });

  it("tells what changed since a revision, which a test mail is not", () => {
    const history = [
      event(0, "TemplateCreated"),
      event(1, "TemplateTested"),
      event(4, "TemplateEdited"),
    ];
    expect(changedSince(history, 0).map(({ revision }) => revision)).toEqual([4]);
  });
});

it("the active template is deactivated, and never deleted", () => {
  expect(stepsFor("active")).toEqual(["deactivate"]);
  expect(stepsFor("inactive")).toEqual(["activate", "delete"]);
  expect(stepsFor("draft")).toEqual(["activate", "delete"]);
});

it("the questions name the kind of mail and who is told", () => {
  for (const name of ["activate", "deactivate"] as const) {
    const { consequence } = stepWords(name, "approved");
    expect(consequence).toContain("Mails “Report published”");
    expect(consequence).toContain("All admins are mailed");
  }
  expect(stepWords("delete", "approved").title("Friendlier")).toBe("Delete “Friendlier” for good?");
});

it("whoever edits the active template is told that mails follow it", () => {
  expect(standingText("active", true)).toContain("mails read so");
  expect(standingText("draft", true)).toBe("Changes that are not saved");
  expect(standingText("active", false)).toBe("Mails read as it is here");
  expect(standingText("inactive", false)).toBe("Saved, not mailed");
});

it("a template is compared by its fields and lines", () => {
  expect(templateLines(text)).toEqual(["Name: Friendlier", "Subject: News", "Body:", "One", "Two"]);
});

it.each([
  [{}, []],
  [{ name: " ", subject: "", body: "\n" }, ["name", "subject", "body"]],
  [{ name: "x".repeat(101) }, ["name"]],
  [{ subject: "x".repeat(301), body: "x".repeat(100_001) }, ["subject", "body"]],
])("a template with %j has problems in %j", (change, fields) => {
  expect(Object.keys(templateProblems({ ...text, ...change }))).toEqual(fields);
});

describe("the list", () => {
  const items = [
    { kind: "verification", type: "report", name: "Shipped template", status: "inactive" },
    { kind: "verification", type: "report", name: "Friendlier", status: "active" },
    { kind: "notice_received", type: "legal", name: "Shipped template", status: "active" },
  ].map((item) => ({ ...item, subject: "Hello" })) as unknown as readonly TemplateItem[];
  const none = { type: "", status: "", q: "" };

  it.each([
    [{}, [0, 1, 2]],
    [{ type: "legal" }, [2]],
    [{ status: "active" }, [1, 2]],
    [{ q: " friend" }, [1]],
    [{ q: "CONFIRM A REPORT" }, [0, 1]],
    [{ q: "hello", type: "report", status: "active" }, [1]],
    [{ q: "nothing" }, []],
  ])("by %j has the rows %j", (change, rows) => {
    expect(filtered(items, { ...none, ...change }).map((item) => items.indexOf(item))).toEqual(
      rows,
    );
  });
});
