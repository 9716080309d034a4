import type { ServiceName } from "#runtime/db/service-roles.ts";

/** Rights to one object, as `GRANT` takes them. */
export type Rights = Readonly<Record<string, string>>;

const ROWS = "select, insert, update, delete";

/** VACUUM, ANALYZE and REINDEX, which an erasure needs; PostgreSQL 17 or newer, else not granted. */
export const MAINTAIN = "maintain";

const readsLog: Rights = { "event_log.event": "select" };

/** Which service sees which row is in `KEY_USERS`. */
const readsServiceKeys: Rights = { "keys.master_key": "select", "keys.service_key": "select" };

const readsSubjectKeys: Rights = {
  "keys.subject_key": "select (subject, wrapped, key_version, destroyed_at)",
};

/** For roles that verify tokens: the view shows public keys and nothing that is wrapped. */
const readsPublicKeys: Rights = { "keys.public_key": "select" };

/**
 * Schemas that a service owns: it makes them again under other names, and swaps. The rest belongs to
 * the role that runs `npm run migrate`.
 */
export const OWNED: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  projector: ["reports", "offenders", "audit", "search_source", "search"],
  mailer: ["jobs"],
};

/**
 * What each service's role may do, and nothing else. `schema.*` stands for every table and view of
 * a schema but `migration`, which whoever has a right in the schema may read.
 */
export const RIGHTS: Readonly<Record<ServiceName, Rights>> = {
  "command-api": {
    "command.*": ROWS,
    "views.*": ROWS,
    ...readsLog,
    "event_log.append(json)": "execute",
    ...readsServiceKeys,
    ...readsPublicKeys,
    // It shares the current row's lock, for which PostgreSQL asks a right to update.
    "keys.master_key": "select, update (created_at)",
    "keys.subject_key": ROWS,
  },
  "query-api": {
    "reports.*": "select",
    "offenders.*": "select",
    "audit.*": "select",
    "search.*": "select",
    "processor.checkpoint": "select",
    "processor.parked_stream": "select",
    "address.slug": "select",
    "views.report_views": "select",
    "command.account": "select (id, role, status, token_version, created_at, email_sealed)",
    "command.session": "select (id, account_id, expires_at, ended_at)",
    ...readsLog,
    ...readsServiceKeys,
    ...readsPublicKeys,
    ...readsSubjectKeys,
  },
  projector: {
    "processor.*": ROWS,
    "address.*": ROWS,
    "outbox.*": `${ROWS}, ${MAINTAIN}`,
    "command.*": MAINTAIN,
    "views.*": MAINTAIN,
    ...readsLog,
    ...readsServiceKeys,
    // To destroy a key: clear an existing row, or insert one without a key.
    "keys.subject_key":
      "select, insert (subject, destroyed_at), update (wrapped, key_version, destroyed_at)",
  },
  mailer: {
    "outbox.mail": "select, update, delete",
    ...readsLog,
    ...readsServiceKeys,
    ...readsSubjectKeys,
  },
};
