import type { ModerationBody, ModerationName } from "#contracts/http/moderation.ts";

/** A valid body for each moderator command. Revision 0 is the report as submitted. */
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
