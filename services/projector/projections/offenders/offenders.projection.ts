import type pg from "pg";
import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEdited } from "#contracts/events/report/report-edited.ts";
import type { ClearReport, ReportSubmitted } from "#contracts/events/report/stored-report.ts";
import { FEE_COLUMNS } from "#contracts/report/derive/amounts.ts";
import {
  chargebackTotal,
  type FeeCents,
  feesCents,
  mainAmount,
} from "#contracts/report/submission-rules.ts";
import type { Currency } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";
import type { MemberTable, PersonTable } from "#read-model/tables/offender.ts";
import { connectedGroups } from "#search/matching.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { Projection } from "../../daemon/projection.ts";
import { KeyedRows, keyedProjection } from "../../keyed/keyed-projection.ts";
import { sealedCell } from "../../keyed/read-model.ts";
import { upsertRows } from "../../keyed/row-writes.ts";
import type { Changes } from "../../keyed/tallies.ts";
import { type Named, ofReports, sealedReports, sharesOf, storedKeys } from "../of-reports.ts";

export type MemberRow = JsonRow<MemberTable>;
type PersonRow = JsonRow<PersonTable>;

const identityCell = sealedCell<Named>("offenders.member", "identity", subjects.personal);

/** The part of reports that shows who has several. An approved report's keys are in the clear, others are sealed. */
export const members = sealedReports<MemberRow>(
  { name: "member", key: "report_id", lists: ["keys"] },
  { submitted, edited, approved, withdrawn: { keys: [] } },
);

function submitted(
  id: string,
  { personal, report, report_type }: OpenData<typeof ReportSubmitted>,
  created_at: string,
  keys: KeyLookups,
): MemberRow | undefined {
  if (!personal) return undefined;
  const { first_name, last_name } = personal.report;
  const identity = identityCell.seal(id, { first_name, last_name, blind: personal.blind }, keys);
  return (
    identity && {
      report_id: id,
      approved: false,
      person_id: null,
      identity,
      keys: [],
      report_type,
      currency: report.currency,
      amount_cents: report[`${mainAmount(report_type)}_cents`] ?? 0,
      ...feesIn(report),
      chargebacks_cents: sumOf(report.chargebacks),
      created_at,
    }
  );
}

function edited(
  row: MemberRow,
  { personal, set, cleared }: OpenData<typeof ReportEdited>,
  keys: KeyLookups,
): MemberRow | undefined {
  if (personal === null) return undefined;
  const next = { ...row };
  if (set.currency) next.currency = set.currency;
  const amount = set[`${mainAmount(row.report_type)}_cents`];
  if (amount !== undefined) next.amount_cents = amount;
  for (const field of FEE_COLUMNS) {
    if (cleared.includes(field)) next[field] = 0;
    else if (set[field] !== undefined) next[field] = set[field];
  }
  if (set.chargebacks) next.chargebacks_cents = sumOf(set.chargebacks);
  if (!personal) return next;
  const { first_name, last_name } = personal.set;
  if (!first_name && !last_name && !personal.blind) return next;
  const before = identityCell.open(row.report_id, row.identity, keys);
  const named = before && {
    first_name: first_name ?? before.first_name,
    last_name: last_name ?? before.last_name,
    blind: personal.blind ?? before.blind,
  };
  const identity = named && identityCell.seal(row.report_id, named, keys);
  return identity && { ...next, identity, keys: row.approved ? storedKeys(named) : [] };
}

function approved(row: MemberRow, keys: KeyLookups): MemberRow | undefined {
  if (row.approved) return row;
  const named = identityCell.open(row.report_id, row.identity, keys);
  return named && { ...row, approved: true, keys: storedKeys(named) };
}

function feesIn(report: FeeCents): Pick<MemberRow, keyof FeeCents> {
  const fees = FEE_COLUMNS.map((column) => [column, report[column] ?? 0]);
  return Object.fromEntries(fees);
}

function sumOf(items: ClearReport["chargebacks"]): number {
  return items.reduce((sum, item) => sum + chargebackTotal(item), 0);
}

/** Returns the amount owed according to the report, including additional chargebacks, in cents. */
export function owedCents(row: MemberRow): number {
  return row.amount_cents + feesCents(row.report_type, row) + row.chargebacks_cents;
}

/** People reported more than once, and what they owe: groups of approved reports. */
export function offendersProjection(): Projection {
  return keyedProjection({
    ...ofReports,
    name: "offenders",
    schema: projectedSchemas.offenders,
    models: [members],
    writesInto(schema, options) {
      const rows = new KeyedRows(members, schema, options);
      return async (client, batch) => {
        const changes = await rows.fold(client, batch);
        await rows.write(client, await regroup(client, schema, changes));
      };
    },
  });
}

/** Writes who is reported more than once. @returns the changes, plus rows whose person changed. */
async function regroup(
  client: pg.ClientBase,
  schema: string,
  changes: Changes<MemberRow>,
): Promise<Changes<MemberRow>> {
  const { loaded, changed, removed } = changes;
  const touched = new Set(
    [...changed.keys(), ...removed].filter((id) => touchesGroups(loaded.get(id), changed.get(id))),
  );
  if (touched.size === 0) return changes;
  const befores = [...touched].map((id) => loaded.get(id));
  const afters = [...touched].map((id) => changed.get(id));
  await writeKeys(client, schema, befores, afters);
  const group = await loadGroups(client, schema, befores, afters);
  const members = new Map(changed);
  for (const [id, row] of group.members) {
    if (!members.has(id) && !removed.has(id)) members.set(id, row);
  }
  const inGroup = [...members.values()].filter(
    (member) => group.members.has(member.report_id) || touched.has(member.report_id),
  );
  const persons = personsOf(inGroup);
  const personOf = new Map(persons.flatMap(({ id, report_ids }) => report_ids.map((r) => [r, id])));
  for (const member of inGroup) {
    const person_id = personOf.get(member.report_id) ?? null;
    if (member.person_id !== person_id) members.set(member.report_id, { ...member, person_id });
    else if (!changed.has(member.report_id)) members.delete(member.report_id);
  }
  await writePersons(client, schema, group.personIds, persons);
  return { ...changes, loaded: new Map([...loaded, ...group.members]), changed: members };
}

/** Whether the change may affect the groups of approved reports. */
function touchesGroups(before: MemberRow | undefined, after: MemberRow | undefined): boolean {
  if (!before?.approved && !after?.approved) return false;
  return JSON.stringify(before) !== JSON.stringify(after);
}

/** Updates the approved reports' keys, before reports are looked up by them. */
async function writeKeys(
  client: pg.ClientBase,
  schema: string,
  befores: readonly (MemberRow | undefined)[],
  afters: readonly (MemberRow | undefined)[],
): Promise<void> {
  const pairs = (rows: readonly (MemberRow | undefined)[]) =>
    rows.flatMap((row) => (row?.keys ?? []).map((key) => ({ key, report_id: row?.report_id })));
  const [former, present] = [pairs(befores), pairs(afters)];
  const inserted = `insert into ${schema}.identity_key (key, report_id)
    select key, report_id from json_populate_recordset(null::${schema}.identity_key, $1::json)
    on conflict do nothing`;
  if (former.length > 0)
    await client.query(
      `delete from ${schema}.identity_key k
       using json_populate_recordset(null::${schema}.identity_key, $1::json) f
       where k.key = f.key and k.report_id = f.report_id`,
      [JSON.stringify(former)],
    );
  if (present.length > 0) await client.query(inserted, [JSON.stringify(present)]);
}

/** Loads approved reports whose groups may change: those that share a key or a person with a changed one. */
async function loadGroups(
  client: pg.ClientBase,
  schema: string,
  befores: readonly (MemberRow | undefined)[],
  afters: readonly (MemberRow | undefined)[],
): Promise<{ members: Map<string, MemberRow>; personIds: string[] }> {
  const keys = [...new Set(afters.flatMap((row) => row?.keys ?? []))];
  const persons = befores.flatMap((row) => (row?.person_id ? [row.person_id] : []));
  const { rows } = await client.query<{ row: MemberRow }>(
    `with sharing as materialized (
       select distinct report_id from ${schema}.identity_key where key = any($1::text[])
     ), person as materialized (
       select id, report_ids from ${schema}.person where id = any($2::uuid[])
       union
       select p.id, p.report_ids from sharing
       join ${schema}.member m using (report_id) join ${schema}.person p on p.id = m.person_id
     ), wanted as (
       select report_id from sharing union select unnest(report_ids) from person
     )
     select to_json(m) as row from wanted join ${schema}.member m using (report_id)`,
    [keys, persons],
  );
  const members = new Map(rows.map(({ row }) => [row.report_id, row]));
  const personIds = new Set(persons);
  for (const { person_id } of members.values()) if (person_id) personIds.add(person_id);
  return { members, personIds: [...personIds] };
}

async function writePersons(
  client: pg.ClientBase,
  schema: string,
  former: readonly string[],
  persons: readonly PersonRow[],
): Promise<void> {
  const kept = new Set(persons.map(({ id }) => id));
  const gone = former.filter((id) => !kept.has(id));
  if (gone.length > 0)
    await client.query(`delete from ${schema}.person where id = any($1::uuid[])`, [gone]);
  await upsertRows(client, { name: `${schema}.person`, key: "id" }, persons);
}

/** Groups approved reports linked by keys, two or more each. @param members complete groups. */
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
