import { describe, expect, it } from "vitest";
import { DomainError } from "#contracts/domain-error.ts";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { MODERATION, MODERATION_NAMES, type ModerationName } from "#contracts/http/moderation.ts";
import { reporterAsked, reportSubmitted, verifiedByLink } from "#test-kit/report-events.ts";
import type { PreparedReportCommand } from "./report.commands.ts";
import { decideReport } from "./report.decider.ts";
import { COMMAND_TEXTS } from "./report.mask.ts";
import { restoringEdit } from "./report.restore.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const moment = { now: "2026-11-23T10:00:00.000Z", newId: ID };
const CARD = "4111 1111 1111 1111";
const text = `He used ${CARD}.`;
const events = [reportSubmitted(), verifiedByLink()];
const fold = (all: typeof events) => all.reduce(evolveReport, undefined as never);
const asked = fold([...events, reporterAsked(ID, "2026-12-23T10:00:00.000Z") as never]);

function refusal(command: PreparedReportCommand, state = fold(events)): DomainError | undefined {
  try {
    decideReport(state, command, moment);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  return undefined;
}

interface Schema {
  readonly type?: string;
  readonly pattern?: string;
  readonly enum?: unknown;
}

/** Free-text fields of a moderator's command. */
function textsOf(name: ModerationName): string[] {
  const properties = MODERATION[name].body.properties as Readonly<Record<string, Schema>>;
  return Object.entries(properties).flatMap(([field, { type, pattern, enum: codes }]) =>
    type === "string" && !codes && (pattern === undefined || pattern === "\\S") ? [field] : [],
  );
}

describe("a command with a card number in its text", () => {
  const named = MODERATION_NAMES.filter((name) => name !== "edit").flatMap((name) =>
    textsOf(name).map((field) => [name, field] as const),
  );

  it.each(named)("is refused: %s, %s", (name, field) => {
    const body = { status: "rejected", [field]: text };
    const error = refusal({ type: MODERATION[name].type, body } as PreparedReportCommand);
    expect(error?.code).toBe("invalid_request");
    expect(error?.fields).toEqual({
      [field]: `${COMMAND_TEXTS[field]} contains what looks like a card number: "4111 … 1111". Remove it.`,
    });
    expect(JSON.stringify([error?.message, error?.fields])).not.toContain(CARD);
  });

  it("is refused as an answer, and as a reason for an edit, a takedown or hiding a file", () => {
    const commands = [
      { type: "AnswerQuestion", questionId: ID, answer: text },
      { type: "EditReport", body: { status: "rejected", reason: text } },
      { type: "TakeDownMaterial", noticeId: ID, reason: text },
      { type: "HideEvidence", copyId: ID, reason: text },
      { type: "DeleteEvidence", fileId: ID, body: { reason: text } },
      { type: "RefuseLetter", body: { request_id: ID, reason: text } },
    ] as readonly PreparedReportCommand[];
    for (const command of commands) {
      const [field] = Object.keys(refusal(command, asked)?.fields ?? {});
      expect(field, command.type).toMatch(/^(answer|reason)$/);
    }
  });

  it("is accepted if it is the report's own order number", () => {
    const { personal } = reportSubmitted().data as never as { personal: { report: object } };
    const ordered = structuredClone(reportSubmitted()) as never as {
      data: { personal: { report: object } };
    };
    ordered.data.personal.report = { ...personal.report, tracking_number: CARD };
    const state = fold([ordered as never, verifiedByLink()]);
    expect(refusal({ type: "WriteNote", body: { note: text } }, state)).toBeUndefined();
    expect(refusal({ type: "WriteNote", body: { note: "SSN 219-09-9999" } }, state)).toBeDefined();
  });

  it("is refused if it restores a version that contains it", () => {
    const then = evolveReport(undefined as never, reportSubmitted({ personal: { title: text } }));
    const changes = restoringEdit(then, fold(events));
    const command = { type: "RestoreReport", body: { revision: 0 }, changes } as const;
    expect(Object.keys(refusal(command)?.fields ?? {})).toEqual(["title"]);
  });

  it("is refused in every text of a report, and in an edit that removes the matching order number", () => {
    const edit = (body: object, state = fold(events)) =>
      Object.keys(refusal({ type: "EditReport", body } as never, state)?.fields ?? {});
    expect(edit({ title: text })).toEqual(["title"]);
    expect(edit({ notes: text, public_username: text })).toEqual(["notes", "public_username"]);
    expect(edit({ chargebacks: [{ amount: 1, notes: text }] })).toEqual(["chargebacks.0.notes"]);
    expect(edit({ description: text, tracking_number: CARD })).toEqual([]);
    const ordered = decideReport(
      fold(events),
      { type: "EditReport", body: { description: text, tracking_number: CARD } },
      moment,
    );
    const state = [...events, ...ordered].reduce(evolveReport, undefined as never);
    expect(edit({ tracking_number: null }, state)).toEqual(["description"]);
    expect(edit({ city: "Boulder" }, state)).toEqual([]);
  });
});
