import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { pause } from "#event-store/abort.ts";
import { BackOff } from "#event-store/back-off.ts";
import { explainFailure, isStoreAway } from "#runtime/lifecycle/explain-failure.ts";
import { createLifecycle, type Lifecycle } from "#runtime/lifecycle/lifecycle.ts";
import { shareResult } from "#runtime/lifecycle/share-result.ts";
import { type Front, operatorCheck } from "#runtime/net/local-request.ts";
import { reachChecks } from "./away-stores.ts";
import { fail } from "./envelope.ts";
import { messages } from "./errors.ts";
import { type CheckResult, READINESS_KEPT_MS, runChecks } from "./health.ts";

/** Stores without which no service starts. The others only close a part of it. */
const NEEDED = new Set(["database", "event_log", "keys", "jobs"]);

/** Answers requests while the service has not started. */
export type WaitingHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface PatientStart<T> {
  readonly name: string;
  readonly config: object;
  readonly log: Logger;
  /** Gets one step, which stops what the attempt that succeeded has started. */
  readonly lifecycle: Lifecycle;
  /** One attempt. What it registers is stopped again when it fails. */
  attempt(lifecycle: Lifecycle): Promise<T>;
  /**
   * Listens where the service is going to, from the first failure on.
   * @returns what ends it; it is called once, before the result is returned.
   */
  listen(handle: WaitingHandler): Promise<() => Promise<void>>;
  /** Aborts when the process is told to stop. */
  readonly signal: AbortSignal;
}

/**
 * Starts a service, and waits with back-off while a store that it needs is away. Meanwhile
 * `/readyz` answers 503 and names the stores to operators.
 * @returns undefined when the process was told to stop meanwhile.
 * @throws what cannot be healed by waiting.
 */
export async function startPatiently<T>(options: PatientStart<T>): Promise<T | undefined> {
  const { name, config, log, lifecycle, signal } = options;
  const checks = reachChecks(config);
  const backOff = new BackOff();
  let stopListening: (() => Promise<void>) | undefined;
  let running: Lifecycle | undefined;
  lifecycle.onStop("what was started", async () => {
    const report = await running?.stop();
    if (report && !report.clean) throw new Error(`not stopped: ${report.failed.join(", ")}`);
  });
  while (!signal.aborted) {
    if (stopListening) {
      await pause(backOff.next(), signal);
      if (signal.aborted) break;
      const { checks: found } = await runChecks(name, checks, false);
      if (Object.entries(found).some(([store, check]) => NEEDED.has(store) && isAway(check)))
        continue;
    }
    const own = createLifecycle({ log });
    running = own;
    try {
      const started = await options.attempt(own);
      await stopListening?.();
      if (stopListening) log.info({ attempts: backOff.attempts }, "the stores answer: started");
      return started;
    } catch (error) {
      await own.stop();
      if (signal.aborted || !isStoreAway(error)) throw error;
      if (stopListening) continue;
      log.warn({ reason: explainFailure(error, name) }, "waiting for a store");
      stopListening = await options.listen(waitingHandler(name, config, checks));
    }
  }
  await stopListening?.();
  return undefined;
}

/** A store that refuses the connection is there: the next attempt says what is wrong with it. */
function isAway({ ok, detail }: CheckResult): boolean {
  return !ok && !/^(28|3D)/.test(String(detail?.error));
}

function waitingHandler(
  name: string,
  config: object,
  checks: ReturnType<typeof reachChecks>,
): WaitingHandler {
  const { trustProxyHops = 0, publicUrl } = config as Partial<Front>;
  const isOperator = operatorCheck({ trustProxyHops, publicUrl });
  // The service itself is the check that fails although all stores can be reached.
  const start = async () => ({ ok: false, detail: { waiting: true } });
  const ask = shareResult(() => runChecks(name, { ...checks, start }, false), READINESS_KEPT_MS);
  return (request, response) => {
    const path = (request.url ?? "").split("?", 1)[0];
    const answer = (code: number, body: object) => {
      response.writeHead(code, {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
      });
      response.end(JSON.stringify(body));
    };
    if (path === "/healthz") return answer(200, { status: "ok", service: name });
    if (path === "/readyz")
      return void ask().then((readiness) =>
        answer(503, isOperator(request) ? readiness : { status: readiness.status }),
      );
    response.setHeader("retry-after", "5");
    answer(503, fail("unavailable", messages.unavailable));
  };
}
