import type { Random } from "./random.ts";

/** What can happen to a report, from the point of view of whoever does it. */
export type Step =
  | "submit"
  | "submit_confirmed"
  | "resend"
  | "correct"
  | "ask"
  | "answer"
  | "withdraw_question"
  | "note"
  | "verify_by_link"
  | "verify_by_hand"
  | "withdraw"
  | "view"
  | "edit"
  | "review"
  | "unsubscribe"
  | "approve"
  | "reject"
  | "undo"
  | "claim"
  | "disown"
  | "publish"
  | "hide"
  | "take_down"
  | "put_back"
  | "request_banner"
  | "decide_banner"
  | "delete"
  | "erase";

/** A step and when it happens, counted in submissions after the report's own. */
export interface PlannedStep {
  readonly step: Step;
  readonly after: number;
}

/** Mean waits, counted in submissions of other reports. */
export interface Pace {
  readonly verify: number;
  readonly decide: number;
}

/**
 * The life of a report as in a real registry: four in five are verified and nearly all are decided,
 * three in four of these approved. Moderators open a quarter of them, edit an eighth and take
 * longer over a tenth; some are decided a second time, some deleted.
 */
export function planSteps(random: Random, pace: Pace): PlannedStep[] {
  /** By an account that has confirmed the address: there is nothing to correct and to confirm. */
  const isConfirmed = random.chance(0.04);
  const steps: PlannedStep[] = [{ step: isConfirmed ? "submit_confirmed" : "submit", after: 0 }];
  let after = 0;
  const then = (share: number, mean: number, step: Step) => {
    if (!random.chance(share)) return false;
    after += random.wait(mean);
    steps.push({ step, after });
    return true;
  };
  if (!isConfirmed) {
    then(0.02, pace.verify / 10, "correct");
    then(0.08, pace.verify, "resend");
  }
  const verified =
    isConfirmed ||
    then(0.78, pace.verify, "verify_by_link") ||
    then(0.1, pace.decide, "verify_by_hand");
  if (verified) then(0.005, pace.decide, "withdraw");
  if (verified && then(0.03, pace.decide / 2, "ask"))
    if (!then(0.6, pace.verify, "answer")) then(0.5, pace.decide / 10, "withdraw_question");
  then(0.05, pace.decide / 2, "note");
  then(0.25, pace.decide / 2, "view");
  then(0.12, pace.decide / 10, "edit");
  then(0.1, pace.decide / 10, "review");
  then(0.02, pace.decide, "unsubscribe");
  if (then(0.015, pace.decide, "approve")) {
    // Half the time between two reports, and so within the minute in which it can be undone.
    after += 0.5;
    steps.push({ step: "undo", after });
  }
  const approved = then(0.74, pace.decide, "approve");
  if (approved) {
    const published = then(0.2, pace.decide, "publish");
    if (then(published ? 0.2 : 0.03, pace.decide, "take_down")) then(0.9, pace.decide, "put_back");
    if (published) then(0.1, pace.decide, "hide");
    then(0.04, pace.decide, "edit");
    then(0.02, pace.decide, "reject");
  } else if (then(0.85, pace.decide, "reject")) then(0.05, pace.decide, "approve");
  if (then(0.02, pace.decide, "claim")) then(0.5, pace.decide, "disown");
  if (approved && then(0.02, pace.decide, "request_banner"))
    for (const _ of [1, 2, 3, 4]) then(0.9, pace.decide, "decide_banner");
  if (then(0.03, pace.decide * 2, "delete")) then(0.9, pace.decide, "erase");
  return steps;
}
