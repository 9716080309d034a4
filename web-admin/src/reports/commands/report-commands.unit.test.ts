import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { moderation } from "#contracts/http/moderation.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { PAGE_COMMANDS, type PageCommand } from "./report-commands.ts";

const commands = Object.entries<PageCommand>(PAGE_COMMANDS);
const offeredFor = (report: Partial<AdminReport>) =>
  commands.filter(([, { offered }]) => offered(report as AdminReport)).map(([name]) => name);

describe("the commands of a report's page", () => {
  it.each([
    ["pending", ["approve", "reject", "review"], ["ask"]],
    ["under_review", ["approve", "reject", "reopen"], ["ask"]],
    ["approved", ["reject", "review", "reopen"], []],
    ["rejected", ["approve", "review", "reopen"], []],
  ] as const)(
    "lead away from the status %s, ask, and verify what is not verified",
    (status, lead, asks) => {
      expect(offeredFor({ status, verified: true })).toEqual([...lead, ...asks, "note", "delete"]);
      const asked_until = "2026-12-23T10:00:00.000Z";
      const waiting = asks.length > 0 ? ["withdrawQuestion"] : [];
      if (waiting.length > 0)
        expect(offeredFor({ status, verified: true, asked_until })).toEqual([
          ...lead,
          ...waiting,
          "note",
          "delete",
        ]);
      expect(offeredFor({ status, verified: false })).toEqual([
        ...lead,
        "note",
        "verify",
        "delete",
      ]);
    },
  );

  it("leave the status of a held report to its notice", () => {
    const held = { status: "under_review", verified: true, held: true } as const;
    expect(offeredFor(held)).toEqual(["note", "delete"]);
  });

  it("have different labels, and keys that no link of the page has", () => {
    const keys = commands.flatMap(([, { key }]) => key ?? []);
    expect(new Set([...keys, "E", "H", "N"]).size).toBe(keys.length + 3);
    expect(new Set(commands.map(([, { label }]) => label)).size).toBe(commands.length);
  });

  it.each(commands)(
    "send what the contract takes, every choice of a dialog included: %s",
    (_, command) => {
      const { name, body, asks } = command;
      const answers = asks ? Object.keys(asks.choices ?? { "A reason": "" }) : [undefined];
      for (const answer of answers) {
        const sent = { ...body, ...(asks ? { [asks.field]: answer } : {}) };
        expect([sent, Check(moderation(name).body, sent)]).toEqual([sent, true]);
      }
    },
  );
});
