import { Type } from "typebox";
import { Value } from "typebox/value";
import { STAFF_PASSWORD_MIN } from "#contracts/account/password-rule.ts";
import { Email } from "#contracts/report/fields.ts";
import {
  APIS,
  mailsAtOnce,
  oneLine,
  PROCESSES,
  portNumber,
  SERVICES,
  secretText,
  sensible,
  storeUrl,
  type Variable,
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

const cardVariables = {
  STRIPE_SECRET_KEY: {
    schema: Type.Optional(
      Type.String({
        pattern: "^(sk|rk)_(test|live)_[A-Za-z0-9]{3,300}$",
        must: "be a secret or restricted key of Stripe, sk_... or rk_...",
        secret: true,
      }),
    ),
    meaning:
      "key of a Stripe account, for card payments of the RESOLVED fee ([how](runbooks/card-payments.md)). Needs `STRIPE_WEBHOOK_SECRET`, and `PUBLIC_URL` in a separate process",
    readBy: ["launcher", "command-api"],
    otherwise: "no cards; staff record payments by hand",
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: Type.Optional(
      Type.String({
        pattern: "^whsec_[A-Za-z0-9+/=_-]{3,300}$",
        must: "be the signing secret of an endpoint at Stripe, whsec_...",
        secret: true,
      }),
    ),
    meaning: "signing secret of the endpoint that receives Stripe's messages",
    readBy: ["launcher", "command-api"],
    otherwise: "none",
  },
  STRIPE_API_URL: {
    schema: Type.Optional(sensible(webOriginProblem)),
    meaning:
      "`http://` address of a test server with Stripe's interface, such as stripe-mock. Only with a test key",
    readBy: ["launcher", "command-api"],
    otherwise: "Stripe's own",
  },
} as const satisfies Record<string, Variable>;

const backupVariables = {
  BACKUP_URL: {
    schema: storeUrl("file", "s3"),
    meaning:
      "place of backups: an absolute path of a folder (`file:///mnt/backups`), or an existing S3 bucket as in `FILES_URL` ([more](runbooks/backup.md))",
    readBy: ["launcher", "backup"],
    neededBy: ["backup"],
    otherwise: "`.data/backups`",
  },
  BACKUP_KEYS_URL: {
    schema: storeUrl("file", "s3"),
    meaning: "place of the backups' wrapped keys: a folder or bucket apart from `BACKUP_URL`",
    readBy: ["launcher", "backup"],
    neededBy: ["backup"],
    otherwise: "`.data/backup-keys`",
  },
  BACKUP_KEEP: {
    schema: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      must: "be a whole number from 1 to 10000",
    }),
    meaning:
      "number of days for which all backups are kept; older ones are removed. Admins can change it under Settings ([more](runbooks/backup.md#how-long-backups-stay))",
    readBy: ["launcher", "query-api", "backup"],
    default: 7,
  },
  BACKUP_TIME: {
    schema: Type.String({
      pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
      must: "be hours and minutes as in 02:00",
    }),
    meaning:
      "time of the daily backup (UTC) while Auto Backup is on. Admins can change it under Settings. A missed or interrupted backup is made at the next start",
    readBy: ["launcher", "command-api", "query-api"],
    default: "02:00",
  },
} as const satisfies Record<string, Variable>;

/** Emails sent concurrently. Postfix accepts 50 connections per client; other servers return a temporary error. */
export const MAILS_AT_ONCE = 16;

const emailProblem: ProblemOf = (value) =>
  Value.Check(Email, value) ? undefined : "must be an email address";

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
      "public address, used in emails and canonical links. Unless it is loopback, `/outbox`, `/metrics` and the checks of `/readyz` are closed on the public port. Set it, or `TRUST_PROXY`, behind any proxy: a local proxy that adds no header looks like a local visitor",
    readBy: ["launcher", "command-api", "mailer", "web"],
    neededBy: ["mailer", "web"],
    otherwise: "built from `HOST` and `PORT`",
  },
  DATA_DIR: {
    schema: Type.String(),
    meaning: "folder for database, secrets, logs and emails",
    readBy: ["launcher"],
    otherwise: "`.data`",
  },
  ADMIN_EMAIL: {
    schema: sensible(emailProblem),
    meaning: "email address of the first admin",
    readBy: ["launcher", "command-api"],
    otherwise: "created at first start",
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
    otherwise: "created at first start",
  },
  SAMPLE_DATA: {
    schema: Type.Enum(["none"], { must: "be none, or not set" }),
    meaning: "`none`: no sample reports",
    readBy: ["launcher"],
    otherwise: "samples are loaded into an empty log on loopback",
  },
  PRODUCT_NAME: {
    // It appears in the sender line of emails.
    schema: oneLine(100),
    meaning: "name on pages and in emails",
    readBy: ["launcher", "command-api", "query-api", "mailer", "web"],
    default: "Chargeback Registry",
  },
  SUPPORT_EMAIL: {
    schema: sensible(emailProblem),
    meaning:
      "support address on pages and in emails, and the sender of emails. Admins can set another reply address under Settings",
    readBy: ["launcher", "command-api", "query-api", "mailer", "web"],
    default: "support@registry.example",
  },
  SALES_EMAIL: {
    schema: Type.Optional(sensible(emailProblem)),
    meaning:
      "address for inquiries about enterprise plans, unless admins set another one under Settings",
    readBy: ["launcher", "query-api", "mailer"],
    otherwise: "`SUPPORT_EMAIL`",
  },
  DMCA_AGENT_NAME: {
    schema: Type.Optional(oneLine(100)),
    meaning: "name of the designated DMCA agent, shown on the DMCA page. Set all four or none",
    readBy: ["launcher", ...APIS],
    otherwise: "the page says that there is no agent",
  },
  DMCA_AGENT_ADDRESS: {
    schema: Type.Optional(oneLine(300)),
    meaning: "the agent's postal address, in one line",
    readBy: ["launcher", ...APIS],
    otherwise: "none",
  },
  DMCA_AGENT_EMAIL: {
    schema: Type.Optional(sensible(emailProblem)),
    meaning: "the agent's email address",
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
      "wraps the keys of personal data: 32 bytes in base64 or hex. During a rotation: the new key, a comma, the previous key",
    readBy: ["launcher", ...SERVICES, "migrate"],
    neededBy: [...SERVICES, "migrate"],
    otherwise: "created at first start, `.data/master-key`",
  },
  SMTP_URL: {
    schema: storeUrl("smtp", "smtps", "file"),
    meaning:
      "`smtp://` or `smtps://` server for emails, or an absolute path of a folder (`file:///var/mails`). `smtp://` to another machine requires STARTTLS, unless it ends in `?requireTLS=false`",
    readBy: ["launcher", "mailer"],
    neededBy: ["mailer"],
    otherwise: "files in `.data/mail`",
  },
  MAILS_AT_ONCE: {
    schema: mailsAtOnce(),
    meaning:
      "emails that a mailer sends at the same time, `1` to `100`; also its maximum number of SMTP connections",
    readBy: ["launcher", "mailer"],
    default: MAILS_AT_ONCE,
  },
  ...storeVariables,
  ...backupVariables,
  CLAMAV_URL: {
    schema: Type.Optional(sensible(urlProblem("tcp"))),
    meaning:
      "`tcp://` address of a ClamAV daemon that scans every upload (default port 3310). While the daemon is down, files get 503",
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
      "exact number of proxies in front. Behind HAProxy it is `1`; HAProxy itself reads the number of proxies in front of it",
    readBy: ["launcher", ...APIS, "web"],
    default: 0,
  },
  RATE_LIMIT_URL: {
    schema: storeUrl("redis", "rediss"),
    meaning:
      "`redis://` or `rediss://` server for request counters that all processes share, with `?tlsCAFile=` as in `JOBS_URL`. While it is down, sign-ins are counted in memory and search is open",
    readBy: ["launcher", ...APIS, "bench"],
    otherwise: "counted in memory",
  },
  RATE_LIMIT: {
    schema: Type.Enum(["on", "off"], { must: "be on or off" }),
    meaning: "`off` for load tests. Refused unless `HOST` is loopback",
    readBy: ["launcher", ...APIS, "web"],
    default: "on",
  },
  STAFF_SECOND_FACTOR: {
    schema: Type.Enum(["on", "off"], { must: "be on or off" }),
    meaning:
      "`on`: staff accounts without 2FA can only sign in, set it up and manage their own account. Admins can change this under Settings. With `npm start` the default is `off` on the embedded PostgreSQL, otherwise `on`",
    readBy: ["launcher", ...APIS],
    default: { "command-api": "on", "query-api": "on" },
  },
  UPDATE_CHECK: {
    schema: Type.Enum(["on", "off"], { must: "be on or off" }),
    meaning:
      "`on`: Check Updates and `npm run build` send names and versions of the installed packages to npm's registry and report known vulnerabilities",
    readBy: ["launcher", "command-api"],
    default: "off",
  },
  SUPERVISED: {
    schema: Type.Enum(["on", "off"], { must: "be on or off" }),
    meaning:
      "`on`: the platform restarts this process whenever it exits, also with code 75, so admins can restart it in the console ([more](runbooks/processes.md#restart))",
    readBy: SERVICES,
    default: "off",
  },
  TLS_CERTIFICATE: {
    schema: secretText(),
    meaning: "PEM certificate for HTTPS on a process's ports; needs `TLS_KEY`",
    readBy: [...APIS, "web"],
    otherwise: "HTTP",
  },
  TLS_KEY: {
    schema: secretText(),
    meaning: "PEM private key of `TLS_CERTIFICATE`",
    readBy: [...APIS, "web"],
  },
  COMMAND_API_URL: {
    schema: sensible(addressesProblem),
    meaning:
      "`http://` or `https://` addresses of the command-api processes, separated by commas. With `https://`, `?tlsCAFile=` names the file of a private certificate authority",
    readBy: ["web"],
    default: "http://127.0.0.1:3001",
  },
  QUERY_API_URL: {
    schema: sensible(addressesProblem),
    meaning: "the same for query-api",
    readBy: ["web"],
    default: "http://127.0.0.1:3002",
  },
  OPERATIONS_PORT: {
    schema: portNumber(),
    meaning:
      "second port of a process with `/metrics` and a detailed `/readyz`. Only operators may reach it",
    readBy: PROCESSES,
  },
  OPERATIONS_URLS: {
    schema: sensible(addressesProblem),
    meaning:
      "addresses, as in `COMMAND_API_URL`, of the operators' ports of web and HAProxy. `/admin/system` shows these processes",
    readBy: ["query-api"],
  },
  CORS_ORIGINS: {
    schema: sensible(originsProblem),
    meaning:
      "origins (`http://` or `https://`) of other sites that may call the API, separated by commas",
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
      "EventStoreDB for the tests, which leave events behind. The test of many processes uses it only while it is empty",
    readBy: ["tests"],
  },
  TEST_SEARCH_URL: {
    schema: storeUrl("http", "https"),
    meaning: "OpenSearch node for the tests, in addition to the one that they start",
    readBy: ["tests"],
  },
  TEST_REDIS_URL: {
    schema: storeUrl("redis", "rediss"),
    meaning: "Redis server for the tests, in addition to the `redis-server` that they start",
    readBy: ["tests"],
  },
  TEST_S3_URL: {
    schema: storeUrl("s3"),
    meaning: "S3 server (no bucket) for the tests, instead of the one that they start",
    readBy: ["tests"],
  },
  TEST_SEED: {
    schema: wholeNumber(),
    meaning: "seed that repeats the random choices of a failed test run",
    readBy: ["tests"],
    otherwise: "a new one in each run",
  },
  TEST_RUNS: {
    schema: wholeNumber(),
    meaning: "number of random histories for the projections",
    readBy: ["tests"],
    otherwise: "few",
  },
  CHROMIUM_PATH: {
    schema: Type.String(),
    meaning: "browser for the end-to-end tests",
    readBy: ["tests"],
    otherwise: "found in the usual places",
  },
} as const satisfies Record<string, Variable>;
