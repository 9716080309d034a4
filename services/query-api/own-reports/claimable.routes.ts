import { CLAIMABLE_REPORTS } from "#contracts/account/own-figures.ts";
import { type ClaimableReports, ClaimableReportsReply } from "#contracts/http/own-reports.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { ownAddress } from "#search/matching.ts";
import { openPart } from "../profile/account-part.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findClaimable, findConfirmedAddress } from "./claimable.queries.ts";

/** What was sent from an account's address before it had an account, for itself. */
export function claimableReportRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, freshness } = side;
  const read = reads(
    ["user", "admin"],
    "accounts",
    freshness.waitFor(["accounts", "reports"], "any"),
  );
  app.get(
    "/prod/api/account/reports/claimable",
    read({
      summary: "Reports from one's own confirmed address that belong to no account",
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

/** Blind index of the address that the account has confirmed; undefined without one. */
async function addressIndex(
  accountId: string,
  { db, keys, blind }: ReadSide,
): Promise<string | undefined> {
  const row = await findConfirmedAddress(db, accountId);
  if (!row?.address) return undefined;
  const { email } = openPart(accountId, row.address, await keys.get([row.address.account.key]));
  return email && blind("reporter_email", ownAddress(email));
}
