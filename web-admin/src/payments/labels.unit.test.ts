import { describe, expect, it } from "vitest";
import { RESOLUTION_STAGES, type ResolutionStage } from "#contracts/report/resolution.ts";
import { nextStep } from "./labels.ts";

describe("a fee without a payment", () => {
  it("shows whether it is due, or that nothing was paid", () => {
    const stages = Object.keys(RESOLUTION_STAGES) as ResolutionStage[];
    expect(stages.map((stage) => [stage, nextStep(stage)])).toEqual([
      ["requested", "Due once the letter is accepted"],
      ["letter_accepted", "Due, not received"],
      ["letter_refused", "Nothing was paid"],
      ["withdrawn", "Nothing was paid"],
      ["resolved", "Nothing was paid"],
      ["refunded", "Nothing was paid"],
    ]);
  });
});
