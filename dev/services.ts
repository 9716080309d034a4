import path from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { buildConsoleApp } from "../web-admin/server/static.ts";
import type { Instance } from "./instance.ts";
import type { Doors } from "./one-port/one-port.ts";
import { buildOperationsApp, type ObservedService } from "./operations/operations.app.ts";

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
export async function composeServices(
  instance: Instance,
  options: { liveReload: boolean },
): Promise<Services> {
  const { config, paths } = instance;
  const observed: ObservedService[] = [];
  const root = path.resolve(import.meta.dirname, "..");
  const operations = await buildOperationsApp({
    version: instance.version,
    log: instance.log("launcher"),
    services: observed,
    liveReload: options.liveReload,
    outbox: config.isLoopback && config.trustProxyHops === 0 ? paths.mail : undefined,
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
