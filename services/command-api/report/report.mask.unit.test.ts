import { describe, expect, it } from "vitest";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { masker } from "#contracts/report/private-text/mask-places.ts";
import { reportSubmitted } from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";

const moment = { now: "2026-11-21T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const PHONE = "303 555 0142";
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
const keys = ["text-r-0"];
const masking = (report: ReportState | undefined) =>
  decideReport(
    report,
    { type: "MaskText", body: { revision: 0 }, masked: { texts: [PHONE], keys } },
    moment,
  );

describe("masking private text", () => {
  it("writes every free text as it reads now, names what changed, and the keys", () => {
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

  it("changes nothing else of the report", () => {
    const after = masking(state).reduce<ReportState | undefined>(evolveReport, state);
    const texts = { title: "", description: "", chargebacks: [] };
    expect({ ...after?.personal, ...texts }).toEqual({ ...state.personal, ...texts });
    expect({ ...after, personal: null }).toEqual({ ...state, personal: null });
  });

  it("is refused where no key has the text, and for a deleted report", () => {
    const command = { type: "MaskText", body: { revision: 0 } } as const;
    const nothing = { ...command, masked: { texts: [PHONE], keys: [] } };
    expect(() => decideReport(state, nothing, moment)).toThrow("masked in the meantime");
    expect(() => masking({ ...state, status: "deleted" })).toThrow("deleted");
  });
});

describe("a masked place", () => {
  it.each([
    ["quinn@mail.example", "q***@***"],
    ["(303) 555-0142", "(***) ***-****"],
    ["4111-1111-1111-1111", "****"],
    ["Zoë Núñez", "****"],
  ])("keeps the shape of %s alone", (text, mask) => {
    expect(masker([text])(`a ${text}, b`)).toBe(`a ${mask}, b`);
  });
});
