import { given } from "#contracts/given.ts";
import type { OwnReport } from "#contracts/http/own-reports.ts";

/** A step of a report, done at a time that is known or not, or still to come. */
export interface Step {
  readonly text: string;
  /** RFC 3339; absent for what is still to come, and where the time is not told. */
  readonly at?: string;
}

/** How a report came to where it stands, and what is next. */
export function timelineOf(report: OwnReport): Step[] {
  const { status, verified, created_at, decided_at, question } = report;
  const steps: Step[] = [{ text: "Submitted", at: created_at }];
  const isDecided = status === "approved" || status === "rejected";
  if (verified) steps.push({ text: "Address confirmed" });
  if (question) {
    steps.push({ text: "A moderator asked a question", at: question.asked_at });
    if (question.state === "answered")
      steps.push({ text: "You answered", ...given({ at: question.ended_at }) });
  }
  if (isDecided) {
    const text = status === "approved" ? "Approved" : "Rejected";
    return [...steps, { text, ...given({ at: decided_at }) }];
  }
  if (status === "under_review") steps.push({ text: "In review" });
  // What is asked of the reporter stands last, as it is still to come.
  if (question?.state === "open")
    steps.push({ text: "Next: answer it above or with the link in our email" });
  else if (!verified) steps.push({ text: "Next: confirm the address with the link in our email" });
  else if (status === "pending") steps.push({ text: "Awaiting review" });
  return steps;
}
