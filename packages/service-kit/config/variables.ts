import { type TSchema, Type } from "typebox";
import type { MasterKeySource } from "../keys/master-ring.ts";
import { parseMasterKey } from "../keys/wrapping.ts";
import { ConfigInvalid, type Environment, readSecretFiles } from "./load-config.ts";

/** A URL whose scheme is one of these; it may hold a password, so it may stand in a file. */
function storeUrl(...schemes: readonly string[]) {
  const listed = schemes.map((scheme) => `${scheme}:`).join(" or ");
  return Type.String({
    pattern: `^(?:${schemes.flatMap(spellings).join("|")}):`,
    must: `be a URL that starts with ${listed}`,
    secret: true,
  });
}

/** Schemes are written in any case, and PostgreSQL's in two ways (RFC 3986, 3.1). */
function spellings(scheme: string): string[] {
  const names = scheme === "postgres" ? ["postgres", "postgresql"] : [scheme];
  return names.map((name) =>
    name.replaceAll("+", "[+]").replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`),
  );
}

const origin = "^https?://[^/?#@\\s]+/?$";

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
  ADMIN_EMAIL: Type.String({
    pattern: "^[^@\\s]+@[^@\\s]+$",
    maxLength: 254,
    must: "be an e-mail address",
  }),
  ADMIN_PASSWORD: Type.String({
    minLength: 8,
    maxLength: 200,
    must: "have 8 to 200 characters",
    secret: true,
  }),
  PUBLIC_URL: Type.String({
    pattern: origin,
    must: "be a web address without a path, such as https://registry.example",
  }),
  /** One or several, told apart by commas. */
  QUERY_API_URL: addresses("http://127.0.0.1:3002"),
  COMMAND_API_URL: addresses("http://127.0.0.1:3001"),
  WEB_URL: addresses("http://127.0.0.1:3005"),
  PRODUCT_NAME: Type.String({ default: "Chargeback Registry" }),
  SUPPORT_EMAIL: Type.String({ default: "support@registry.example" }),
  HOST: Type.String({ default: "127.0.0.1" }),
  RATE_LIMIT: Type.Enum(["on", "off"], { default: "on", must: "be on or off" }),
  TRUST_PROXY: Type.Integer({
    minimum: 0,
    maximum: 9,
    default: 0,
    must: "be the number of proxies in front, 0 to 9",
  }),
  CORS_ORIGINS: Type.String(),
  LOG_LEVEL: Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
    default: "info",
    must: "be debug, info, warn or error",
  }),
} as const satisfies Record<string, TSchema>;

/** Port of a process; each has a default of its own, so that one of each runs on one machine. */
export function portVariable(ownDefault: number) {
  return Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: ownDefault,
    must: "be a number from 0 (any free port) to 65535",
  });
}

function addresses(ownDefault: string) {
  const one = "http://[^/?#@\\s,]+/?";
  return Type.String({
    pattern: `^${one}(\\s*,\\s*${one})*$`,
    default: ownDefault,
    must: "be one or more addresses such as http://127.0.0.1:3002, with commas between",
  });
}

/** Names of the variables that may stand in files. */
export const secretVariables: readonly string[] = Object.entries(variables)
  .filter(([, schema]) => (schema as { secret?: boolean }).secret)
  .map(([name]) => name);

/** The parts of a list that is written with commas or blanks between. */
export function listOf(text: string | undefined): string[] {
  return (text ?? "").split(/[\s,]+/).filter(Boolean);
}

/** Origins without a slash at the end. */
export function originsOf(text: string): string[] {
  return listOf(text).map((address) => new URL(address).origin);
}

/**
 * The master keys of an environment, the wanted one first. Those of a file are read anew each time
 * somebody asks, so that a process that runs follows a rotation.
 * @throws {ConfigInvalid} which does not repeat the value.
 */
export function masterKeysOf(env: Environment): MasterKeySource {
  const read = () => {
    const { values, problems } = readSecretFiles(env, ["MASTER_KEY"]);
    if (problems.size > 0) throw new ConfigInvalid([...problems.values()]);
    try {
      return listOf(values.MASTER_KEY).map(parseMasterKey);
    } catch (error) {
      throw new ConfigInvalid([`MASTER_KEY is not valid: ${(error as Error).message}`]);
    }
  };
  const keys = read();
  return env.MASTER_KEY_FILE?.trim() ? read : keys;
}

/** Addresses that only this machine reaches. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|\[::1\]|localhost)$/;

/** @throws {ConfigInvalid} for unlimited requests on an address that others reach. */
export function checkRateLimit(config: { RATE_LIMIT: string; HOST: string }): void {
  if (config.RATE_LIMIT === "off" && !LOOPBACK.test(config.HOST))
    throw new ConfigInvalid(["RATE_LIMIT may be off only where HOST is loopback"]);
}
