import path from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { buildConsoleApp } from "../web-admin/server/static.ts";
import type { embeddedStores, LauncherConfig } from "./config.ts";
import type { DataPaths } from "./data-folder.ts";
import type { Doors } from "./one-port/one-port.ts";
import { buildOperationsApp, type ObservedService } from "./operations/operations.app.ts";

/** URL of each store, embedded or not. */
export type Stores = Record<(typeof embeddedStores)[number], string>;

export type ServicesOptions = {
  config: LauncherConfig;
  paths: DataPaths;
  stores: Stores;
  masterKeys: readonly Buffer[];
  /** Address in mails and canonical links. */
  publicUrl: string;
  version: string;
  /** Makes the logger of a service. */
  log(name: string): Logger;
};

/** All services of the one-process profile. */
export type Services = {
  doors: Doors;
  /** Lines for the operator to read, e.g. the first admin's password. */
  notes: string[];
  /** Begins the work behind the doors; resolves when every service is ready. */
  start(): Promise<void>;
  /** Stops the workers, drains the projector, then closes the stores. */
  stop(): Promise<void>;
};

/** Composes every service with the stores that the configuration names. */
export async function composeServices(options: ServicesOptions): Promise<Services> {
  const { config, paths } = options;
  const observed: ObservedService[] = [];
  const root = path.resolve(import.meta.dirname, "..");
  const operations = await buildOperationsApp({
    version: options.version,
    log: options.log("launcher"),
    services: observed,
    outbox: config.isLoopback && !config.behindProxy ? paths.mail : undefined,
  });
  const console = await buildConsoleApp({ distDir: path.join(root, "web-admin/dist") });
  const nothing: FastifyInstance = Fastify();
  await nothing.ready();
  return {
    doors: { commandApi: nothing, queryApi: nothing, operations, console, site: nothing },
    notes: [],
    start: async () => undefined,
    stop: async () => undefined,
  };
}
