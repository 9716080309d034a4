import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { AllReportsQuery, AllReportsReply } from "#contracts/http/admin-reports.ts";
import { reply } from "#contracts/http/envelope.ts";
import { AdminReport, ReportSummary } from "#contracts/http/report-view.ts";
import { RecentQuery, ReportDetailReply } from "#contracts/http/reports.ts";
import { strict } from "#contracts/report/fields.ts";
import { ROLES } from "#http/actor.ts";
import { authorise } from "#http/auth.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { presentAdminReport, presentDetail, presentSummary } from "./reports.presenter.ts";
import {
  findBySlug,
  isGone,
  newestReports,
  otherReports,
  recentReports,
} from "./reports.queries.ts";

const FEED = ["reports", "offenders"] as const;
const MAX_LIST = 200;
const ADMIN = ["admin"] as const;

/** Public summaries or, for an admin, records of every status. */
const RecentOrAllReply = reply(
  Type.Union([
    Type.Array(AdminReport, { maxItems: MAX_LIST }),
    Type.Array(ReportSummary, { maxItems: MAX_LIST }),
  ]),
);
const SeoTitle = strict({ seoTitle: Type.String({ minLength: 1, maxLength: 200 }) });

/** The newest reports, and a report's public page. */
export function reportRoutes(app: ServiceInstance, { db, freshness, slugHash }: ReadSide): void {
  app.get(
    "/prod/api/reports/recent",
    {
      config: { roles: ROLES, limit: "read" },
      schema: {
        tags: ["public reports"],
        summary: "The newest approved reports; for admins with admin_view=true, of every status",
        querystring: RecentQuery,
        response: { 200: RecentOrAllReply },
      },
      preHandler: [
        async ({ actor, query }) => {
          if (query.admin_view === "true") authorise(actor, ADMIN);
        },
        freshness.waitFor(FEED, "any"),
      ],
    },
    async (request) => {
      const { admin_view, limit = MAX_LIST } = request.query;
      return admin_view === "true"
        ? succeed((await newestReports(db, limit)).map(presentAdminReport))
        : succeed((await recentReports(db, limit)).map(presentSummary));
    },
  );

  app.get(
    "/prod/api/reports/all",
    reads(
      ADMIN,
      "moderation",
      freshness.waitFor(FEED, "any"),
    )({
      summary: "The newest reports of every status",
      querystring: AllReportsQuery,
      reply: AllReportsReply,
    }),
    async (request) => {
      const { limit = MAX_LIST } = request.query;
      return succeed((await newestReports(db, limit)).map(presentAdminReport));
    },
  );

  app.get(
    "/prod/api/reports/:seoTitle",
    reads(
      ROLES,
      "public reports",
      freshness.waitFor(FEED, "one"),
    )({
      summary: "An approved report by its address",
      params: SeoTitle,
      reply: ReportDetailReply,
    }),
    async (request, response) => {
      // Slugs are lower case. An address typed in capitals means the same report.
      const seoTitle = request.params.seoTitle.toLowerCase();
      const row = await findBySlug(db, seoTitle);
      if (!row) {
        if (await isGone(db, slugHash(seoTitle))) {
          throw new DomainError("report_deleted", "This report has been removed");
        }
        throw new DomainError("report_not_found", "Report not found");
      }
      await freshness.markParked(response, FEED, streams.report(row.id));
      return succeed(presentDetail(row, await otherReports(db, row)));
    },
  );
}
