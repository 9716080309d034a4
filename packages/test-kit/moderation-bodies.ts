import type { ModerationBody, ModerationName } from "#contracts/http/moderation.ts";

/** A body that each moderator's command takes. Revision 0 is a report as it was submitted. */
export const MODERATION_BODIES: { readonly [N in ModerationName]: ModerationBody<N> } = {
  approve: {},
  reject: { reason_code: "no_evidence" },
  status: { status: "under_review" },
  undo: {},
  ask: { question: "Which carrier?" },
  withdrawQuestion: {},
  note: { note: "Looks odd" },
  verify: {},
  edit: { city: "Boulder", middle_initial: null },
  restore: { revision: 0 },
  mask: { revision: 0, places: [{ field: "title", start: 0, end: 8 }] },
  delete: { reason_code: "spam" },
  undoDelete: {},
};
