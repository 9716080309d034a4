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
import { MOST_QUESTIONS } from "../report/reporter-rules.ts";
import { REPORT_STATUSES, REPORT_TYPES } from "../report/words.ts";
import { reply } from "./envelope.ts";
import { PublishedEvidenceList, ReportFile } from "./evidence.ts";
import { StaffResolution } from "./resolution.ts";

const f = reportFields;
const opt = Type.Optional;

const Time = Type.String({ description: "RFC 3339, UTC" });

/** Where admins read which deletions can be undone or need a second admin. */
export const DELETIONS = "/prod/api/admin/deletions";

/** How many of each kind a reply names at most. */
export const LISTED_DELETIONS = 200;

/** Who asked for a deletion, when, and why. */
export const DeletionAsked = strict({
  /** The account; `system` after a restore. */
  by: Type.String(),
  /** First and last name; absent once the account is erased. */
  by_name: opt(Type.String()),
  at: Time,
  reason_code: Type.String(),
});
export type DeletionAsked = Static<typeof DeletionAsked>;

/** A report that is deleted, or is to be. */
export const Deletion = strict({
  ...DeletionAsked.properties,
  /** Of the report. */
  id: ReportId,
  first_name: Type.String(),
  last_name: Type.String(),
  title: Type.String(),
  report_type: codes(REPORT_TYPES),
  /** What it has, or gets back when the deletion is undone. */
  status: codes(REPORT_STATUSES),
  /** When it is erased; absent while the deletion waits for another admin. */
  erase_at: opt(Time),
  /** Where the report concerns the reader, who decides nothing about it. */
  own: opt(Type.Literal(true)),
});
export type Deletion = Static<typeof Deletion>;

/** GET: deletions that wait for another admin, then deleted reports, those first that are erased first. */
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

/** An additional chargeback without the fields that are kept back. */
export const ShownChargeback = strict(shownChargebackSchemas());
export type ShownChargeback = Static<typeof ShownChargeback>;

const summary = {
  id: Type.String({ format: "uuid" }),
  report_type: f.report_type,
  seo_title: Type.String(),
  ...viewSchemas("list"),
  status: codes(REPORT_STATUSES),
  verified: Type.Boolean(),
  /** Whether it shows the RESOLVED banner. `resolution_status` is what the reporter says of it. */
  resolved: Type.Boolean(),
  ...viewSchemas("reporter"),
  created_at: Time,
  /** `created_at` in whole seconds since 1970. */
  timestamp: Type.Integer(),
  view_count: Type.Integer(),
  /** The registry takes no rebuttals yet: always 0. */
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
  /** Pictures of evidence that an admin published, in that order. */
  evidence: PublishedEvidenceList,
  /** Path of the published picture of the check; null where there is none. */
  check_image_url: Type.Union([Type.String(), Type.Null()]),
  /** What an offender's reports have in common, in words: "email", "phone", "card", ... */
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
  /** Null before the first approval: a report that was never public has no address. */
  seo_title: Type.Union([Type.String(), Type.Null()]),
  ...viewSchemas("staff"),
  origin: Type.Enum(["live", "sample"]),
  /** While it waits for the reporter's answer: until when. */
  asked_until: opt(Time),
  /** When the reporter answered the last question; absent once it is decided or asked again. */
  answered_at: opt(Time),
  /** Where a DMCA notice keeps it from being public: until then its status does not change. */
  held: opt(Type.Literal(true)),
  /** It concerns the admin who reads it, who opens and decides nothing of it. In the console's list and page only. */
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
  /** What both have and do not share, in the same words. */
  differs: Type.Array(Type.String()),
  first_name_differs: NameDifference,
  last_name_differs: NameDifference,
});

/** A question to the reporter, and what became of it. */
const AskedQuestion = strict({
  state: Type.Enum(["open", "answered", "withdrawn", "closed"]),
  asked_at: Time,
  expires_at: Time,
  ended_at: opt(Time),
  /** Absent once the person is erased. */
  question: opt(Type.String()),
  /** Absent while there is none, and once the reporter is erased. */
  answer: opt(Type.String()),
});

/** A note among moderators. */
const ModeratorNote = strict({
  note: Type.String(),
  at: Time,
  /** First and last name of its author; absent once the account is erased. */
  by: opt(Type.String()),
});

/** A DMCA notice that keeps a report, or one published picture of it, from being public. */
const NoticeHold = strict({
  notice_id: Type.String({ format: "uuid" }),
  /** Of the notice. */
  number: Type.String(),
  since: Time,
  /** The picture; absent where it is the report. */
  copy_id: opt(Type.String({ format: "uuid" })),
});
export type NoticeHold = Static<typeof NoticeHold>;

/** A report's page in the console. */
export const AdminReportDetail = strict({
  ...moderated,
  /** While its deletion waits for another admin. */
  deletion_request: opt(DeletionAsked),
  /** Of the report, then of its pictures; the oldest first. */
  holds: Type.Array(NoticeHold),
  /** What moderators wrote for each other, oldest first. */
  moderator_notes: Type.Array(ModeratorNote),
  /** What moderators asked the reporter, oldest first. */
  questions: Type.Array(AskedQuestion, { maxItems: MOST_QUESTIONS }),
  /** Why the reporter cannot be asked now, a sentence without its full stop; absent when they can. */
  not_askable: opt(Type.String()),
  /** Why it was rejected, while it is. */
  rejection_reason: opt(Type.String()),
  /** Its files that are not erased, oldest first. Names and sizes come with a reveal. */
  files: Type.Array(ReportFile),
  /** The last request for the RESOLVED banner. */
  resolution: opt(StaffResolution),
  /** Those that share most first, then those with the nearest names, then the newest; at most 50. */
  possible_matches: Type.Array(PossibleMatch, { maxItems: 50 }),
  /** Whether there are more than these. */
  has_more_matches: Type.Boolean(),
});
export type AdminReportDetail = Static<typeof AdminReportDetail>;

/** The same fields without limits on the length of texts: what was once accepted is shown unchanged. */
function asStored<P extends TProperties>(properties: P): P {
  const stored = (schema: TSchema) => {
    if (!Type.IsString(schema)) return schema;
    return Type.IsOptional(schema) ? opt(Type.String()) : Type.String();
  };
  const entries = Object.entries(properties).map(([name, schema]) => [name, stored(schema)]);
  return Object.fromEntries(entries);
}

/** Every field in the clear, as `reveal` returns it and as the history holds it. */
export const FullReport = partial({
  ...asStored(f),
  chargebacks: Type.Array(strict(asStored(AdditionalChargeback.properties))),
});
export type FullReport = Static<typeof FullReport>;
