import { Type } from "typebox";
import { Value } from "typebox/value";
import { STAFF_PASSWORD_MIN } from "#contracts/account/password-rule.ts";
import { Email } from "#contracts/report/fields.ts";
import { backupVariables } from "./backup-variables.ts";
import { cardVariables } from "./card-variables.ts";
import { APIS, PROCESSES, SERVICES } from "./readers.ts";
import {
  mailsAtOnce,
  oneLine,
  portNumber,
  secretText,
  sensible,
  storeUrl,
  wholeNumber,
} from "./schemas.ts";
import { storeVariables } from "./store-variables.ts";
import {
  addressesProblem,
  originsProblem,
  type ProblemOf,
  urlProblem,
  webOriginProblem,
} from "./value-problems.ts";
import type { Variable } from "./variable.ts";

/**
 * Mails that a mailer has in progress at once, by default. Postfix takes 50 connections of one client, and some
 * servers fewer than this: those answer with a temporary error, and the mail is tried again.
 */
export const MAILS_AT_ONCE = 16;

const emailProblem: ProblemOf = (value) =>
  Value.Check(Email, value) ? undefined : "must be an e-mail address";

/** Every variable, in the order of docs/configuration.md. */
export const variables = {
  PORT: {
    schema: portNumber(),
    meaning: "port of everything, or of a separate process",
    readBy: ["launcher", ...PROCESSES],
    default: {
      launcher: 3000,
      "command-api": 3001,
      "query-api": 3002,
      projector: 3003,
      mailer: 3004,
      web: 3005,
      backup: 3007,
    },
  },
  HOST: {
    schema: Type.String(),
    meaning: "address to listen on",
    readBy: ["launcher", ...PROCESSES],
    default: "127.0.0.1",
  },
  PUBLIC_URL: {
    schema: sensible(webOriginProblem),
    meaning:
      "address in mails and canonical links; unless it is loopback, `/outbox`, `/metrics` and the checks of `/readyz` are closed on the public port. Set it, or `TRUST_PROXY`, behind any proxy: one on this machine that adds no header and keeps a loopback `Host` cannot be told from a local visitor",
    readBy: ["launcher", "command-api", "mailer", "web"],
    neededBy: ["mailer", "web"],
    otherwise: "made of `HOST` and `PORT`",
  },
  DATA_DIR: {
    schema: Type.String(),
    meaning: "folder of database, secrets, logs and mails",
    readBy: ["launcher"],
    otherwise: "`.data`",
  },
  ADMIN_EMAIL: {
    schema: sensible(emailProblem),
    meaning: "address of the first admin",
    readBy: ["launcher", "command-api"],
    otherwise: "made at first start",
  },
  ADMIN_PASSWORD: {
    schema: Type.String({
      minLength: STAFF_PASSWORD_MIN,
      maxLength: 200,
      must: `have ${STAFF_PASSWORD_MIN} to 200 characters`,
      secret: true,
    }),
    meaning: "password of the first admin",
    readBy: ["launcher", "command-api"],
    otherwise: "made at first start",
  },
  SAMPLE_DATA: {
    schema: Type.Enum(["none"], { must: "be none, or not set" }),
    meaning: "`none` leaves the sample reports out",
    readBy: ["launcher"],
    otherwise: "loaded into an empty log on loopback",
  },
  PRODUCT_NAME: {
    // It appears in the sender line of mails.
    schema: oneLine(100),
    meaning: "name on pages and mails",
    readBy: ["launcher", "command-api", "query-api", "mailer", "web"],
    default: "Chargeback Registry",
  },
  SUPPORT_EMAIL: {
    schema: sensible(emailProblem),
    meaning:
      "address for questions, on pages and mails, and the sender of mails; admins may set another one to write to under Settings",
    readBy: ["launcher", "command-api", "query-api", "mailer", "web"],
    default: "support@registry.example",
  },
  SALES_EMAIL: {
    schema: Type.Optional(sensible(emailProblem)),
    meaning:
      "address that gets inquiries about enterprise plans, unless admins have set another one under Settings",
    readBy: ["launcher", "mailer"],
    otherwise: "`SUPPORT_EMAIL`",
  },
  DMCA_AGENT_NAME: {
    schema: Type.Optional(oneLine(100)),
    meaning:
      "name of the agent designated for copyright notices, on the DMCA page; all four or none",
    readBy: ["launcher", ...APIS],
    otherwise: "the page says that there is none",
  },
  DMCA_AGENT_ADDRESS: {
    schema: Type.Optional(oneLine(300)),
    meaning: "the agent's postal address, in one line",
    readBy: ["launcher", ...APIS],
    otherwise: "none",
  },
  DMCA_AGENT_EMAIL: {
    schema: Type.Optional(sensible(emailProblem)),
    meaning: "the agent's e-mail address",
    readBy: ["launcher", ...APIS],
    otherwise: "none",
  },
  DMCA_AGENT_PHONE: {
    schema: Type.Optional(oneLine(100)),
    meaning: "the agent's phone number",
    readBy: ["launcher", ...APIS],
    otherwise: "none",
  },
  MASTER_KEY: {
    schema: secretText(),
    meaning:
      "wraps the keys of personal data: 32 bytes in base64 or hex; while rotating, the new one and the former one with a comma between",
    readBy: ["launcher", ...SERVICES, "migrate"],
    neededBy: [...SERVICES, "migrate"],
    otherwise: "made at first start, `.data/master-key`",
  },
  SMTP_URL: {
    schema: storeUrl("smtp", "smtps", "file"),
    meaning:
      "`smtp://` or `smtps://` server for mails; `smtp://` to another machine demands STARTTLS unless it ends in `?requireTLS=false`; or the whole path of a folder as in `file:///var/mails`",
    readBy: ["launcher", "mailer"],
    neededBy: ["mailer"],
    otherwise: "files in `.data/mail`",
  },
  MAILS_AT_ONCE: {
    schema: mailsAtOnce(),
    meaning:
      "mails that a mailer has in progress at once, from `1` to `100`, and so the most connections that it opens to the SMTP server",
    readBy: ["launcher", "mailer"],
    default: MAILS_AT_ONCE,
  },
  ...storeVariables,
  ...backupVariables,
  CLAMAV_URL: {
    schema: Type.Optional(sensible(urlProblem("tcp"))),
    meaning:
      "`tcp://` address of a ClamAV daemon that scans every upload, port 3310 unless it names another; while the daemon is away, files are refused with 503",
    readBy: ["launcher", "command-api"],
    otherwise: "files are not scanned",
  },
  ...cardVariables,
  TRUST_PROXY: {
    schema: Type.Integer({
      minimum: 0,
      maximum: 9,
      must: "be the number of proxies in front, 0 to 9",
    }),
    meaning:
      "exact number of proxies in front; behind HAProxy `1`, however many stand before it. HAProxy itself reads it too",
    readBy: ["launcher", ...APIS, "web"],
    default: 0,
  },
  RATE_LIMIT_URL: {
    schema: storeUrl("redis", "rediss"),
    meaning:
      "`redis://` or `rediss://` server for the counters of requests, shared by all processes, with `?tlsCAFile=` as in `JOBS_URL`; while it is away sign-in counts in memory and search is open",
    readBy: ["launcher", ...APIS, "bench"],
    otherwise: "counted in memory",
  },
  RATE_LIMIT: {
    schema: Type.Enum(["on", "off"], { must: "be on or off" }),
    meaning: "`off` for load tests; refused when `HOST` is not loopback",
    readBy: ["launcher", ...APIS, "web"],
    default: "on",
  },
  STAFF_SECOND_FACTOR: {
    schema: Type.Enum(["on", "off"], { must: "be on or off" }),
    meaning:
      "`on`: staff accounts without two-factor authentication can only sign in, set it up and manage their own account, unless admins have changed this under Settings. In `npm start` it is `off` with the embedded PostgreSQL, otherwise `on`",
    readBy: ["launcher", ...APIS],
    default: { "command-api": "on", "query-api": "on" },
  },
  UPDATE_CHECK: {
    schema: Type.Enum(["on", "off"], { must: "be on or off" }),
    meaning:
      "`on`: the action Check Updates and `npm run build` ask npm's package registry for known faults of the packages that are installed, and tell it their names and versions",
    readBy: ["launcher", "command-api"],
    default: "off",
  },
  SUPERVISED: {
    schema: Type.Enum(["on", "off"], { must: "be on or off" }),
    meaning:
      "`on`: whatever runs this process starts it again when it ends, also with the code 75 (Docker's `restart: unless-stopped`, Kubernetes, systemd's `Restart=on-failure`), so admins may restart it by the console ([more](runbooks/processes.md#restart))",
    readBy: SERVICES,
    default: "off",
  },
  TLS_CERTIFICATE: {
    schema: secretText(),
    meaning:
      "certificate, in PEM, with which a process speaks HTTPS on its ports; with `TLS_KEY`, its private key",
    readBy: [...APIS, "web"],
    otherwise: "HTTP",
  },
  TLS_KEY: {
    schema: secretText(),
    meaning: "private key of `TLS_CERTIFICATE`, in PEM",
    readBy: [...APIS, "web"],
  },
  COMMAND_API_URL: {
    schema: sensible(addressesProblem),
    meaning:
      "`http://` or `https://` addresses of the processes of command-api, with commas between; with `https://`, `?tlsCAFile=` names the file of a private certificate authority",
    readBy: ["web"],
    default: "http://127.0.0.1:3001",
  },
  QUERY_API_URL: {
    schema: sensible(addressesProblem),
    meaning: "the same for the processes of query-api",
    readBy: ["web"],
    default: "http://127.0.0.1:3002",
  },
  OPERATIONS_PORT: {
    schema: portNumber(),
    meaning:
      "second port of a process, with `/metrics` and a `/readyz` that tells every check; not for strangers",
    readBy: PROCESSES,
  },
  OPERATIONS_URLS: {
    schema: sensible(addressesProblem),
    meaning:
      "addresses, as in `COMMAND_API_URL`, of the operators' ports of web and HAProxy; each process that their names have is asked what it takes, for `/admin/system`",
    readBy: ["query-api"],
  },
  CORS_ORIGINS: {
    schema: sensible(originsProblem),
    meaning:
      "origins of other sites whose pages may call the API, `http://` or `https://`, with commas between",
    readBy: ["launcher", ...APIS],
  },
  LOG_LEVEL: {
    schema: Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      must: "be debug, info, warn or error",
    }),
    meaning: "`debug`, `info`, `warn` or `error`",
    readBy: ["launcher", ...PROCESSES],
    default: "info",
  },
  TEST_EVENT_STORE_URL: {
    schema: storeUrl("esdb", "esdb+discover"),
    meaning:
      "EventStoreDB for the tests, fresh or used; they leave their events behind. The test of many processes takes it only while it is empty ([CONTRIBUTING.md](../CONTRIBUTING.md))",
    readBy: ["tests"],
  },
  TEST_SEARCH_URL: {
    schema: storeUrl("http", "https"),
    meaning: "OpenSearch node for the tests, besides the one that they start themselves",
    readBy: ["tests"],
  },
  TEST_REDIS_URL: {
    schema: storeUrl("redis", "rediss"),
    meaning: "Redis server for the tests, besides the `redis-server` that they start themselves",
    readBy: ["tests"],
  },
  TEST_S3_URL: {
    schema: storeUrl("s3"),
    meaning:
      "S3 server for the tests, without a bucket, instead of the one that they start themselves",
    readBy: ["tests"],
  },
  TEST_SEED: {
    schema: wholeNumber(),
    meaning: "repeats what a run of tests that failed chose at random",
    readBy: ["tests"],
    otherwise: "another one in each run",
  },
  TEST_RUNS: {
    schema: wholeNumber(),
    meaning: "random histories that the projections are tried with",
    readBy: ["tests"],
    otherwise: "few",
  },
  CHROMIUM_PATH: {
    schema: Type.String(),
    meaning: "browser of the end-to-end tests",
    readBy: ["tests"],
    otherwise: "looked for in the usual places",
  },
} as const satisfies Record<string, Variable>;
