import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import {
  AdminReportRecord,
  AdminReportsQuery,
  AdminReportsReply,
  REPORT_FILTERS,
} from "#contracts/http/admin-reports.ts";
import { reply } from "#contracts/http/envelope.ts";
import {
  AdminReport,
  AdminReportDetail,
  DELETIONS,
  type Deletion,
  type DeletionAsked,
  DeletionsReply,
  LISTED_DELETIONS,
  type NameDifference,
  type NoticeHold,
  PossibleMatch,
} from "#contracts/http/report-view.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { strict } from "#contracts/report/fields.ts";
import { whyNotAsked } from "#contracts/report/reporter-rules.ts";
import { shown, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { DeletionRequestColumn, HoldRow } from "#read-model/tables/report.ts";
import { differencesOf, nameDifference, sharesOf } from "#search/matching.ts";
import { presentFiles } from "../evidence/evidence.queries.ts";
import { createPlacedReader, PlacedQuery, pageOf, sendPlaces, sendRange } from "../placed-lists.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { presentAdminReport } from "../reports/reports.presenter.ts";
import type { ModeratorReportRow } from "../reports/reports.queries.ts";
import { presentResolution } from "../resolutions/resolutions.queries.ts";
import {
  countByStatus,
  deletionOf,
  findHiddenReports,
  findReport,
  findRequestedDeletions,
  type MatchRow,
  possibleMatches,
  wasDeleted,
} from "./admin-reports.queries.ts";
import { type Concerns, concernsOf } from "./own-reports.ts";
import { listReports, REPORT_KEYS, reportColumn } from "./report-list.queries.ts";

const FEED = ["reports", "offenders"] as const;
/** The queue omits reports by banned accounts. */
const LIST_FEED = [...FEED, "users"] as const;
const Id = strict({ id: Type.String({ format: "uuid" }) });

/** Filters of the console's list. react-admin's `getMany` filters by `id`. */
const ListFilter = strict({
  ...REPORT_FILTERS,
  // The console's select sends a string, its switch a boolean.
  verified: Type.Optional(Type.Union([Type.Boolean(), Type.Enum(["true", "false"])])),
  id: Type.Optional(Type.Array(Type.String({ format: "uuid" }), { maxItems: 1000 })),
});
const readList = createPlacedReader("reports", ListFilter, REPORT_KEYS);

const ownOf = (row: ModeratorReportRow, concerns: Concerns): Pick<AdminReport, "own"> =>
  concerns(row) ? { own: true } : {};

const presentFor = (concerns: Concerns) => (row: ModeratorReportRow) => ({
  ...presentAdminReport(row),
  ...ownOf(row, concerns),
});

/** The moderators' list and page of reports, in both the specified format and the console's. */
export function adminReportRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, names, freshness } = side;
  const waitForList = freshness.waitFor(LIST_FEED, "any");
  const waitForOne = freshness.waitFor(FEED, "one");

  async function detail(id: string, { actor, log }: FastifyRequest): Promise<AdminReportDetail> {
    const row = await findReport(db, id);
    if (row) {
      const [matches, concerns] = await Promise.all([
        possibleMatches(db, row),
        concernsOf(actor.id, side),
      ]);
      // Anyone whom the report concerns sees no notes about it, even a moderator.
      const moderator_notes = concerns(row) ? [] : row.moderator_notes;
      const asked = row.deletion_request ? [row.deletion_request] : [];
      const said = [...moderator_notes, ...asked];
      const nameOf = await names.nameOf(
        said.map(({ by }) => by),
        log,
      );
      const shown = presentAdminDetail({ ...row, moderator_notes }, matches, nameOf);
      return { ...shown, ...ownOf(row, concerns) };
    }
    const { by, erase_at, reason_code } = (await deletionOf(db, id)) ?? {};
    if (erase_at !== undefined || (await wasDeleted(db, id)))
      throw new DomainError(
        "report_deleted",
        "This report was deleted",
        omitUndefined({ by, erase_at, reason_code }),
      );
    throw new DomainError("report_not_found", "Report not found");
  }

  const read = reads(["admin"], "moderation");
  app.get(
    "/prod/api/admin/reports",
    read({
      summary: "Reports of every status, by page, with filters and counts",
      querystring: AdminReportsQuery,
      reply: AdminReportsReply,
      preHandler: waitForList,
    }),
    async (request) => {
      const {
        page = 1,
        limit = 25,
        sort = "created_at",
        order = "desc",
        ...filter
      } = request.query;
      const [{ rows, total }, counts, concerns] = await Promise.all([
        listReports(db, filter, { field: sort, order }, pageOf(page, limit)),
        countByStatus(db),
        concernsOf(request.actor.id, side),
      ]);
      return succeed({ reports: rows.map(presentFor(concerns)), total, page, limit, counts });
    },
  );

  app.get(
    "/prod/api/admin/reports/:id",
    read({
      summary: "A report of any status, with possible matches",
      params: Id,
      reply: reply(AdminReportDetail),
      preHandler: waitForOne,
    }),
    async (request, response) => {
      const { id } = request.params;
      await freshness.markParked(response, FEED, streams.report(id));
      return succeed(await detail(id, request));
    },
  );

  app.get(
    "/prod/admin/reports",
    read({
      summary: "Reports for ra-data-simple-rest",
      querystring: PlacedQuery,
      reply: Type.Array(AdminReport),
      preHandler: waitForList,
    }),
    async (request, response) => {
      const { page, sort, filter, of } = readList(request.query);
      const { verified: wanted, ...rest } = filter;
      const asText = wanted === undefined ? {} : { verified: String(wanted) as "true" | "false" };
      const [{ rows, total }, concerns] = await Promise.all([
        listReports(db, { ...rest, ...asText }, sort, page),
        concernsOf(request.actor.id, side),
      ]);
      sendRange(response, "reports", page.offset, rows.length, total);
      sendPlaces(response, of, rows, (row) => row[reportColumn(sort.field)]);
      return rows.map(presentFor(concerns));
    },
  );

  app.get(
    "/prod/admin/reports/:id",
    read({
      summary: "A report for ra-data-simple-rest, with possible matches",
      params: Id,
      reply: AdminReportRecord,
      preHandler: waitForOne,
    }),
    async (request, response) => {
      const { id } = request.params;
      await freshness.markParked(response, FEED, streams.report(id));
      return detail(id, request);
    },
  );
}

/** Lists deletions that can be undone, and those awaiting another admin. */
export function deletionRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, names, freshness } = side;
  const read = reads(["admin"], "moderation", freshness.waitFor(["reports"], "any"));
  app.get(
    DELETIONS,
    read({
      summary: "Deleted reports that aren't erased yet, and deletions awaiting another admin",
      reply: DeletionsReply,
    }),
    async ({ actor, log }) => {
      const [requested, hidden, concerns] = await Promise.all([
        findRequestedDeletions(db),
        findHiddenReports(db),
        concernsOf(actor.id, side),
      ]);
      const found = [
        ...requested
          .slice(0, LISTED_DELETIONS)
          .flatMap(({ deletion_request: asked, ...row }) =>
            asked ? [{ row, asked, eraseAt: undefined }] : [],
          ),
        ...hidden
          .slice(0, LISTED_DELETIONS)
          .map(({ deletion, ...row }) => ({ row, asked: deletion, eraseAt: deletion.erase_at })),
      ];
      const nameOf = await names.nameOf(
        found.map(({ asked }) => asked.by),
        log,
      );
      const deletions = found.map(({ row, asked, eraseAt }): Deletion => {
        const { id, first_name, last_name, title, report_type, status } = row;
        return {
          ...{ id, first_name, last_name, title, report_type, status },
          ...presentAsked(asked, nameOf),
          ...omitUndefined({ erase_at: eraseAt, own: concerns(row) || undefined }),
        };
      });
      const has_more = [requested, hidden].some(({ length }) => length > LISTED_DELETIONS);
      return succeed({ deletions, has_more });
    },
  );
}

type Match = Static<typeof PossibleMatch>;

/** Maximum number of possible matches on a report's page. */
const SHOWN = 50;
/** The kinds of name difference, closest first. */
const NEARNESS: readonly NameDifference["kind"][] = [
  "same",
  "nickname",
  "sounds_alike",
  "letters",
  "different",
];

function presentAsked(
  { by, at, reason_code }: DeletionRequestColumn,
  nameOf: NameOf,
): DeletionAsked {
  return { by, at, reason_code, ...omitUndefined({ by_name: nameOf(by) }) };
}

type NameOf = (accountId: string) => string | undefined;

function presentAdminDetail(
  row: ModeratorReportRow,
  matches: readonly MatchRow[],
  nameOf: NameOf,
): AdminReportDetail {
  return {
    ...presentAdminReport(row),
    ...omitUndefined({
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
      ...omitUndefined({ by: nameOf(by) }),
    })),
    questions: row.questions.map(({ state, asked_at, expires_at, ...rest }) => ({
      state,
      asked_at,
      expires_at,
      ...omitUndefined({ ended_at: rest.ended_at, question: rest.question, answer: rest.answer }),
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

/** Sorts possible matches, strongest first: most shared identifiers, then the closest name, then the newest report. */
export function byEvidence(a: Match, b: Match): number {
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
  return shown(PossibleMatch, {
    ...match,
    shares: sharesOf([row.match_keys, match.match_keys]),
    differs: differencesOf(row.match_keys, match.match_keys),
    first_name_differs: nameDifference(row.first_name, match.first_name, "given"),
    last_name_differs: nameDifference(row.last_name, match.last_name, "last"),
  });
}
