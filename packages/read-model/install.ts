import type { Pool, PoolClient } from "pg";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import {
  applyMigrations,
  CREATE_TRIGRAMS,
  inTransaction,
  orRunMigrate,
  vacuumSoon,
} from "#runtime/db/migrate.ts";
import { REPORT_SEARCH_FIELDS, REPORT_TERMS, REPORT_TEXT } from "./report-filter.ts";
import { ACCOUNTS_LAYOUT, createAccountTables } from "./tables/account.ts";
import { ADDRESS_SCHEMA, addressMigrations } from "./tables/address.ts";
import { AUDIT_LAYOUT, createAuditIndexes, createAuditTables } from "./tables/audit.ts";
import { CONTENT_LAYOUT, createContentIndexes, createContentTables } from "./tables/content.ts";
import { createInquiryIndexes, createInquiryTables, INQUIRIES_LAYOUT } from "./tables/inquiry.ts";
import {
  createOffenderIndexes,
  createOffenderTables,
  OFFENDERS_LAYOUT,
} from "./tables/offender.ts";
import { OUTBOX_SCHEMA, outboxMigrations } from "./tables/outbox.ts";
import { PROCESSOR_SCHEMA, processorMigrations } from "./tables/processor.ts";
import {
  createReportTables,
  DELETION_ERASE_AT,
  IS_UNCONFIRMED,
  REPORTS_LAYOUT,
  RESOLUTION_STAGE,
} from "./tables/report.ts";
import { createFileIndexes, createStatsIndexes } from "./tables/report-stats.ts";
import { createSettingsTables, SETTINGS_LAYOUT } from "./tables/settings.ts";
import { createUserIndexes, createUserTables, USERS_LAYOUT } from "./tables/user.ts";

/** Incremented with every change to these tables. An older layout triggers a rebuild. */
const SEARCH_SOURCE_LAYOUT = 3;

/**
 * `search_source.report`: the source of the search's documents, one row for each report that is neither deleted
 * nor erased. Reports that are not public must not be in the index, so their texts wait here, sealed, until
 * approval. Only the projector reads it.
 */
function createSearchSourceTables(schema: string): string {
  return `
    create table ${schema}.report (
      report_id uuid primary key,
      approved boolean not null,
      clear jsonb not null,
      texts jsonb not null,
      created_at timestamptz not null
    );
    ${vacuumSoon(`${schema}.report`)}
  `;
}

/** A schema that is projected from the log. A rebuild creates it again under another name. */
export interface ProjectedSchema {
  readonly name: string;
  /** Version of its tables, stored as the schema's comment. */
  readonly layout: number;
  /** Whether only the projector reads it. */
  readonly isPrivate?: boolean;
  /** DDL of the tables with their primary keys, in the schema with this name. */
  createTables(schema: string): string;
  /** DDL of everything else, run once the rows are there. */
  createIndexes(schema: string): string;
}

export const projectedSchemas = {
  reports: {
    name: "reports",
    layout: REPORTS_LAYOUT,
    createTables: createReportTables,
    createIndexes: createReportIndexes,
  },
  offenders: {
    name: "offenders",
    layout: OFFENDERS_LAYOUT,
    createTables: createOffenderTables,
    createIndexes: createOffenderIndexes,
  },
  audit: {
    name: "audit",
    layout: AUDIT_LAYOUT,
    createTables: createAuditTables,
    createIndexes: createAuditIndexes,
  },
  accounts: {
    name: "accounts",
    layout: ACCOUNTS_LAYOUT,
    createTables: createAccountTables,
    createIndexes: () => "",
  },
  content: {
    name: "content",
    layout: CONTENT_LAYOUT,
    createTables: createContentTables,
    createIndexes: createContentIndexes,
  },
  settings: {
    name: "settings",
    layout: SETTINGS_LAYOUT,
    createTables: createSettingsTables,
    createIndexes: () => "",
  },
  users: {
    name: "users",
    layout: USERS_LAYOUT,
    createTables: createUserTables,
    createIndexes: createUserIndexes,
  },
  inquiries: {
    name: "inquiries",
    layout: INQUIRIES_LAYOUT,
    createTables: createInquiryTables,
    createIndexes: createInquiryIndexes,
  },
  search_source: {
    name: "search_source",
    layout: SEARCH_SOURCE_LAYOUT,
    isPrivate: true,
    createTables: createSearchSourceTables,
    createIndexes: () => "",
  },
} as const satisfies Record<string, ProjectedSchema>;

/**
 * Creates or migrates the read side's tables: {@link installReadTables} and {@link installOutbox}. If nothing is
 * missing, it only reads. Any number of processes may call it at the same time.
 * @throws {CannotStart} if something is missing and the role may not create it.
 */
export async function installReadModel(pool: Pool): Promise<void> {
  await installReadTables(pool);
  await installOutbox(pool);
}

/** Installs the tables for reads. A schema with an earlier layout stays until the projector has rebuilt it. */
export async function installReadTables(pool: Pool): Promise<void> {
  await applyMigrations(pool, PROCESSOR_SCHEMA, processorMigrations);
  await applyMigrations(pool, ADDRESS_SCHEMA, addressMigrations);
  for (const schema of Object.values(projectedSchemas)) {
    if (await isThere(pool, schema)) continue;
    const make = (client: PoolClient) => installSchema(client, schema);
    await orRunMigrate(inTransaction(pool, make, { isLong: true }));
  }
}

/** Installs the outbox, which projector and mailer share. */
export async function installOutbox(pool: Pool): Promise<void> {
  await applyMigrations(pool, OUTBOX_SCHEMA, outboxMigrations);
}

async function installSchema(client: PoolClient, schema: ProjectedSchema): Promise<void> {
  await lockUntilCommit(client, `install:${schema.name}`);
  if (await isThere(client, schema)) return;
  await makeSchema(client, schema, schema.name);
  await client.query(schema.createIndexes(schema.name));
}

async function isThere(sql: Pick<Pool, "query">, { name }: ProjectedSchema): Promise<boolean> {
  const { rows } = await sql.query("select 1 from pg_namespace where nspname = $1", [name]);
  return rows.length > 0;
}

/** Creates a projected schema under the given name, with its tables and without its indexes. */
export async function makeSchema(
  client: Pick<PoolClient, "query">,
  schema: ProjectedSchema,
  as: string,
): Promise<void> {
  await client.query(`create schema ${as}`);
  await client.query(`comment on schema ${as} is 'layout ${schema.layout}'`);
  await client.query(schema.createTables(as));
  if (schema.isPrivate) await client.query(keepPrivate(as));
}

/** Returns SQL that revokes the default privileges on a new schema from everyone but its owner. */
function keepPrivate(schema: string): string {
  return `do $$
    declare reader text;
    begin
      for reader in
        select distinct grantee::regrole::text
        from pg_namespace n, aclexplode(n.nspacl)
        where n.nspname = '${schema}' and grantee not in (0, n.nspowner)
      loop
        execute 'revoke all on all tables in schema ${schema} from ' || reader;
        execute 'revoke all on schema ${schema} from ' || reader;
      end loop;
    end $$`;
}

/** Returns a sentence about each live schema whose layout this version cannot read. */
export async function otherLayouts(sql: Pick<Pool, "query">): Promise<string[]> {
  const wanted = Object.values(projectedSchemas);
  const { rows } = await sql.query<{ name: string; comment: string | null; layout: string }>(
    `select name, obj_description(oid, 'pg_namespace') as comment, layout
     from unnest($1::text[], $2::text[]) as wanted (name, layout)
     left join pg_namespace on nspname = name
     where obj_description(oid, 'pg_namespace') is distinct from layout order by name`,
    [wanted.map(({ name }) => name), wanted.map(({ layout }) => `layout ${layout}`)],
  );
  return rows.map(
    ({ name, comment, layout }) =>
      `the schema "${name}" has ${comment ?? "no layout"} instead of ${layout}`,
  );
}

/** Returns the layout with which the live schema was created, or undefined if it does not exist. */
export async function layoutOf(
  client: Pick<PoolClient, "query">,
  schema: string,
): Promise<number | undefined> {
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = $1`,
    [schema],
  );
  const layout = /^layout (\d+)$/.exec(rows[0]?.comment ?? "")?.[1];
  return layout === undefined ? undefined : Number(layout);
}

/** Returns the DDL that a rebuild runs once it has filled the tables. */
export function createReportIndexes(schema: string): string {
  const ofRow = (expression: string) => expression.replace(/\br\./g, "");
  return `
    ${CREATE_TRIGRAMS}
    -- A report's page.
    create index report_by_slug on ${schema}.report (slug);
    -- Newest reports of the public lists.
    create index report_approved_newest on ${schema}.report (created_at desc, id desc)
      where status = 'approved';
    -- The moderators' lists, by each of their sorts, and the counts of their tabs.
    create index report_newest on ${schema}.report (created_at desc, id desc);
    create index report_by_status on ${schema}.report (status desc, created_at desc, id desc);
    create index report_by_status_and_id on ${schema}.report (status, id);
    create index report_by_change on ${schema}.report (updated_at desc, id desc);
    create index report_by_name on ${schema}.report (last_name, id);
    create index report_by_amount on ${schema}.report (amount_cents, id);
    -- An account's own reports, newest first, and their number.
    create index report_by_owner on ${schema}.report (owner_id, owned_since desc)
      where owner_id is not null;
    -- An account's own reports about an order, newest first.
    create index report_by_own_order on ${schema}.report
      (owner_id, lower(tracking_number), owned_since desc)
      where owner_id is not null and tracking_number is not null;
    alter index ${schema}.report_by_own_order alter column 2 set statistics 0;
    -- Requests for the RESOLVED banner by stage, those that moved on last first.
    create index report_by_resolution on ${schema}.report
      ((${RESOLUTION_STAGE}), resolution_at desc, id desc) where resolution_at is not null;
    -- Reports of a visitor: those that an account may claim, and the newest for a name to show.
    create index report_by_address on ${schema}.report (reporter_blind, created_at desc)
      where owner_id is null and reporter_blind is not null;
    -- Reports that were sent from an address, the newest first.
    create index report_by_reporter on ${schema}.report (reporter_blind, created_at desc)
      where reporter_blind is not null;
    -- Pending reports whose reporter has not confirmed the address.
    create index report_unconfirmed on ${schema}.report (created_at desc, id desc)
      where ${IS_UNCONFIRMED};
    -- Reports that wait for their reporter, and those that were answered.
    create index report_asked on ${schema}.report (asked_until) where asked_until is not null;
    create index report_answered on ${schema}.report (answered_at) where answered_at is not null;
    -- Deletions that wait for another admin.
    create index report_deletion_requested on ${schema}.report (created_at desc, id desc)
      where deletion_request is not null;
    -- Deleted reports in the order in which they are erased.
    create index hidden_report_by_end on ${schema}.hidden_report (${DELETION_ERASE_AT}, id);
    -- The lists' filters. No statistics of texts are kept; see NAMING_COLUMNS.
    create index report_by_filter on ${schema}.report
      using gin ((${ofRow(REPORT_TERMS)}), (${ofRow(REPORT_SEARCH_FIELDS)}),
        (${ofRow(REPORT_TEXT)}) public.gin_trgm_ops);
    alter index ${schema}.report_by_filter alter column 2 set statistics 0,
      alter column 3 set statistics 0;
    -- Possible matches of a pending report.
    create index report_by_match_key on ${schema}.report using gin (match_keys);
    ${createStatsIndexes(schema)}
    ${createFileIndexes(schema)}
  `;
}
