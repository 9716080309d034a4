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

/** What is in no event: the command side, the emails to send, and the addresses of pages. */
export const DATA_SCHEMAS: readonly KeptSchema[] = [
  ...commandSchemas,
  { name: OUTBOX_SCHEMA, migrations: outboxMigrations },
  { name: ADDRESS_SCHEMA, migrations: addressMigrations },
];

export const KEYS_SCHEMAS: readonly KeptSchema[] = [
  { name: KEY_SCHEMA, migrations: keyMigrations },
];

/** Left out of backups: who looked at which report today, its key of the day, and jobs, which must not run twice. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  "views.seen",
  "views.day_key",
  "command.job",
  "command.job_line",
]);

/** Rights by object, in the syntax of `GRANT`. */
export type Rights = Readonly<Record<string, string>>;

const ROWS = "select, insert, update, delete";

/** VACUUM, ANALYZE and REINDEX, for erasures. Granted from PostgreSQL 17 on. */
export const MAINTAIN = "maintain";

/** What the rest of a schema gives does not hold for this object. */
export const NOTHING = "nothing";

const readsLog: Rights = { "event_log.event": "select" };

/** `KEY_USERS` says which of the rows a service sees. */
const readsServiceKeys: Rights = { "keys.master_key": "select", "keys.service_key": "select" };

const readsSubjectKeys: Rights = {
  "keys.subject_key": "select (subject, wrapped, key_version, destroyed_at)",
};

/** For roles that verify tokens. The view shows public keys but no wrapped keys. */
const readsPublicKeys: Rights = { "keys.public_key": "select" };

const projected: readonly ProjectedSchema[] = Object.values(projectedSchemas);

/** For the service that answers reads: every projected schema that is not the projector's alone. */
const readsProjected: Rights = Object.fromEntries(
  projected.filter(({ isPrivate }) => !isPrivate).map(({ name }) => [`${name}.*`, "select"]),
);

/** What it saw, for command-api to record. The trigger does the rest under its owner's rights. */
const observes = "insert (account_id, role, method, route, code)";

/** Row-level security leaves each service its own rows, of the process and of what it has answered. */
const reportsProcess: Rights = {
  "ops.process": ROWS,
  "ops.request": "select",
  "ops.answer": "select, insert",
};

/** Every table that is in a backup, its log and its keys, to read and no more. */
const readsBackedUp: Rights = {
  ...Object.fromEntries(
    [...DATA_SCHEMAS, ...KEYS_SCHEMAS].map(({ name }) => [`${name}.*`, "select"]),
  ),
  ...Object.fromEntries([...LEFT_OUT].map((table) => [table, NOTHING])),
  ...readsLog,
};

/** Schemas that a service owns, because it rebuilds and swaps them. Others belong to who runs `npm run migrate`. */
export const OWNED: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  projector: [...projected.map(({ name }) => name), "search"],
  mailer: ["jobs"],
};

/** Rights of each service's role. `schema.*`: every table and view but those with their own line, and `migration`. */
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
    // It locks the current row with FOR SHARE, which needs a right to update in PostgreSQL.
    "keys.master_key": "select, update (created_at)",
    "keys.subject_key": ROWS,
    ...reportsProcess,
    // It asks the others.
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
    // Not the blind index of a recipient, nor what a worker holds.
    "outbox.mail":
      "select (id, kind, report_id, account_id, inquiry_id, created_at, state, attempts, next_attempt_at, sent_at, dropped_at, dropped_reason, last_error, desk, template)",
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
    // For destroying a key: it clears the key's row, or inserts a row without a key.
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
    // How far a backup is that it was asked for.
    "ops.backup": "select, update (runner, beat_at, bytes, report)",
    // Which places it uses, and what is in them.
    "ops.backup_place": "select, insert (pair, list, listed_at), update (pair, list, listed_at)",
  },
};
