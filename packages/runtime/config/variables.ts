import { type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { Email } from "#contracts/report/fields.ts";
import { ConfigInvalid, type VariableNotes } from "./load-config.ts";
import { isLoopback } from "./urls.ts";
import {
  addressesProblem,
  listOf,
  originsProblem,
  type ProblemOf,
  urlProblem,
  webOriginProblem,
} from "./value-problems.ts";

/** A text that makes sense; what is wrong with another one is said in words of its own. */
function sensible(problemOf: ProblemOf, notes: VariableNotes & { default?: string } = {}) {
  return Type.Refine(
    Type.String({ ...notes }),
    (value) => problemOf(value) === undefined,
    (value) => problemOf(value) ?? "",
  );
}

/** A URL whose scheme is one of these; it may hold a password, so it may stand in a file. */
function storeUrl(...schemes: readonly string[]) {
  const notes = { secret: true, passwordIn: "DATABASE_PASSWORD" };
  return sensible(urlProblem(...schemes), notes);
}

/** Of a service's role. It needs no encoding in a URL, and no preparation (RFC 4013). */
function rolePassword() {
  return Type.String({
    pattern: "^[A-Za-z0-9._~-]{16,200}$",
    must: "have 16 to 200 letters of A to Z, digits, or . _ ~ -",
    secret: true,
  });
}

const PORT = {
  minimum: 0,
  maximum: 65_535,
  must: "be a number from 0 (any free port) to 65535",
};

const emailProblem: ProblemOf = (value) =>
  Value.Check(Email, value) ? undefined : "must be an e-mail address";

/**
 * Every variable that a process of its own is configured by, each with one meaning wherever it is
 * read. A process takes those that it needs into a schema of its own, in its `config.ts`.
 */
export const variables = {
  /** Read models, accounts and the outbox. */
  DATABASE_URL: storeUrl("postgres"),
  EVENT_STORE_URL: storeUrl("postgres", "esdb", "esdb+discover"),
  KEYS_URL: storeUrl("postgres"),
  SEARCH_URL: storeUrl("postgres", "http", "https"),
  JOBS_URL: storeUrl("postgres", "redis", "rediss"),
  RATE_LIMIT_URL: storeUrl("redis", "rediss"),
  SMTP_URL: storeUrl("smtp", "smtps", "file"),
  MASTER_KEY: Type.String({ secret: true }),
  /** Of the user of every `postgres://` URL that names one without a password. */
  DATABASE_PASSWORD: Type.String({ secret: true }),
  COMMAND_API_PASSWORD: rolePassword(),
  QUERY_API_PASSWORD: rolePassword(),
  PROJECTOR_PASSWORD: rolePassword(),
  MAILER_PASSWORD: rolePassword(),
  ADMIN_EMAIL: sensible(emailProblem),
  ADMIN_PASSWORD: Type.String({
    minLength: 8,
    maxLength: 200,
    must: "have 8 to 200 characters",
    secret: true,
  }),
  PUBLIC_URL: sensible(webOriginProblem),
  /** One or several, told apart by commas. */
  QUERY_API_URL: addresses("http://127.0.0.1:3002"),
  COMMAND_API_URL: addresses("http://127.0.0.1:3001"),
  WEB_URL: addresses("http://127.0.0.1:3005"),
  /** It stands in the sender's line of mails. */
  PRODUCT_NAME: Type.String({
    pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]{1,100}$",
    default: "Chargeback Registry",
    must: "be one line of at most 100 characters",
  }),
  SUPPORT_EMAIL: sensible(emailProblem, { default: "support@registry.example" }),
  HOST: Type.String({ default: "127.0.0.1" }),
  /** Of the gateway: where it tells operators how the processes are. */
  OPERATIONS_PORT: Type.Integer(PORT),
  RATE_LIMIT: Type.Enum(["on", "off"], { default: "on", must: "be on or off" }),
  TRUST_PROXY: Type.Integer({
    minimum: 0,
    maximum: 9,
    default: 0,
    must: "be the number of proxies in front, 0 to 9",
  }),
  CORS_ORIGINS: sensible(originsProblem),
  LOG_LEVEL: Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
    default: "info",
    must: "be debug, info, warn or error",
  }),
} as const satisfies Record<string, TSchema>;

/** Port of a process; each has a default of its own, so that one of each runs on one machine. */
export function portVariable(ownDefault: number) {
  return Type.Integer({ ...PORT, default: ownDefault });
}

/**
 * Connections of a service to one PostgreSQL server; each has a need and, as `most`, a default of its
 * own. Without one it is not set.
 */
export function connectionsVariable({ least, most }: { least: number; most?: number }) {
  return Type.Integer({
    minimum: least,
    maximum: 1_000,
    ...(most === undefined ? {} : { default: most }),
    must: `be a number of connections from ${least} to 1000`,
  });
}

function addresses(ownDefault: string) {
  return sensible(addressesProblem, { default: ownDefault });
}

/** Names of the variables that may stand in files. */
export const secretVariables: readonly string[] = Object.entries(variables)
  .filter(([, schema]) => (schema as { secret?: boolean }).secret)
  .map(([name]) => name);

/** Origins as browsers write them: in lower case, without a usual port and a slash at the end. */
export function originsOf(text: string): string[] {
  return listOf(text).map(originOf);
}

/** See {@link originsOf}. */
export function originOf(address: string): string {
  return new URL(address).origin;
}

/** @throws {ConfigInvalid} for unlimited requests on an address that others reach. */
export function checkRateLimit(config: { RATE_LIMIT: string; HOST: string }): void {
  if (config.RATE_LIMIT === "off" && !isLoopback(config.HOST))
    throw new ConfigInvalid(["RATE_LIMIT may be off only where HOST is loopback"]);
}
