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
import { type Front, isLocalOnly, isLoopbackHost } from "#runtime/net/client-address.ts";
import type { Instance } from "./instance.ts";

/** The launcher's settings: environment variables and values derived from them. */
export type LauncherConfig = {
  variables: VariablesOf<"launcher">;
  /** Without the brackets of IPv6. */
  host: string;
  /** 0 means any free port, for tests. */
  port: number;
  dataDir: string;
  /** Address in emails and canonical links, without a trailing slash. Derived from host and port if unset. */
  publicUrl: string | undefined;
  isLoopback: boolean;
  sampleData: boolean;
  /** Exact number of proxies in front. Only their forwarded addresses are trusted. */
  trustProxyHops: number;
};

/** Stores that the embedded PostgreSQL provides if their variables are unset. */
export const embeddedStores = [
  "EVENT_STORE_URL",
  "DATABASE_URL",
  "SEARCH_URL",
  "JOBS_URL",
  "KEYS_URL",
] as const;

const folder = path.resolve(import.meta.dirname, "../.data");

/** @throws {Refusal} naming the first invalid variable. */
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

/** Environment of a build, always for production. */
export function buildEnvironment(): NodeJS.ProcessEnv {
  return { ...withoutVariables(process.env), NODE_ENV: "production" };
}

/** Whether npm started this process (`npm start`, `npm run dev`). */
export function startedByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}

/** Environment of the program that replaces this one: the same, on the same port. */
export function environmentAt(port: number): NodeJS.ProcessEnv {
  return { ...process.env, PORT: String(port) };
}

/** Environment of the development process for services. Its parent process runs the stores. */
export function developmentEnvironment(instance: Instance, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...instance.stores,
    PORT: String(port),
    DATA_DIR: instance.paths.folder,
  };
}

/** Whether to serve `/outbox`: only if the registry is reachable from this machine alone. */
export function showsOutbox(config: Front & { readonly isLoopback: boolean }): boolean {
  return config.isLoopback && isLocalOnly(config);
}
