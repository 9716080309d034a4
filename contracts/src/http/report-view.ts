import { type Static, type TProperties, type TSchema, Type } from "typebox";
import { shownChargebackSchemas, viewSchemas } from "../report/derive/view.ts";
import {
  AdditionalChargeback,
  codes,
  partial,
  ReportId,
  reportFields,
  strict,
} from "../report/fields.ts";
import { MAX_QUESTIONS } from "../report/reporter-rules.ts";
import { REPORT_STATUSES, REPORT_TYPES } from "../report/words.ts";
import { reply } from "./envelope.ts";
import { PublishedEvidenceList, ReportFile } from "./evidence.ts";
import { StaffResolution } from "./resolution.ts";

const f = reportFields;
const opt = Type.Optional;

const Time = Type.String({ description: "RFC 3339, UTC" });

/** Deletions that can be undone or need a second admin, for admins. */
export const DELETIONS = "/prod/api/admin/deletions";

/** Maximum number of each kind in a reply. */
export const LISTED_DELETIONS = 200;

/** Who requested a deletion, when, and why. */
export const DeletionAsked = strict({
  /** The account; `system` after a restore. */
  by: Type.String(),
  /** First and last name; absent once the account is erased. */
  by_name: opt(Type.String()),
  at: Time,
  reason_code: Type.String(),
});
export type DeletionAsked = Static<typeof DeletionAsked>;

/** A report that is deleted, or whose deletion was requested. */
export const Deletion = strict({
  ...DeletionAsked.properties,
  id: ReportId,
  first_name: Type.String(),
  last_name: Type.String(),
  title: Type.String(),
  report_type: codes(REPORT_TYPES),
  /** Current status, or the one that undoing the deletion restores. */
  status: codes(REPORT_STATUSES),
  /** When it will be erased; absent while the deletion is waiting for another admin. */
  erase_at: opt(Time),
  /** Set if the report concerns the reader, who cannot decide about it. */
  own: opt(Type.Literal(true)),
});
export type Deletion = Static<typeof Deletion>;

/** GET: deletions waiting for another admin, then deleted reports, earliest erasure first. */
export const DeletionsReply = reply(
  strict({
    deletions: Type.Array(Deletion, { maxItems: 2 * LISTED_DELETIONS }),
    /** Whether there are more than these. */
    has_more: Type.Boolean(),
  }),
);
export type Deletions = Static<typeof DeletionsReply>["data"];

/** A sum of money in one currency. */
export const Total = strict({ currency: f.currency, amount: Type.Number() });

/** An additional chargeback without hidden fields. */
export const ShownChargeback = strict(shownChargebackSchemas());
export type ShownChargeback = Static<typeof ShownChargeback>;

const summary = {
  id: Type.String({ format: "uuid" }),
  report_type: f.report_type,
  seo_title: Type.String(),
  ...viewSchemas("list"),
  status: codes(REPORT_STATUSES),
  verified: Type.Boolean(),
  /** Whether it shows the RESOLVED banner. `resolution_status` is the reporter's own statement. */
  resolved: Type.Boolean(),
  ...viewSchemas("reporter"),
  created_at: Time,
  /** `created_at` in whole seconds since 1970. */
  timestamp: Type.Integer(),
  view_count: Type.Integer(),
  /** Always 0, because the registry does not accept rebuttals yet. */
  rebuttal_count: Type.Integer(),
  /** Number of approved reports about this person, this one included; 1 when the person is unknown. */
  report_count: Type.Integer(),
  is_habitual_offender: Type.Boolean(),
  /** What the person owes over all approved reports; only for habitual offenders. */
  offender_totals: opt(Type.Array(Total)),
};

/** A report in a public list. */
export const ReportSummary = strict(summary);
export type ReportSummary = Static<typeof ReportSummary>;

/** Part of a text; `hit` marks what the search matched. */
export const Segment = strict({ text: Type.String(), hit: Type.Boolean() });

/** A search result: a summary, why it matched, and the texts with their hits marked. */
export const SearchHit = strict({
  ...summary,
  match: opt(Type.Enum(["exact", "nickname", "phonetic", "fuzzy", "text"])),
  highlights: opt(
    partial({
      name: Type.Array(Segment),
      title: Type.Array(Segment),
      description: Type.Array(Segment),
      city: Type.Array(Segment),
    }),
  ),
});
export type SearchHit = Static<typeof SearchHit>;

const detail = {
  ...summary,
  ...viewSchemas("page"),
  chargebacks: Type.Array(ShownChargeback),
  approved_at: opt(Time),
  updated_at: Time,
};

/** A report's public page. */
export const ReportDetail = strict({
  ...detail,
  /** Pictures of evidence that an admin published, in order of publication. */
  evidence: PublishedEvidenceList,
  /** Path of the published picture of the check; null if there is none. */
  check_image_url: Type.Union([Type.String(), Type.Null()]),
  /** What an offender's reports have in common: "email", "phone", "card", ... */
  offender_shares: opt(Type.Array(Type.String())),
  /** The person's other approved reports, newest first. */
  other_reports: Type.Array(
    strict({ seo_title: Type.String(), title: Type.String(), created_at: Time }),
  ),
});
export type ReportDetail = Static<typeof ReportDetail>;

/** What moderators see of a report in any status. */
const moderated = {
  ...detail,
  /** Null before the first approval: a report that was never public has no URL. */
  seo_title: Type.Union([Type.String(), Type.Null()]),
  ...viewSchemas("staff"),
  origin: Type.Enum(["live", "sample"]),
  /** Deadline for the reporter's answer, while one is awaited. */
  asked_until: opt(Time),
  /** When the reporter answered the last question; absent after a decision or another question. */
  answered_at: opt(Time),
  /** Set while a DMCA notice keeps it from being public. Its status cannot change until then. */
  held: opt(Type.Literal(true)),
  /**
   * Set if it concerns the admin who reads it, who can neither open nor decide it. Only in the console's list and
   * page.
   */
  own: opt(Type.Literal(true)),
  /** Revision of the report's stream that this row shows. */
  revision: Type.Integer(),
};

/** A report in a moderator's list. */
export const AdminReport = strict(moderated);
export type AdminReport = Static<typeof AdminReport>;

/** How the first names, or the last names, of two reports differ. */
export const NameDifference = strict({
  kind: Type.Enum(["same", "nickname", "sounds_alike", "letters", "different"]),
  /** How many letters they differ by, if only a few. */
  letters: opt(Type.Integer()),
});
export type NameDifference = Static<typeof NameDifference>;

/** Another report that shares an identifier, so it may be about the same person. */
export const PossibleMatch = strict({
  id: Type.String({ format: "uuid" }),
  first_name: Type.String(),
  last_name: Type.String(),
  title: Type.String(),
  status: codes(REPORT_STATUSES),
  created_at: Time,
  /** What the two have in common: "email", "phone", "card", "bank account", "street and ZIP". */
  shares: Type.Array(Type.String()),
  /** What both have but do not share, in the same words. */
  differs: Type.Array(Type.String()),
  first_name_differs: NameDifference,
  last_name_differs: NameDifference,
});

/** A question to the reporter, and its outcome. */
const AskedQuestion = strict({
  state: Type.Enum(["open", "answered", "withdrawn", "closed"]),
  asked_at: Time,
  expires_at: Time,
  ended_at: opt(Time),
  /** Absent once the person is erased. */
  question: opt(Type.String()),
  /** Absent until answered, and once the reporter is erased. */
  answer: opt(Type.String()),
});

const ModeratorNote = strict({
  note: Type.String(),
  at: Time,
  /** First and last name of its author; absent once the account is erased. */
  by: opt(Type.String()),
});

/** A DMCA notice that keeps a report, or one published picture of it, from being public. */
const NoticeHold = strict({
  notice_id: Type.String({ format: "uuid" }),
  /** Number of the notice. */
  number: Type.String(),
  since: Time,
  /** The picture; absent if the notice is about the report. */
  copy_id: opt(Type.String({ format: "uuid" })),
});
export type NoticeHold = Static<typeof NoticeHold>;

/** A report's page in the console. */
export const AdminReportDetail = strict({
  ...moderated,
  /** Present while its deletion is waiting for another admin. */
  deletion_request: opt(DeletionAsked),
  /** Holds on the report, then on its pictures; oldest first. */
  holds: Type.Array(NoticeHold),
  /** Moderators' internal notes, oldest first. */
  moderator_notes: Type.Array(ModeratorNote),
  /** Moderators' questions to the reporter, oldest first. */
  questions: Type.Array(AskedQuestion, { maxItems: MAX_QUESTIONS }),
  /** Why the reporter cannot be asked now: a sentence without its period; absent if they can. */
  not_askable: opt(Type.String()),
  /** Present while it is rejected. */
  rejection_reason: opt(Type.String()),
  /** Its files that are not erased, oldest first. A reveal adds names and sizes. */
  files: Type.Array(ReportFile),
  /** The latest request for the RESOLVED banner. */
  resolution: opt(StaffResolution),
  /** Those that share the most first, then the nearest names, then the newest; at most 50. */
  possible_matches: Type.Array(PossibleMatch, { maxItems: 50 }),
  /** Whether there are more than these. */
  has_more_matches: Type.Boolean(),
});
export type AdminReportDetail = Static<typeof AdminReportDetail>;

/** Removes length limits from texts, because values that were once accepted are returned unchanged. */
function asStored<P extends TProperties>(properties: P): P {
  const stored = (schema: TSchema) => {
    if (!Type.IsString(schema)) return schema;
    return Type.IsOptional(schema) ? opt(Type.String()) : Type.String();
  };
  const entries = Object.entries(properties).map(([name, schema]) => [name, stored(schema)]);
  return Object.fromEntries(entries);
}

/** Every field unmasked, as `reveal` returns it and the history holds it. */
export const FullReport = partial({
  ...asStored(f),
  chargebacks: Type.Array(strict(asStored(AdditionalChargeback.properties))),
});
export type FullReport = Static<typeof FullReport>;
