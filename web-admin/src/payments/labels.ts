import type { ResolutionStage } from "#contracts/report/resolution.ts";

/** What a fee without a payment waits for, or why there is none. */
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
