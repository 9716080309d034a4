import type { Static } from "typebox";
import { given } from "#contracts/given.ts";
import type { DeletionAsked } from "#contracts/http/deletions.ts";
import type {
  AdminReportDetail,
  NameDifference,
  NoticeHold,
  PossibleMatch,
} from "#contracts/http/report-view.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { whyNotAsked } from "#contracts/report/reporter-rules.ts";
import type { DeletionRequestColumn, HoldRow } from "#read-model/tables/report.ts";
import { nameDifference, sharesOf } from "#search/matching.ts";
import { presentFiles } from "../evidence/evidence.queries.ts";
import { presentAdminReport } from "../reports/reports.presenter.ts";
import type { ModeratorReportRow } from "../reports/reports.queries.ts";
import { presentResolution } from "../resolutions/resolutions.queries.ts";
import type { MatchRow } from "./admin-reports.queries.ts";

type Match = Static<typeof PossibleMatch>;

/** Maximum number of possible matches on a report's page. */
const SHOWN = 50;
/** The kinds of name difference, nearest first. */
const NEARNESS: readonly NameDifference["kind"][] = [
  "same",
  "nickname",
  "sounds_alike",
  "letters",
  "different",
];

/** Who asked for a deletion, as the console shows it. */
export function presentAsked(
  { by, at, reason_code }: DeletionRequestColumn,
  nameOf: NameOf,
): DeletionAsked {
  return { by, at, reason_code, ...given({ by_name: nameOf(by) }) };
}

/** The name of a moderator, by account. */
export type NameOf = (accountId: string) => string | undefined;

/** A report's page in the console. */
export function presentAdminDetail(
  row: ModeratorReportRow,
  matches: readonly MatchRow[],
  nameOf: NameOf,
): AdminReportDetail {
  return {
    ...presentAdminReport(row),
    ...given({
      not_askable: whyNotAsked(
        {
          ...row,
          isHeld: row.holds.length > 0,
          hasReporter: row.reporter_email_mask !== null,
        },
        new Date().toISOString(),
      ),
      deletion_request: row.deletion_request && presentAsked(row.deletion_request, nameOf),
      rejection_reason: row.rejection_reason,
      resolution: presentResolution(row.resolution, row.resolution_at),
    }),
    holds: presentHolds(row),
    files: presentFiles(row),
    moderator_notes: row.moderator_notes.map(({ note, at, by }) => ({
      note,
      at,
      ...given({ by: nameOf(by) }),
    })),
    questions: row.questions.map(({ state, asked_at, expires_at, ...rest }) => ({
      state,
      asked_at,
      expires_at,
      ...given({ ended_at: rest.ended_at, question: rest.question, answer: rest.answer }),
    })),
    possible_matches: matches
      .map((match) => presentMatch(row, match))
      .sort(byEvidence)
      .slice(0, SHOWN),
    has_more_matches: matches.length > SHOWN,
  };
}

function presentHolds({ holds, withheld }: Pick<ModeratorReportRow, "holds" | "withheld">) {
  const shown = ({ notice_id, since }: HoldRow): NoticeHold => ({
    notice_id,
    number: caseNumber("takedown", notice_id),
    since,
  });
  const ofPictures = withheld.flatMap(({ copy_id, holds: each }) =>
    each.map((hold) => ({ ...shown(hold), copy_id })),
  );
  return [...holds.map(shown), ...ofPictures];
}

/** Sorts by the most shared identifiers, then by the nearest name, then by the newest report. */
function byEvidence(a: Match, b: Match): number {
  return (
    b.shares.length - a.shares.length ||
    distanceOf(a) - distanceOf(b) ||
    b.created_at.localeCompare(a.created_at)
  );
}

function distanceOf({ first_name_differs: first, last_name_differs: last }: Match): number {
  return NEARNESS.indexOf(first.kind) + NEARNESS.indexOf(last.kind);
}

function presentMatch(row: ModeratorReportRow, match: MatchRow): Match {
  return {
    id: match.id,
    first_name: match.first_name,
    last_name: match.last_name,
    title: match.title,
    status: match.status,
    created_at: match.created_at.toISOString(),
    shares: sharesOf([row.match_keys, match.match_keys]),
    first_name_differs: nameDifference(row.first_name, match.first_name, "given"),
    last_name_differs: nameDifference(row.last_name, match.last_name, "last"),
  };
}
