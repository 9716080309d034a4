import { CLAIMABLE_REPORTS } from "#contracts/account/own-figures.ts";
import { openQuestion } from "#contracts/events/report/reporter-questions.ts";
import {
  type AskedOfOwner,
  type ClaimableReports,
  ClaimableReportsReply,
  OwnReport,
  OwnReportsQuery,
  OwnReportsReply,
  OwnReportsSummaryReply,
  SameOrderQuery,
  SameOrderReply,
} from "#contracts/http/own-reports.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { fromCents } from "#contracts/report/money.ts";
import { OWNERS } from "#http/actor.ts";
import { shown, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { ownAddress } from "#search/matching.ts";
import { openPart } from "../profile/profile.queries.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import {
  findAsked,
  findClaimable,
  findConfirmedAddress,
  findOwnReports,
  findSameOrder,
  type OwnReportRow,
  summariseOwnReports,
} from "./own-reports.queries.ts";

const DEFAULT_SIZE = 20;

/** Takes the place of the epoch in this list's page tokens. */
const PAGE = "own-reports";

/** The reports that an account submitted, for its owner. */
export function ownReportRoutes(
  app: ServiceInstance,
  { db, positions, freshness }: ReadSide,
): void {
  /** @throws {DomainError} `invalid_request` */
  function positionOf(page: string): string {
    const found = positions.open(page);
    if (found?.epoch === PAGE) return found.position;
    throw invalidRequest({ page: "Invalid page token. Start from the first page." });
  }

  const read = reads(
    OWNERS,
    "accounts",
    freshness.waitFor(["accounts", "reports", "offenders"], "any"),
  );

  app.get(
    "/prod/api/account/reports/summary",
    read({
      summary: "Statistics of your reports",
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
      summary: "The reports you submitted",
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

/** Reports sent from an account's address before it had an account, for its owner. */
export function claimableReportRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, freshness } = side;
  const read = reads(OWNERS, "accounts", freshness.waitFor(["accounts", "reports"], "any"));
  app.get(
    "/prod/api/account/reports/claimable",
    read({
      summary: "Reports from your confirmed address that don't belong to an account",
      reply: ClaimableReportsReply,
    }),
    async ({ actor }) => {
      const index = await addressIndex(actor.id, side);
      const rows = index ? await findClaimable(db, index, CLAIMABLE_REPORTS + 1) : [];
      const reports: ClaimableReports["reports"] = rows
        .slice(0, CLAIMABLE_REPORTS)
        .map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
      return succeed({ reports, has_more: rows.length > CLAIMABLE_REPORTS });
    },
  );
}

/** Blind index of the account's confirmed address; undefined if it has none. */
async function addressIndex(
  accountId: string,
  { db, keys, blind }: ReadSide,
): Promise<string | undefined> {
  const row = await findConfirmedAddress(db, accountId);
  if (!row?.address) return undefined;
  const { email } = openPart(accountId, row.address, await keys.get([row.address.account.key]));
  return email && blind("reporter_email", ownAddress(email));
}

/** Whether an account has reported an order before. Reveals nothing about other people's reports. */
export function sameOrderRoute(app: ServiceInstance, { db, freshness }: ReadSide): void {
  const read = reads(OWNERS, "accounts", freshness.waitFor(["accounts", "reports"], "any"));
  app.get(
    "/prod/api/account/reports/same-order",
    read({
      summary: "Your newest report about an order",
      querystring: SameOrderQuery,
      reply: SameOrderReply,
    }),
    async ({ actor, query }) => {
      const { order, merchant = null } = query;
      const found = await findSameOrder(db, actor.id, { order, merchant });
      const report = found && { ...found, created_at: found.created_at.toISOString() };
      return succeed({ report: report ?? null });
    },
  );
}

function presentOwnReport(row: OwnReportRow): OwnReport {
  const isPublic = row.status === "approved";
  const question = row.questions.at(-1);
  return shown(OwnReport, {
    ...row,
    amount: fromCents(row.amount_cents),
    total_due: fromCents(row.total_due_cents),
    view_count: row.views ?? 0,
    seo_title: isPublic ? row.slug : undefined,
    others_reported: isPublic ? row.others_reported === true : undefined,
    question: question && {
      // A question that has expired may still be `open`, but no one can answer it anymore.
      state: isOver(question) ? "closed" : question.state,
      asked_at: question.asked_at,
      ...omitUndefined({ ended_at: question.ended_at }),
    },
  });
}

const isOver = ({ state, expires_at }: OwnReportRow["questions"][number]) =>
  state === "open" && new Date(expires_at) <= new Date();

/** The question that awaits the owner's answer; empty if none does. */
function presentAsked(row: Awaited<ReturnType<typeof findAsked>>[number]): AskedOfOwner[] {
  const { id, title, first_name, last_name } = row;
  const open = openQuestion(row.questions);
  if (!open?.question) return [];
  const { question_id, question, asked_at, expires_at } = open;
  const of = { id, number: reportNumber(id), title, first_name, last_name };
  return [{ ...of, question_id, question, asked_at, expires_at }];
}
