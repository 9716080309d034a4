import {
  OwnReportsQuery,
  OwnReportsReply,
  OwnReportsSummaryReply,
} from "#contracts/http/own-reports.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { presentAsked, presentOwnReport } from "./own-reports.presenter.ts";
import { findAsked, findOwnReports } from "./own-reports.queries.ts";
import { summariseOwnReports } from "./own-summary.queries.ts";

const DEFAULT_SIZE = 20;

/** Stands in a page token where other sealed positions have their epoch. */
const PAGE = "own-reports";

/** The reports that an account submitted, for itself. */
export function ownReportRoutes(
  app: ServiceInstance,
  { db, positions, freshness }: ReadSide,
): void {
  /** @throws {DomainError} `invalid_request` */
  function positionOf(page: string): string {
    const found = positions.open(page);
    if (found?.epoch === PAGE) return found.position;
    throw invalidRequest({ page: "This page is not known: start from the first" });
  }

  const read = reads(
    ["user", "admin"],
    "accounts",
    freshness.waitFor(["accounts", "reports", "offenders"], "any"),
  );

  app.get(
    "/prod/api/account/reports/summary",
    read({
      summary: "What the reports of one's own account come to",
      reply: OwnReportsSummaryReply,
    }),
    async ({ actor }) => {
      const [summary, asked] = await Promise.all([
        summariseOwnReports(db, actor.id),
        findAsked(db, actor.id),
      ]);
      return succeed({ ...summary, asked: asked.flatMap(presentAsked) });
    },
  );

  app.get(
    "/prod/api/account/reports",
    read({
      summary: "The reports that one's own account submitted",
      querystring: OwnReportsQuery,
      reply: OwnReportsReply,
    }),
    async ({ actor, query }) => {
      const { page, size = DEFAULT_SIZE } = query;
      const before = page === undefined ? undefined : positionOf(page);
      const rows = await findOwnReports(db, actor.id, { before, limit: size + 1 });
      const shown = rows.slice(0, size);
      const last = rows.length > size ? shown.at(-1)?.owned_since : undefined;
      const next = last ? positions.seal({ epoch: PAGE, position: last }) : null;
      return succeed({ reports: shown.map(presentOwnReport), next });
    },
  );
}
