import path from "node:path";
import { ConfigInvalid, type Environment } from "#runtime/config/load-config.ts";
import {
  checkRateLimit,
  originOf,
  readVariables,
  type VariablesOf,
  withoutVariables,
} from "#runtime/config/read-variables.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { isLoopbackHost } from "#runtime/net/local-request.ts";
import type { Instance } from "./instance.ts";

/** What the environment says, and what follows from it. */
export type LauncherConfig = {
  variables: VariablesOf<"launcher">;
  /** Without the brackets of an IPv6 address. */
  host: string;
  /** 0 means any free port (tests). */
  port: number;
  dataDir: string;
  /** Address in mails and canonical links, without a slash at its end; unset: made of host and port. */
  publicUrl: string | undefined;
  isLoopback: boolean;
  sampleData: boolean;
  /** Exact number of proxies in front whose forwarded addresses are believed. */
  trustProxyHops: number;
};

/** Stores that are in the embedded PostgreSQL unless they are set. */
export const embeddedStores = [
  "EVENT_STORE_URL",
  "DATABASE_URL",
  "SEARCH_URL",
  "JOBS_URL",
  "KEYS_URL",
] as const;

const folder = path.resolve(import.meta.dirname, "../.data");

/** @throws {Refusal} naming the first variable that makes no sense. */
export function readLauncherConfig(environment: Environment = process.env): LauncherConfig {
  const variables = orRefuse(() => {
    const read = readVariables("launcher", environment);
    checkRateLimit(read);
    return read;
  });
  const host = variables.HOST.replace(/^\[(.*)\]$/, "$1");
  const isLoopback = isLoopbackHost(host);
  return {
    variables,
    host,
    port: variables.PORT,
    dataDir: path.resolve(variables.DATA_DIR ?? folder),
    publicUrl: variables.PUBLIC_URL && originOf(variables.PUBLIC_URL),
    isLoopback,
    sampleData: variables.SAMPLE_DATA !== "none" && isLoopback,
    trustProxyHops: variables.TRUST_PROXY,
  };
}

function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    throw new Refusal(`${error.problems[0]}.`);
  }
}

/** Environment of a build of the web apps: for production, whatever runs it. */
export function buildEnvironment(): NodeJS.ProcessEnv {
  return { ...withoutVariables(process.env), NODE_ENV: "production" };
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
