import type pg from "pg";
import { subjects } from "#contracts/sealed.ts";
import { LOG_STREAM } from "#event-store/log-epoch.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { OpenedEvent, Projection, ProjectionWriter } from "../../daemon/projection.ts";
import {
  areEmpty,
  isOfEarlierVersion,
  outdatedSchema,
  rebuildSchema,
  type WriterOptions,
} from "../../keyed/projected-schema.ts";
import { upsertRows, writeRows } from "../../keyed/row-writes.ts";
import { deletedReport, reportOf } from "../../streams.ts";
import { foldMembers, type MemberChanges, type MemberRow } from "./member-fold.ts";
import { type PersonRow, personsOf } from "./persons.ts";

const MEMBER_COLUMNS = [
  "report_id",
  "approved",
  "person_id",
  "identity",
  "keys",
  "report_type",
  "currency",
  "amount_cents",
  "chargeback_fee_cents",
  "other_fees_cents",
  "chargebacks_cents",
  "created_at",
] as const satisfies readonly (keyof MemberRow)[];
const PERSON_COLUMNS = [
  "id",
  "report_count",
  "report_ids",
  "totals",
  "usd_total_cents",
  "shares",
  "latest_report_id",
  "latest_at",
] as const satisfies readonly (keyof PersonRow)[];

/** Events that say nothing about who is reported, for how much, and whether it is public. */
const OF_NO_ACCOUNT = new Set([
  "ReportVerificationResent",
  "ReportVerifiedByLink",
  "ReportVerifiedByHand",
  "ReportVerificationWithdrawn",
]);

function offendersWriter(schema: string, { bulk = false }: WriterOptions = {}): ProjectionWriter {
  return {
    async apply(client, { events, keys }) {
      const loaded = await loadMembers(client, schema, events);
      const changes = foldMembers(loaded, events, keys);
      // Members of a group that others touched are there, and were loaded with it.
      const isNew = (id: string) => bulk && changes.changed.has(id) && !loaded.has(id);
      await writeChanges(client, schema, loaded, changes, isNew);
    },
    async erase(client, event) {
      const reportId = deletedReport(event);
      if (!reportId) return;
      const loaded = await membersById(client, schema, [reportId]);
      const changes = { changed: new Map(), removed: new Set(loaded.keys()) };
      await writeChanges(client, schema, loaded, changes, () => false);
    },
  };
}

/** The rows that the stretch touches; those of reports that begin in it cannot be there. */
async function loadMembers(
  client: pg.ClientBase,
  schema: string,
  events: readonly OpenedEvent[],
): Promise<Map<string, MemberRow>> {
  const ids = new Set<string>();
  const begun = new Set<string>();
  for (const { stored } of events) {
    const id = reportOf(stored.stream);
    if (!id || OF_NO_ACCOUNT.has(stored.type)) continue;
    if (stored.revision === 0) begun.add(id);
    else if (!begun.has(id)) ids.add(id);
  }
  return membersById(client, schema, [...ids]);
}

async function membersById(
  client: pg.ClientBase,
  schema: string,
  ids: readonly string[],
): Promise<Map<string, MemberRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ row: MemberRow }>(
    `select to_json(m) as row from ${schema}.member m where report_id = any($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ row }) => [row.report_id, row]));
}

/** Whether the groups of approved reports may be others than before. */
function touchesGroups(before: MemberRow | undefined, after: MemberRow | undefined): boolean {
  if (!before?.approved && !after?.approved) return false;
  return JSON.stringify(before) !== JSON.stringify(after);
}

async function writeChanges(
  client: pg.ClientBase,
  schema: string,
  loaded: ReadonlyMap<string, MemberRow>,
  { changed, removed }: MemberChanges,
  isNew: (id: string) => boolean,
): Promise<void> {
  const touched = new Set(
    [...changed.keys(), ...removed].filter((id) => touchesGroups(loaded.get(id), changed.get(id))),
  );
  const members = new Map(changed);
  if (touched.size > 0) {
    const befores = [...touched].map((id) => loaded.get(id));
    const afters = [...touched].map((id) => changed.get(id));
    await writeKeys(client, schema, befores, afters);
    const group = await loadGroups(client, schema, befores, afters);
    for (const [id, row] of group.members) {
      if (!members.has(id) && !removed.has(id)) members.set(id, row);
    }
    const inGroup = [...members.values()].filter(
      (member) => group.members.has(member.report_id) || touched.has(member.report_id),
    );
    const persons = personsOf(inGroup);
    const personOf = new Map(
      persons.flatMap(({ id, report_ids }) => report_ids.map((r) => [r, id])),
    );
    for (const member of inGroup) {
      const person_id = personOf.get(member.report_id) ?? null;
      if (member.person_id !== person_id) members.set(member.report_id, { ...member, person_id });
      else if (!changed.has(member.report_id)) members.delete(member.report_id);
    }
    await writePersons(client, schema, group.personIds, persons);
  }
  await writeMembers(client, schema, [...members.values()], [...removed], isNew);
}

/** Brings the keys of the approved reports up to date, before they are looked up by them. */
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

/**
 * Every approved report that hangs together, now or before, with those that changed: those that
 * share one of their keys, and whole the persons that any of these belongs to.
 */
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
  await upsertRows(client, { name: `${schema}.person`, columns: PERSON_COLUMNS }, persons);
}

async function writeMembers(
  client: pg.ClientBase,
  schema: string,
  members: readonly MemberRow[],
  removed: readonly string[],
  isNew: (id: string) => boolean,
): Promise<void> {
  if (removed.length > 0)
    await client.query(`delete from ${schema}.member where report_id = any($1::uuid[])`, [removed]);
  const table = { name: `${schema}.member`, columns: MEMBER_COLUMNS, lists: ["keys"] };
  await writeRows(client, table, members, ({ report_id }) => isNew(report_id));
}

/** Who is reported more than once, and what they owe: groups of approved reports. */
export function offendersProjection(): Projection {
  const schema = projectedSchemas.offenders;
  return {
    ...offendersWriter(schema.name),
    name: "offenders",
    filter: { streamPrefixes: ["report-", LOG_STREAM] },
    opens: true,
    repeatable: true,
    keysOf: ({ stream, type }) => {
      const id = reportOf(stream);
      return id && !OF_NO_ACCOUNT.has(type) && type !== "ReportDeleted"
        ? [subjects.personal(id)]
        : [];
    },
    isEmpty: (client) => areEmpty(client, ["offenders.member"]),
    isOfEarlierVersion: (sql) => isOfEarlierVersion(sql, schema),
    outdated: (client) => outdatedSchema(client, schema),
    schemas: [schema.name],
    rebuild: (pool) => rebuildSchema(pool, schema, offendersWriter),
  };
}
