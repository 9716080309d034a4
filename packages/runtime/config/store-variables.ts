import { Type } from "typebox";
import type { ServiceName } from "../db/service-roles.ts";
import { APIS, SERVICES } from "./readers.ts";
import { connectionsFrom, rolePassword, secretText, storeUrl } from "./schemas.ts";
import type { Variable } from "./variable.ts";

/** Connections to one PostgreSQL server: the least that a service needs, and its default budget. */
export const CONNECTIONS = {
  "command-api": { least: 3, most: 9 },
  "query-api": { least: 5, most: 9 },
  projector: { least: 15, most: 16 },
  mailer: { least: 7, most: 8 },
  // Of the service itself. Each backup is made by another process, which opens three more.
  backup: { least: 2, most: 2 },
} as const satisfies Record<ServiceName, { least: number; most: number }>;

function passwordOf(service: ServiceName) {
  return {
    schema: rolePassword(),
    meaning: `password of the role of ${service}; all five or none`,
    readBy: ["migrate"],
    otherwise: "one role serves all",
  } as const;
}

/** Where everything is stored, and as whom and with how many connections it is reached. */
export const storeVariables = {
  DATABASE_URL: {
    schema: storeUrl("postgres"),
    meaning:
      "PostgreSQL of the read models, accounts and the outbox; `?sslmode=verify-full&sslrootcert=` and a file verify its certificate and name",
    readBy: ["launcher", ...SERVICES, "migrate"],
    neededBy: [...SERVICES, "migrate"],
    otherwise: "embedded",
  },
  POSTGRES_BIN: {
    schema: Type.String(),
    meaning:
      "folder of another PostgreSQL's programs (`initdb` and `postgres`, 17 or newer), which then run in place of the embedded ones; the data folder keeps the major version that created it",
    readBy: ["launcher"],
    otherwise: "the programs that npm installed",
  },
  DATABASE_PASSWORD: {
    schema: secretText(),
    meaning: "password for every `postgres://` URL of this table that names a user without one",
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
      "connections that each service opens to one PostgreSQL server at most: a separate process, or each of the four in `npm start` (there `15` or more). A rebuild, and dropping what an interrupted one left, opens a few besides while it runs",
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
      "PostgreSQL of the event log, or EventStoreDB 22.6 or newer (`esdb://` or `esdb+discover://`; parameters of its connection string but `throwOnAppendFailure` and `tlsVerifyCert`)",
    readBy: ["launcher", ...SERVICES, "migrate", "bench"],
    neededBy: [...SERVICES, "migrate"],
    standIn: "DATABASE_URL",
    otherwise: "embedded",
  },
  SEARCH_URL: {
    schema: storeUrl("postgres", "http", "https"),
    meaning:
      "OpenSearch, `http://` or `https://` with user and password where it wants them; `?index=` names the index, by default `registry-search`, and `?tlsCAFile=` the file of a private certificate authority",
    readBy: ["launcher", "query-api", "projector", "migrate", "bench"],
    neededBy: ["query-api", "projector", "migrate"],
    standIn: "DATABASE_URL",
    otherwise: "in `DATABASE_URL`",
  },
  KEYS_URL: {
    schema: storeUrl("postgres"),
    meaning:
      "PostgreSQL of the keys: a separate one can have its own backups ([how keys move there](runbooks/processes.md#keys))",
    readBy: ["launcher", ...SERVICES, "migrate"],
    neededBy: [...SERVICES, "migrate"],
    standIn: "DATABASE_URL",
    otherwise: "embedded",
  },
  JOBS_URL: {
    schema: storeUrl("postgres", "redis", "rediss"),
    meaning:
      "PostgreSQL, or a `redis://` or `rediss://` server, of the queue of mails; with `rediss://`, `?tlsCAFile=` names the file of a private certificate authority",
    readBy: ["launcher", "mailer", "migrate", "bench"],
    neededBy: ["mailer", "migrate"],
    standIn: "DATABASE_URL",
    otherwise: "embedded",
  },
  FILES_URL: {
    schema: storeUrl("file", "s3"),
    meaning:
      "files, sealed: the whole path of a folder as in `file:///var/files` that every command-api, query-api and backup shares, or a bucket of S3 or of a server like it, `s3://key:secret@host/bucket` with `?region=` and `?tls=false` where needed ([more](runbooks/processes.md#files))",
    readBy: ["launcher", ...APIS, "backup"],
    neededBy: [...APIS, "backup"],
    otherwise: "files in `.data/files`",
  },
  ERASURES_URL: {
    schema: Type.Optional(storeUrl("file")),
    meaning:
      "ledger of erasures, which a restore demands: the whole path of a file as in `file:///var/registry/erasures` that every command-api, projector and backup shares, apart from all stores ([more](runbooks/backup.md))",
    readBy: ["launcher", "command-api", "projector", "backup"],
    otherwise: "`.data/erasures`; separate processes keep none",
  },
} as const satisfies Record<string, Variable>;
