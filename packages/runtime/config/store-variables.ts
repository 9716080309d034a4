import { Type } from "typebox";
import type { ServiceName } from "../db/service-roles.ts";
import {
  APIS,
  connectionsFrom,
  rolePassword,
  SERVICES,
  secretText,
  storeUrl,
  type Variable,
} from "./schemas.ts";

/** Connections to one PostgreSQL server: the minimum a service needs, and its default budget. */
export const CONNECTIONS = {
  // In command-api, a takedown and the daily backup each open one more while they run.
  "command-api": { least: 3, most: 9 },
  "query-api": { least: 5, most: 9 },
  projector: { least: 15, most: 16 },
  mailer: { least: 7, most: 8 },
  // The service's own. Each backup runs in another process, which opens three more.
  backup: { least: 2, most: 2 },
} as const satisfies Record<ServiceName, { least: number; most: number }>;

function passwordOf(service: ServiceName) {
  return {
    schema: rolePassword(),
    meaning: `password of ${service}'s role. Set all five or none`,
    readBy: ["migrate"],
    otherwise: "one role serves all",
  } as const;
}

export const storeVariables = {
  DATABASE_URL: {
    schema: storeUrl("postgres"),
    meaning:
      "PostgreSQL for read models, accounts and outbox. `?sslmode=verify-full&sslrootcert=FILE` verifies its certificate and name",
    readBy: ["launcher", ...SERVICES, "migrate"],
    neededBy: [...SERVICES, "migrate"],
    otherwise: "embedded",
  },
  POSTGRES_BIN: {
    schema: Type.String(),
    meaning:
      "folder with `initdb` and `postgres` (17 or newer) to run instead of the embedded ones. A data folder keeps the major version that created it",
    readBy: ["launcher"],
    otherwise: "the programs from npm",
  },
  DATABASE_PASSWORD: {
    schema: secretText(),
    meaning:
      "password for every `postgres://` URL in this table that names a user without a password",
    readBy: ["launcher", ...SERVICES, "migrate"],
  },
  COMMAND_API_PASSWORD: passwordOf("command-api"),
  QUERY_API_PASSWORD: passwordOf("query-api"),
  PROJECTOR_PASSWORD: passwordOf("projector"),
  MAILER_PASSWORD: passwordOf("mailer"),
  BACKUP_PASSWORD: passwordOf("backup"),
  DATABASE_CONNECTIONS: {
    schema: connectionsFrom(Math.max(...Object.values(CONNECTIONS).map(({ least }) => least))),
    schemaOf: {
      "command-api": connectionsFrom(CONNECTIONS["command-api"].least),
      "query-api": connectionsFrom(CONNECTIONS["query-api"].least),
      projector: connectionsFrom(CONNECTIONS.projector.least),
      mailer: connectionsFrom(CONNECTIONS.mailer.least),
      backup: connectionsFrom(CONNECTIONS.backup.least),
    },
    meaning:
      "maximum number of connections that a service opens to one PostgreSQL server (in `npm start` at least `15`). A rebuild opens a few more",
    readBy: ["launcher", ...SERVICES],
    default: {
      "command-api": CONNECTIONS["command-api"].most,
      "query-api": CONNECTIONS["query-api"].most,
      projector: CONNECTIONS.projector.most,
      mailer: CONNECTIONS.mailer.most,
      backup: CONNECTIONS.backup.most,
    },
  },
  EVENT_STORE_URL: {
    schema: storeUrl("postgres", "esdb", "esdb+discover"),
    meaning:
      "PostgreSQL of the event log, or EventStoreDB 22.6 or newer (`esdb://` or `esdb+discover://`, with the parameters of its connection string except `throwOnAppendFailure` and `tlsVerifyCert`)",
    readBy: ["launcher", ...SERVICES, "migrate", "bench"],
    neededBy: [...SERVICES, "migrate"],
    standIn: "DATABASE_URL",
    otherwise: "embedded",
  },
  SEARCH_URL: {
    schema: storeUrl("postgres", "http", "https"),
    meaning:
      "OpenSearch, `http://` or `https://`, with user and password if required. `?index=` names the index (default `registry-search`), `?tlsCAFile=` the file of a private certificate authority",
    readBy: ["launcher", "query-api", "projector", "migrate", "bench"],
    neededBy: ["query-api", "projector", "migrate"],
    standIn: "DATABASE_URL",
    otherwise: "in `DATABASE_URL`",
  },
  KEYS_URL: {
    schema: storeUrl("postgres"),
    meaning:
      "PostgreSQL of the keys. A separate one can have its own backups ([how to move the keys](runbooks/processes.md#keys))",
    readBy: ["launcher", ...SERVICES, "migrate"],
    neededBy: [...SERVICES, "migrate"],
    standIn: "DATABASE_URL",
    otherwise: "embedded",
  },
  JOBS_URL: {
    schema: storeUrl("postgres", "redis", "rediss"),
    meaning:
      "PostgreSQL, or a `redis://` or `rediss://` server, for the email queue. With `rediss://`, `?tlsCAFile=` names the file of a private certificate authority",
    readBy: ["launcher", "mailer", "migrate", "bench"],
    neededBy: ["mailer", "migrate"],
    standIn: "DATABASE_URL",
    otherwise: "embedded",
  },
  FILES_URL: {
    schema: storeUrl("file", "s3"),
    meaning:
      "encrypted files: an absolute path of a folder (`file:///var/files`) that every command-api, query-api and backup shares, or an S3 bucket, `s3://key:secret@host/bucket` with `?region=` and `?tls=false` if needed ([more](runbooks/processes.md#files))",
    readBy: ["launcher", ...APIS, "backup"],
    neededBy: [...APIS, "backup"],
    otherwise: "files in `.data/files`",
  },
  ERASURES_URL: {
    schema: Type.Optional(storeUrl("file")),
    meaning:
      "ledger of erasures, required for a restore: an absolute path of a file (`file:///var/registry/erasures`) that every command-api, projector and backup shares, apart from all stores ([more](runbooks/backup.md#the-ledger-of-erasures))",
    readBy: ["launcher", "command-api", "projector", "backup"],
    otherwise: "`.data/erasures`; none for separate processes",
  },
} as const satisfies Record<string, Variable>;
