import { describe, expect, it } from "vitest";
import type { StaffResolution } from "#contracts/http/resolution.ts";
import { RESOLUTION_STAGES, type ResolutionStage } from "#contracts/report/resolution.ts";
import { actionsFor, refundOf } from "./ResolutionSection.tsx";

const PAID = {
  payment_id: "one",
  method: "check",
  paid: { currency: "USD", amount: 250 },
  reference: "Check 7",
  refunded: false,
} as const;
const atStage = (stage: ResolutionStage): StaffResolution => ({
  request_id: "request",
  stage,
  fee: { currency: "USD", amount: 250 },
  changed_at: "2026-11-23T10:00:00.000Z",
  payments: stage === "resolved" ? [PAID] : [],
});

describe("actions on a request for the RESOLVED banner", () => {
  it("are the next steps of each stage", () => {
    const offered = Object.keys(RESOLUTION_STAGES).map((stage) => [
      stage,
      actionsFor(atStage(stage as ResolutionStage)).map(({ command }) => command),
    ]);
    expect(Object.fromEntries(offered)).toEqual({
      requested: ["accept", "refuse"],
      letter_accepted: ["pay"],
      letter_refused: [],
      withdrawn: [],
      resolved: ["pay"],
      refunded: [],
    });
  });

  it("flag a second payment, but not the first", () => {
    const [first] = actionsFor(atStage("letter_accepted"));
    const [second] = actionsFor(atStage("resolved"));
    expect(first?.body).toEqual({ request_id: "request" });
    expect(second?.body).toEqual({ request_id: "request", again: true });
  });

  it("tell staff whether a refund removes the banner", () => {
    const resolution = atStage("resolved");
    expect(refundOf(resolution, PAID).consequence).toContain("the banner is removed");
    const twice = { ...resolution, payments: [PAID, { ...PAID, payment_id: "two" }] };
    expect(refundOf(twice, PAID).consequence).toContain("the banner stays");
    expect(refundOf(twice, PAID).body).toEqual({ payment_id: "one" });
  });
});
