import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import {
  AdminReportRecord,
  AdminReportsQuery,
  AdminReportsReply,
  REPORT_FILTERS,
} from "#contracts/http/admin-reports.ts";
import {
  DELETIONS,
  type Deletion,
  DeletionsReply,
  LISTED_DELETIONS,
} from "#contracts/http/deletions.ts";
import { reply } from "#contracts/http/envelope.ts";
import { AdminReport, AdminReportDetail } from "#contracts/http/report-view.ts";
import { strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createPlacedReader, PlacedQuery, pageOf, sendPlaces, sendRange } from "../placed-lists.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { presentAdminReport } from "../reports/reports.presenter.ts";
import type { ModeratorReportRow } from "../reports/reports.queries.ts";
import { presentAdminDetail, presentAsked } from "./admin-reports.presenter.ts";
import {
  countByStatus,
  deletionOf,
  findHiddenReports,
  findReport,
  findRequestedDeletions,
  possibleMatches,
  wasDeleted,
} from "./admin-reports.queries.ts";
import { type Concerns, concernsOf } from "./own-reports.ts";
import { listReports, REPORT_KEYS, reportColumn } from "./report-list.queries.ts";

const FEED = ["reports", "offenders"] as const;
/** The queue leaves out reports of banned accounts. */
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

/** Says that a report concerns its reader. */
const ownOf = (row: ModeratorReportRow, concerns: Concerns): Pick<AdminReport, "own"> =>
  concerns(row) ? { own: true } : {};

/** A row of a list, for the reader whom these reports concern. */
const presentFor = (concerns: Concerns) => (row: ModeratorReportRow) => ({
  ...presentAdminReport(row),
  ...ownOf(row, concerns),
});

/**
 * The moderators' list and page of reports, both in the format of the specification and in the
 * console's.
 */
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
      // Whom the report concerns reads no note about it, moderator or not.
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
        given({ by, erase_at, reason_code }),
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

/** Deletions that can be undone, and those that wait for another admin. */
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
          ...given({ erase_at: eraseAt, own: concerns(row) || undefined }),
        };
      });
      const has_more = [requested, hidden].some(({ length }) => length > LISTED_DELETIONS);
      return succeed({ deletions, has_more });
    },
  );
}
