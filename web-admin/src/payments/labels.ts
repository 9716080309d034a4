import type { ResolutionStage } from "#contracts/report/resolution.ts";

/** Describes what a fee without a payment is waiting for, or why none is due. */
export function nextStep(stage: ResolutionStage): string {
  switch (stage) {
    case "requested":
      return "Due once the letter is accepted";
    case "letter_accepted":
      return "Due, not received";
    default:
      return "Nothing was paid";
  }
}
