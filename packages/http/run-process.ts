import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { ProcessSettings } from "#runtime/config/process-settings.ts";
import { explainAddress, explainFailure } from "#runtime/lifecycle/explain-failure.ts";
import { createLifecycle, type Lifecycle, stopOnSignals } from "#runtime/lifecycle/lifecycle.ts";
import { untilParentEnds } from "#runtime/lifecycle/parent.ts";
import { createLogger } from "#runtime/log.ts";
import { admitOperator } from "#runtime/net/client-address.ts";
import { createSharedPort } from "./shared-port.ts";
import { startWithRetries, type WaitingHandler } from "./start-with-retries.ts";

/** Milliseconds that operators' requests get to finish. */
const DRAIN_MS = 1000;

/** Anything that can listen: a Fastify instance, or a port that several apps share. */
export interface Listener {
  listen(address: { host: string; port: number }): Promise<unknown>;
  /** Handles a request that arrived on another port, the operators' port if there is one. */
  readonly routing?: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface ProcessOptions<C extends ProcessSettings> {
  readonly name: string;
  /** @throws {ConfigInvalid} */
  readonly readConfig: () => C;
  /**
   * Opens what the configuration names, registering it with the lifecycle. @returns the listener for the
   * process's port.
   */
  readonly start: (
    config: C,
    tools: {
      readonly log: Logger;
      readonly lifecycle: Lifecycle;
      /** Ends the process so that its supervisor restarts it; undefined without one. */
      readonly endToRestart: (() => void) | undefined;
    },
  ) => Promise<Listener>;
}

/**
 * Runs a service as a separate process until SIGTERM or SIGINT. Waits for stores that are down at
 * startup. If it can't start for another reason, writes the reason to standard error, one sentence
 * for each wrong or missing variable, and exits with code 1.
 */
export async function runProcess<C extends ProcessSettings>(
  options: ProcessOptions<C>,
): Promise<void> {
  const { name } = options;
  let stopping = false;
  try {
    const config = options.readConfig();
    const log = createLogger({ name, level: config.logLevel });
    const lifecycle = createLifecycle({ log });
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(signal, () => {
        stopping = true;
      });
    const restart = stopOnSignals(lifecycle, log);
    const endToRestart = config.isSupervised ? restart : undefined;
    untilParentEnds(config.startedByNpm, () => process.kill(process.pid, "SIGTERM"));
    const host = config.host.replace(/^\[(.*)\]$/, "$1");
    const own = { host, port: config.port };
    const told = new AbortController();
    lifecycle.onStop("startup wait", () => told.abort());
    let running: Lifecycle | undefined;
    lifecycle.onStop("service", async () => {
      const report = await running?.stop();
      if (report && !report.clean) throw new Error(`not stopped: ${report.failed.join(", ")}`);
    });
    const listener = await startWithRetries({
      name,
      config,
      log,
      async attempt() {
        const own = createLifecycle({ log });
        running = own;
        try {
          return await options.start(config, { log, lifecycle: own, endToRestart });
        } catch (error) {
          await own.stop();
          throw error;
        }
      },
      listen: (handle) => listenMeanwhile(handle, own, config, log),
      signal: told.signal,
    });
    if (!listener) return;
    await listenOn(listener, own, "PORT");
    const { routing } = listener;
    if (config.operationsPort === undefined || !routing) return;
    const operators = createSharedPort(
      (request, response) => {
        admitOperator(request);
        routing(request, response);
      },
      { tls: config.tls },
    );
    lifecycle.onStop("operators' port", () => operators.drain(DRAIN_MS));
    const address = { host, port: config.operationsPort };
    const bound = await listenOn(operators, address, "OPERATIONS_PORT");
    log.info(`Operators' endpoints at ${schemeOf(config)}://${config.host}:${bound.port}`);
  } catch (error) {
    // If stopped during startup, it fails with an error of the current step, which is irrelevant.
    if (!stopping) refuse(explainFailure(error, name));
  }
}

/**
 * Responds on both ports before startup completes. @param own receives the bound port. @returns what frees the
 * ports.
 */
async function listenMeanwhile(
  handle: WaitingHandler,
  own: { readonly host: string; port: number },
  settings: ProcessSettings,
  log: Logger,
): Promise<() => Promise<void>> {
  const { operationsPort, tls } = settings;
  const visitors = createSharedPort(handle, { tls });
  own.port = (await listenOn(visitors, own, "PORT")).port;
  log.info(`Waiting at ${schemeOf(settings)}://${own.host}:${own.port}`);
  const ports = [visitors];
  if (operationsPort !== undefined) {
    const operators = createSharedPort(
      (request, response) => {
        admitOperator(request);
        handle(request, response);
      },
      { tls },
    );
    await listenOn(operators, { host: own.host, port: operationsPort }, "OPERATIONS_PORT");
    ports.push(operators);
  }
  return async () => {
    await Promise.all(ports.map((port) => port.drain(DRAIN_MS)));
  };
}

function schemeOf({ tls }: ProcessSettings): "http" | "https" {
  return tls ? "https" : "http";
}

/** Listens, or exits with a sentence that names the variable to change. */
async function listenOn<T>(
  listener: { listen(address: { host: string; port: number }): Promise<T> },
  address: { host: string; port: number },
  variable: string,
): Promise<T> {
  return listener.listen(address).catch((error: unknown) => {
    const reason = explainAddress(error, address, variable);
    if (reason) refuse(reason);
    throw error;
  });
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(1);
}
