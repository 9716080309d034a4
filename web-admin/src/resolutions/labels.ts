import type { OpenResolution } from "#contracts/http/resolution.ts";

/** Consequence of the report not being public, by stage. */
const HIDDEN: Readonly<Record<OpenResolution["stage"], string>> = {
  requested: "Not public: you can't accept the letter until it is.",
  letter_accepted: "Not public: the banner will show once it is.",
};

/** Describes the letter and the payment of an open request. */
export function stageText({ stage, is_public }: OpenResolution): {
  readonly letter: string;
  readonly payment: string;
  /** What blocks the request, if anything. */
  readonly hint: string | undefined;
} {
  return {
    letter: stage === "requested" ? "To be checked" : "Accepted",
    payment: stage === "requested" ? "Not due yet" : "Due, not received",
    hint: is_public ? undefined : HIDDEN[stage],
  };
}
