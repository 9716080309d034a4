import path from "node:path";
import { Type } from "typebox";
import { environmentWithoutSecrets } from "#local-servers/config.ts";
import {
  ConfigInvalid,
  type Environment,
  loadConfig,
  readSecretFiles,
} from "#runtime/config/load-config.ts";
import {
  connectionsVariable,
  originOf,
  secretVariables,
  variables as shared,
} from "#runtime/config/variables.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { isLoopbackHost } from "#runtime/net/local-request.ts";
import { CONNECTIONS as COMMAND_API } from "#services/command-api/config.ts";
import { CONNECTIONS as MAILER } from "#services/mailer/config.ts";
import { CONNECTIONS as PROJECTOR } from "#services/projector/config.ts";
import { CONNECTIONS as QUERY_API } from "#services/query-api/config.ts";
import type { Instance } from "./instance.ts";

/** What the launcher itself is configured by; the services read the rest. */
export type LauncherConfig = {
  host: string;
  /** 0 means any free port (tests). */
  port: number;
  dataDir: string;
  /** Address in mails and canonical links, without a slash at its end; unset: made of host and port. */
  publicUrl: string | undefined;
  masterKey: string | undefined;
  isLoopback: boolean;
  sampleData: boolean;
  limits: "on" | "off";
  /** Connections of each service to one PostgreSQL server at most; unset: each has its own default. */
  connections: number | undefined;
  /** `redis://` or `rediss://`; unset: counted in memory. */
  rateLimitUrl: string | undefined;
  /** Exact number of proxies in front whose forwarded addresses are believed. */
  trustProxyHops: number;
  productName: string;
  supportEmail: string;
  /** `file:` or `smtp(s)://`; unset: files in the data folder. */
  smtpUrl: string | undefined;
  /** Of the first admin; made up when unset. */
  adminEmail: string | undefined;
  adminPassword: string | undefined;
  logLevel: string;
  /** Everything, for the services' own configuration. */
  environment: Environment;
};

/** Stores that stand in the embedded PostgreSQL unless they are set. */
export const embeddedStores = [
  "EVENT_STORE_URL",
  "DATABASE_URL",
  "SEARCH_URL",
  "JOBS_URL",
  "KEYS_URL",
] as const;

/** What the services read as well, with one meaning for both. */
const sharedVariables = Type.Object({
  DATABASE_URL: Type.Optional(shared.DATABASE_URL),
  DATABASE_PASSWORD: Type.Optional(shared.DATABASE_PASSWORD),
  EVENT_STORE_URL: Type.Optional(shared.EVENT_STORE_URL),
  KEYS_URL: Type.Optional(shared.KEYS_URL),
  SEARCH_URL: Type.Optional(shared.SEARCH_URL),
  JOBS_URL: Type.Optional(shared.JOBS_URL),
  DATABASE_CONNECTIONS: Type.Optional(
    // What none of them can do without.
    connectionsVariable({
      least: Math.max(...[COMMAND_API, MAILER, PROJECTOR, QUERY_API].map(({ least }) => least)),
    }),
  ),
  RATE_LIMIT_URL: Type.Optional(shared.RATE_LIMIT_URL),
  SMTP_URL: Type.Optional(shared.SMTP_URL),
  PUBLIC_URL: Type.Optional(shared.PUBLIC_URL),
  PRODUCT_NAME: shared.PRODUCT_NAME,
  SUPPORT_EMAIL: shared.SUPPORT_EMAIL,
  ADMIN_EMAIL: Type.Optional(shared.ADMIN_EMAIL),
  ADMIN_PASSWORD: Type.Optional(shared.ADMIN_PASSWORD),
});

/** @throws {Refusal} naming the first variable that makes no sense. */
export function readLauncherConfig(variables: Environment = process.env): LauncherConfig {
  const { values: environment, problems } = readSecretFiles(variables, secretVariables);
  for (const problem of problems.values()) throw new Refusal(`${problem}.`);
  const given = (name: string) => environment[name]?.trim() || undefined;
  const { PUBLIC_URL: publicUrl, ...settings } = readShared(variables);
  const stores = Object.fromEntries(embeddedStores.map((name) => [name, settings[name]]));
  const host = (given("HOST") ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  const isLoopback = isLoopbackHost(host);
  const rateLimit = given("RATE_LIMIT");
  if (rateLimit !== undefined && !["on", "off"].includes(rateLimit))
    throw new Refusal(`RATE_LIMIT must be on or off, not ${JSON.stringify(rateLimit)}.`);
  if (rateLimit === "off" && !isLoopback)
    throw new Refusal(
      `RATE_LIMIT=off is for load tests on this machine, and HOST is ${host}: leave one of them out.`,
    );
  const sampleData = given("SAMPLE_DATA");
  if (sampleData !== undefined && sampleData !== "none")
    throw new Refusal(`SAMPLE_DATA may only be none, not ${JSON.stringify(sampleData)}.`);
  const logLevel = given("LOG_LEVEL") ?? "info";
  if (!/^(trace|debug|info|warn|error|fatal|silent)$/.test(logLevel))
    throw new Refusal(
      `LOG_LEVEL must be debug, info, warn or error, not ${JSON.stringify(logLevel)}.`,
    );
  return {
    host,
    port: readPort(given("PORT")),
    dataDir: path.resolve(given("DATA_DIR") ?? path.resolve(import.meta.dirname, "../.data")),
    publicUrl: publicUrl && originOf(publicUrl),
    masterKey: given("MASTER_KEY"),
    isLoopback,
    sampleData: sampleData !== "none" && isLoopback,
    logLevel,
    limits: rateLimit === "off" ? "off" : "on",
    connections: settings.DATABASE_CONNECTIONS,
    rateLimitUrl: settings.RATE_LIMIT_URL,
    trustProxyHops: readHops(given("TRUST_PROXY")),
    productName: settings.PRODUCT_NAME,
    supportEmail: settings.SUPPORT_EMAIL,
    smtpUrl: settings.SMTP_URL,
    adminEmail: settings.ADMIN_EMAIL,
    adminPassword: settings.ADMIN_PASSWORD,
    environment: { ...environment, ...stores },
  };
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? 3000);
  if (!/^\d+$/.test(text ?? "3000") || port > 65_535)
    throw new Refusal(`PORT must be a number from 1 to 65535, not ${JSON.stringify(text)}.`);
  return port;
}

function readHops(text = "0"): number {
  if (!/^\d$/.test(text))
    throw new Refusal(
      `TRUST_PROXY must be the number of proxies in front, 0 to 9, not ${JSON.stringify(text)}.`,
    );
  return Number(text);
}

function readShared(environment: Environment) {
  try {
    return loadConfig(sharedVariables, environment);
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    throw new Refusal(`${error.problems[0]}.`);
  }
}

/** Environment of a build of the web apps: for production, whatever runs it. */
export function buildEnvironment(): NodeJS.ProcessEnv {
  return { ...environmentWithoutSecrets(), NODE_ENV: "production" };
}

/** Whether npm is the parent of this process (`npm start`, `npm run dev`). */
export function startedByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}

/** Environment of the services' process in development: its parent runs the stores. */
export function developmentEnvironment(instance: Instance, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...instance.stores,
    PORT: String(port),
    DATA_DIR: instance.paths.folder,
  };
}
