import type { OwnResolution } from "#contracts/http/resolution.ts";
import { isOpenStage, RESOLUTION_FEE_IN_WORDS } from "#contracts/report/resolution.ts";

/** A step on the way to the banner. */
export interface ResolutionStep {
  readonly text: string;
  readonly state: "done" | "now" | "later";
}

const STEPS = [
  "You send the notarized letter",
  "We check the letter",
  `You pay ${RESOLUTION_FEE_IN_WORDS}`,
  "The report shows the banner",
] as const;

/** How many steps are done in each stage. A request that is over starts again. */
const DONE: Readonly<Record<OwnResolution["stage"], number>> = {
  requested: 1,
  letter_accepted: 2,
  letter_refused: 0,
  withdrawn: 0,
  resolved: STEPS.length,
  refunded: 0,
};

/** The way to the banner, and where a report is on it. */
export function stepsOf(resolution: OwnResolution | undefined): ResolutionStep[] {
  const done = resolution ? DONE[resolution.stage] : 0;
  return STEPS.map((text, index) => ({
    text,
    state: index < done ? "done" : index === done ? "now" : "later",
  }));
}

/** Whether the owner can send a letter now. */
export function canAsk(status: string, resolution: OwnResolution | undefined): boolean {
  if (status !== "approved") return false;
  return !resolution || !(isOpenStage(resolution.stage) || resolution.stage === "resolved");
}

/** Whether the owner can take the request back. */
export function canWithdraw(resolution: OwnResolution | undefined): boolean {
  return resolution !== undefined && isOpenStage(resolution.stage);
}
