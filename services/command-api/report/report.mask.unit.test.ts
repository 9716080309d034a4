import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { masker } from "#contracts/report/private-text/mask-places.ts";
import { reporterAsked, reportSubmitted, resolutionRequested } from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";

const moment = { now: "2026-11-21T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const PHONE = "303 555 0142";
const QUESTION = "22222222-2222-4222-8222-222222222222";
const note = (text: string): ReportEvent => ({
  type: "ModeratorNoteWritten",
  data: { personal: { note: text } },
});
const state = evolveReport(
  undefined,
  reportSubmitted({
    clear: { chargebacks: [{ amount_cents: 1010 }] },
    personal: {
      title: "Charged back",
      description: `Call (303) 555-0142, not 303 555 01429 or 1303 555 0142. ${PHONE}.`,
      chargebacks: [{ order_id: "A-1", notes: `From ${PHONE}` }],
    },
    reporter: { public_username: "Rowan Imports" },
  }),
);
const keys = ["text-r-0", "text-r-2"];
const masking = (report: ReportState | undefined) =>
  decideReport(
    report,
    { type: "MaskText", body: { revision: 0 }, masked: { texts: [PHONE], keys } },
    moment,
  );

describe("masking private text", () => {
  it("writes every free text as it now reads, the changed fields, and the keys", () => {
    expect(masking(state)).toEqual([
      {
        type: "ReportTextMasked",
        data: {
          fields: ["description", "chargebacks"],
          keys,
          personal: {
            set: expect.objectContaining({
              title: "Charged back",
              description:
                "Call (***) ***-****, not 303 555 01429 or 1303 555 0142. (***) ***-****.",
              chargebacks: [{ order_id: "A-1", notes: "From (***) ***-****" }],
            }),
          },
          reporter: { set: { public_username: "Rowan Imports" } },
        },
      },
    ]);
  });

  it("changes nothing else in the report", () => {
    const after = masking(state).reduce<ReportState | undefined>(evolveReport, state);
    const texts = { title: "", description: "", chargebacks: [] };
    expect({ ...after?.personal, ...texts }).toEqual({ ...state.personal, ...texts });
    expect({ ...after, personal: null }).toEqual({ ...state, personal: null });
  });

  it("is refused if no key has the text, and for a deleted report", () => {
    const command = { type: "MaskText", body: { revision: 0 } } as const;
    const nothing = { ...command, masked: { texts: [PHONE], keys: [] } };
    expect(() => decideReport(state, nothing, moment)).toThrow("masked in the meantime");
    expect(() => masking({ ...state, status: "deleted" })).toThrow("deleted");
  });
});

describe("masking private text around a report", () => {
  const text = `Call ${PHONE}, please`;
  const masked = "Call (***) ***-****, please";
  const question = reporterAsked(QUESTION, "2026-12-21T10:00:00.000Z", text);
  const events = [
    note("Nothing private"),
    note(text),
    question,
    { type: "ReporterAnswered", data: { question_id: QUESTION, reporter: { answer: text } } },
    ...resolutionRequested(QUESTION, QUESTION),
    {
      type: "ResolutionLetterRefused",
      data: { request_id: QUESTION, personal: { reason: text } },
    },
    {
      type: "ReportRejected",
      data: {
        from: "pending",
        verified: true,
        reason_code: "private_data",
        personal: { reason: text },
      },
    },
  ] as readonly ReportEvent[];
  const before = events.reduce<ReportState | undefined>(evolveReport, state);

  it("changes each occurrence, and nothing else", () => {
    const [event] = masking(before);
    expect(event).toMatchObject({ data: { rejection_code: "private_data" } });
    // The reporter's own texts are erased with the reporter.
    expect(event).toHaveProperty("data.reporter.around", [
      { path: "questions.0.answer", text: masked },
    ]);
    const after = evolveReport(before, event as ReportEvent);
    expect(after).toEqual({
      ...before,
      personal: after.personal,
      moderator_notes: [{ note: "Nothing private" }, { note: masked }],
      questions: [{ ...before?.questions[0], question: masked, answer: masked }],
      resolution: { ...before?.resolution, refusal: masked },
      rejection_reason: masked,
    });
  });

  it("doesn't bring back a reason that has been replaced", () => {
    const decided = { type: "ReportApproved", data: { from: "pending", verified: true } } as const;
    const approved = evolveReport(before, decided);
    const after = masking(approved).reduce(evolveReport, approved);
    expect(after).toMatchObject({ rejection_reason: null, rejection_code: null });
  });
});

describe("masked text", () => {
  it.each([
    ["quinn@mail.example", "q***@***"],
    ["(303) 555-0142", "(***) ***-****"],
    ["+1 (303) 555-0142", "(***) ***-****"],
    ["+1 303 555 0142", "(***) ***-****"],
    ["+44 20 7946 0958", "(***) ***-****"],
    ["GB82 WEST 1234 5698 7654 32", "****5432"],
    ["4111-1111-1111-1111", "****"],
    ["Zoë Núñez", "****"],
  ])("keeps only the shape of %s", (text, mask) => {
    expect(masker([text])(`a ${text}, b (${text})`)).toBe(`a ${mask}, b (${mask})`);
  });

  it("includes the plus and parentheses before it, however the selected text was written", () => {
    const mask = masker(["1 303 555 0142", "Quinn", "44 20 7946 0958"]);
    expect(mask("+1 (303) 555-0142 or (+44) 20 7946 0958")).toBe("(***) ***-**** or ****");
    expect(mask("(1) 303 555 0142 (or +1 303 555 0142)")).toBe(
      "(***) ***-**** (or (***) ***-****)",
    );
    expect(mask("Ann+Quinn (Quinn), Rae + Quinn")).toBe("Ann+**** (****), Rae + ****");
  });
});
