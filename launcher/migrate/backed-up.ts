import { commandSchemas } from "#command-tables/install.ts";
import { ADDRESS_SCHEMA, addressMigrations } from "#read-model/tables/address.ts";
import { OUTBOX_SCHEMA, outboxMigrations } from "#read-model/tables/outbox.ts";
import type { Migration } from "#runtime/db/migrate.ts";
import { KEY_SCHEMA, keyMigrations } from "#vault/keys/key-schema.ts";

/** A schema whose tables are in an archive, and the steps that create them. */
export interface KeptSchema {
  readonly name: string;
  readonly migrations: readonly Migration[];
}

/** What is in no event: the command side, the mails to send, and the addresses of pages. */
export const DATA_SCHEMAS: readonly KeptSchema[] = [
  ...commandSchemas,
  { name: OUTBOX_SCHEMA, migrations: outboxMigrations },
  { name: ADDRESS_SCHEMA, migrations: addressMigrations },
];

export const KEYS_SCHEMAS: readonly KeptSchema[] = [
  { name: KEY_SCHEMA, migrations: keyMigrations },
];

/**
 * Tables of these schemas that stay out, and that the role of backups may not read: who looked at which report
 * today, with the key of the day that makes it nobody's by night, and jobs, which must not run a second time.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  "views.seen",
  "views.day_key",
  "command.job",
  "command.job_line",
]);
