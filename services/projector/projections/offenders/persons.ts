import type { Currency } from "#contracts/report/words.ts";
import type { PersonTable, TotalRow } from "#read-model/tables/offender.ts";
import { connectedGroups } from "#search/matching.ts";
import { sharesOf } from "../identity-keys.ts";
import { type MemberRow, owedCents } from "./member.ts";

/** A row of `offenders.person` as JSON. */
export interface PersonRow extends Omit<PersonTable, "totals" | "latest_at"> {
  totals: readonly TotalRow[];
  latest_at: string;
}

/**
 * Groups approved reports by person: each group of two or more reports that are linked by their
 * keys.
 * @param members must contain complete groups: for each report, all reports that share a key with
 *   it.
 */
export function personsOf(members: Iterable<MemberRow>): PersonRow[] {
  const byId = new Map<string, MemberRow>();
  for (const member of members) if (member.approved) byId.set(member.report_id, member);
  const keyed = [...byId.values()].map(({ report_id: id, keys }) => ({ id, keys }));
  return connectedGroups(keyed)
    .filter((ids) => ids.length > 1)
    .map((ids) => personOf(ids.map((id) => byId.get(id) as MemberRow)));
}

/** @param members all reports about the person, sorted by id. */
function personOf(members: readonly MemberRow[]): PersonRow {
  const sums = new Map<Currency, number>();
  let latest = members[0] as MemberRow;
  for (const member of members) {
    sums.set(member.currency, (sums.get(member.currency) ?? 0) + owedCents(member));
    if (Date.parse(member.created_at) >= Date.parse(latest.created_at)) latest = member;
  }
  const totals = [...sums]
    .map(([currency, amount_cents]) => ({ currency, amount_cents }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return {
    id: (members[0] as MemberRow).report_id,
    report_count: members.length,
    report_ids: members.map((member) => member.report_id),
    totals,
    usd_total_cents: sums.get("USD") ?? 0,
    shares: sharesOf(members.map((member) => member.keys)),
    latest_report_id: latest.report_id,
    latest_at: latest.created_at,
  };
}
