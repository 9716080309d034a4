import { commandSchemas } from "#command-tables/install.ts";
import { type ProjectedSchema, projectedSchemas } from "#read-model/install.ts";
import { ADDRESS_SCHEMA, addressMigrations } from "#read-model/tables/address.ts";
import { OUTBOX_SCHEMA, outboxMigrations } from "#read-model/tables/outbox.ts";
import type { Migration } from "#runtime/db/migrate.ts";
import type { ServiceName } from "#runtime/db/service-roles.ts";
import { KEY_SCHEMA, keyMigrations } from "#vault/keys/key-schema.ts";

/** A schema whose tables are in an archive, and the steps that create them. */
export interface KeptSchema {
  readonly name: string;
  readonly migrations: readonly Migration[];
}

/** Data that is in no event: the command side, the outbox, and page addresses. */
export const DATA_SCHEMAS: readonly KeptSchema[] = [
  ...commandSchemas,
  { name: OUTBOX_SCHEMA, migrations: outboxMigrations },
  { name: ADDRESS_SCHEMA, migrations: addressMigrations },
];

export const KEYS_SCHEMAS: readonly KeptSchema[] = [
  { name: KEY_SCHEMA, migrations: keyMigrations },
];

/** Left out of backups: today's report viewers, the daily key for them, and jobs, which must not run twice. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  "views.seen",
  "views.day_key",
  "command.job",
  "command.job_line",
]);

/** Rights by object, in `GRANT` syntax. */
export type Rights = Readonly<Record<string, string>>;

const ROWS = "select, insert, update, delete";

/** VACUUM, ANALYZE and REINDEX, for erasures. Granted from PostgreSQL 17 on. */
export const MAINTAIN = "maintain";

/** Exempts the object from the rights on its schema. */
export const NOTHING = "nothing";

const readsLog: Rights = { "event_log.event": "select" };

/** `KEY_USERS` lists the rows that a service sees. */
const readsServiceKeys: Rights = { "keys.master_key": "select", "keys.service_key": "select" };

const readsSubjectKeys: Rights = {
  "keys.subject_key": "select (subject, wrapped, key_version, destroyed_at)",
};

/** For roles that verify tokens. The view shows public keys but no wrapped keys. */
const readsPublicKeys: Rights = { "keys.public_key": "select" };

const projected: readonly ProjectedSchema[] = Object.values(projectedSchemas);

/** For the service that answers reads: every projected schema except the projector's private ones. */
const readsProjected: Rights = Object.fromEntries(
  projected.filter(({ isPrivate }) => !isPrivate).map(({ name }) => [`${name}.*`, "select"]),
);

/** Observed calls, for command-api to record. The trigger does the rest with its owner's rights. */
const observes = "insert (account_id, role, method, route, code)";

/** Row-level security limits each service to its own rows in both tables. */
const reportsProcess: Rights = {
  "ops.process": ROWS,
  "ops.request": "select",
  "ops.answer": "select, insert",
};

/** Read-only access to every table in a backup, the log and the keys. */
const readsBackedUp: Rights = {
  ...Object.fromEntries(
    [...DATA_SCHEMAS, ...KEYS_SCHEMAS].map(({ name }) => [`${name}.*`, "select"]),
  ),
  ...Object.fromEntries([...LEFT_OUT].map((table) => [table, NOTHING])),
  ...readsLog,
};

/** Schemas that a service owns because it rebuilds them. The role of `npm run migrate` owns the others. */
export const OWNED: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  projector: [...projected.map(({ name }) => name), "search"],
  mailer: ["jobs"],
};

/** Rights of each service's role. `schema.*`: all tables and views without an entry, except `migration`. */
export const RIGHTS: Readonly<Record<ServiceName, Rights>> = {
  "command-api": {
    "command.*": ROWS,
    "views.*": ROWS,
    "outbox.mail":
      "select (id, kind, epoch, state, dropped_reason, report_id, account_id, inquiry_id, event_id, revision, created_at, sent_at, template, figures, template_kind, own_report_id, further_report_id)",
    ...readsLog,
    "event_log.append(json)": "execute",
    ...readsServiceKeys,
    ...readsPublicKeys,
    // It locks the current row with FOR SHARE, which requires an update right in PostgreSQL.
    "keys.master_key": "select, update (created_at)",
    "keys.subject_key": ROWS,
    ...reportsProcess,
    // Only it makes requests to the other processes.
    "ops.request": "select, insert, delete",
    "ops.backup": "select, insert (id, task), update (wanted_at), delete",
    "ops.observed": `select, ${observes}, update (recorded, recording), delete`,
  },
  "query-api": {
    ...readsProjected,
    "search.*": "select",
    "processor.checkpoint": "select",
    "processor.parked_stream": "select",
    "address.slug": "select",
    "views.report_views": "select",
    // Not a recipient's blind index or a worker's lease.
    "outbox.mail":
      "select (id, kind, report_id, account_id, inquiry_id, created_at, state, attempts, next_attempt_at, sent_at, dropped_at, dropped_reason, last_error, inbox, template)",
    "outbox.template_use": "select",
    "command.account": "select (id, role, status, token_version, factor_id)",
    "command.session":
      "select (id, account_id, started_at, last_used_at, expires_at, ended_at, proved_at, active_at)",
    "command.job":
      "select (id, kind, account_id, state, done, total, error_code, error_message, stop_asked_by, position, created_at, started_at, ended_at)",
    "command.job_line": "select",
    "command.queue_lease": "select",
    "command.saved_filter": "select",
    ...readsLog,
    ...readsServiceKeys,
    ...readsPublicKeys,
    ...readsSubjectKeys,
    ...reportsProcess,
    "ops.backup_place": "select (list, listed_at)",
    "ops.observed": observes,
  },
  projector: {
    "processor.*": ROWS,
    "address.*": ROWS,
    "outbox.*": `${ROWS}, ${MAINTAIN}`,
    "command.*": MAINTAIN,
    "views.*": MAINTAIN,
    "views.report_week": `select, ${MAINTAIN}`,
    ...readsLog,
    ...readsServiceKeys,
    // To destroy a key, it clears the key's row, or inserts a row without a key.
    "keys.subject_key":
      "select, insert (subject, destroyed_at), update (wrapped, key_version, destroyed_at)",
    ...reportsProcess,
  },
  mailer: {
    "outbox.mail": "select, update, delete",
    "outbox.counted": "select, delete",
    "outbox.template_use": "select, insert, update",
    ...readsLog,
    ...readsServiceKeys,
    ...readsSubjectKeys,
    ...reportsProcess,
  },
  backup: {
    ...readsBackedUp,
    ...reportsProcess,
    // Progress of a requested backup.
    "ops.backup": "select, update (runner, beat_at, bytes, report)",
    // The backup locations and their contents.
    "ops.backup_place": "select, insert (pair, list, listed_at), update (pair, list, listed_at)",
  },
};
