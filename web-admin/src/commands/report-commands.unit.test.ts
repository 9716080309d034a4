import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { moderation } from "#contracts/http/moderation.ts";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { maskBody, PAGE_COMMANDS, type PageCommand } from "./report-commands.ts";

const commands = Object.entries<PageCommand>(PAGE_COMMANDS);
type Name = keyof typeof PAGE_COMMANDS;
const CHANGE_STATUS = ["approve", "reject", "review", "reopen"] as const;
const offered = (names: readonly Name[], report: Partial<AdminReportDetail>) =>
  names.filter((name) => PAGE_COMMANDS[name].offered(report as AdminReportDetail));

describe("report page commands", () => {
  it.each([
    ["pending", ["approve", "reject", "review"]],
    ["under_review", ["approve", "reject", "reopen"]],
    ["approved", ["reject", "review", "reopen"]],
    ["rejected", ["approve", "review", "reopen"]],
  ] as const)(
    "offer the changes from status %s, and verification only if unverified",
    (status, changes) => {
      const always = ["mask", "delete"] as const;
      const names = [...CHANGE_STATUS, "verify", ...always] as const;
      expect(offered(names, { status, verified: true })).toEqual([...changes, ...always]);
      const unverified = offered(names, { status, verified: false });
      expect(unverified).toEqual([...changes, "verify", ...always]);
    },
  );

  it("offer a question to the reporter only if the server allows it", () => {
    const names = ["ask", "withdrawQuestion"] as const;
    const report = { status: "pending", not_askable: "A reason" } as const;
    expect(offered(names, { status: "pending" })).toEqual(["ask"]);
    expect(offered(names, report)).toEqual([]);
    const asked_until = "2026-12-23T10:00:00.000Z";
    expect(offered(names, { ...report, asked_until })).toEqual(["withdrawQuestion"]);
  });

  it("leave the status of a held report to its notice", () => {
    const held = { status: "under_review", verified: true, held: true } as const;
    expect(offered([...CHANGE_STATUS, "mask", "delete"], held)).toEqual(["mask", "delete"]);
  });

  it("have unique labels, and keys that nothing else on the page uses", () => {
    // A question is either sent or withdrawn: only one of the two is ever offered.
    const keys = commands.flatMap(([name, { key }]) =>
      name === "withdrawQuestion" ? [] : (key ?? []),
    );
    const others = [..."EHJKNVWZ"];
    expect(new Set([...keys, ...others]).size).toBe(keys.length + others.length);
    expect(new Set(commands.map(([, { label }]) => label)).size).toBe(commands.length);
  });

  it.each(commands)("match the contract, including every choice of a dialog: %s", (_, command) => {
    const { name, asks } = command;
    // The page adds the report's revision and the selection to a mask.
    const body = name === "mask" ? { revision: 1 } : command.body;
    const fields = asks?.fields?.({}) ?? [];
    const choice = fields.find(({ choices }) => choices);
    const typed = fields.map(({ source }) => [source, "A reason"]);
    for (const code of Object.keys(choice?.choices ?? { none: "" })) {
      const answer = { ...Object.fromEntries(typed), ...(choice && { [choice.source]: code }) };
      const sent = { ...body, ...answer };
      expect([sent, Check(moderation(name).body, sent)]).toEqual([sent, true]);
    }
  });
});

const report = {
  revision: 4,
  first_name: "Quinn",
  title: "Charged back",
  chargebacks: [{ notes: "Pays with 4111 1111 1111 1111" }],
};

describe("the text that the console asks to mask", () => {
  it("is the selected text, at its offsets in a field", () => {
    expect(maskBody(report, " 4111 1111 1111 1111 ")).toEqual({
      revision: 4,
      places: [{ field: "chargebacks.0.notes", start: 10, end: 29 }],
    });
  });

  it.each([
    ["Rae Holt first", "moderator_notes.1.note", 4],
    ["Rae Holt of Reno", "questions.0.answer", 3],
    ["Holt, again", "rejection_reason", 5],
    ["Holt's letter", "resolution.refusal", 0],
  ])("can be in a text attached to the report: %s", (selected, field, start) => {
    const around = {
      ...report,
      moderator_notes: [{ note: "None" }, { note: "Ask Rae Holt first" }],
      questions: [{ question: "Who?", answer: "By Rae Holt of Reno" }],
      rejection_reason: "Says Holt, again",
      resolution: { refusal: "Holt's letter" },
    };
    const { places } = maskBody(around, selected);
    expect(places).toEqual([{ field, start, end: start + selected.length }]);
  });

  it.each(["", "11", "Quinn", "Not there"])(
    "is everything that looks private unless text of the report is selected: %j",
    (selected) => {
      expect(maskBody(report, selected)).toEqual({ revision: 4 });
    },
  );
});
