import {
  startWithRetries,
  type UnavailableStore,
  type WaitingHandler,
} from "#http/start-with-retries.ts";
import type { Refusal } from "#runtime/lifecycle/refusal.ts";
import type { Instance } from "./instance.ts";
import { createOnePort } from "./one-port/one-port.ts";
import { LaunchStopped, type Say } from "./progress.ts";
import { prepareStores, serve } from "./serve.ts";

/** How long running requests may take during shutdown, in milliseconds. */
const DRAIN_MS = 4000;

/** The variable for each store in `/readyz`. */
const VARIABLES: Readonly<Record<string, string>> = {
  database: "DATABASE_URL",
  event_log: "EVENT_STORE_URL",
  keys: "KEYS_URL",
  jobs: "JOBS_URL",
};

export interface RetriedServe {
  readonly instance: Instance;
  readonly port: number;
  /** Resolves if the embedded PostgreSQL exits, which waiting cannot fix. */
  readonly failed: Promise<Refusal>;
  readonly say: Say;
  readonly signal: AbortSignal;
  readonly restart: (() => void) | undefined;
  /** Resolves once site and console are built. */
  readonly built: Promise<unknown> | undefined;
}

/**
 * Runs all services, answering requests while waiting for stores.
 * @param started what to stop.
 * @throws {LaunchStopped}
 */
export async function serveWithRetries(
  { instance, port, failed, say, signal, restart, built }: RetriedServe,
  started: AsyncDisposableStack,
): Promise<{ notes: string[] }> {
  await using opened = new AsyncDisposableStack();
  const onePort = createOnePort({ host: instance.config.host, port });
  opened.defer(() => onePort.drain(DRAIN_MS));
  const ended = new AbortController();
  let end: Refusal | undefined;
  void failed.then((reason) => {
    end = reason;
    ended.abort();
  });
  let waiting: WaitingHandler | undefined;
  const stop = AbortSignal.any([signal, ended.signal]);
  const served = await startWithRetries({
    name: "registry",
    config: settingsOf(instance),
    log: instance.log("launcher"),
    signal: stop,
    async attempt() {
      await using parts = new AsyncDisposableStack();
      await prepareStores(instance, say, stop);
      try {
        const { notes } = await serve(instance, onePort, say, parts, {
          signal: stop,
          restart,
          built,
        });
        return { notes, parts: parts.move() };
      } catch (error) {
        if (waiting) await onePort.answerWith(waiting);
        throw error;
      }
    },
    async listen(handle) {
      waiting = handle;
      await onePort.answerWith(handle);
      return async () => undefined;
    },
    onWaiting: (stores, reason) => say(wordsFor(stores, reason)),
  }).catch((error) => {
    throw end ?? error;
  });
  if (end) throw end;
  if (!served) throw new LaunchStopped();
  started.use(served.parts);
  // Moved last, so that requests are finished first.
  started.use(opened.move());
  return { notes: served.notes };
}

/** The stores as the services will see them, with the owner's role. */
function settingsOf({ config, stores }: Instance): object {
  const { RATE_LIMIT_URL: rateLimitUrl, FILES_URL: filesUrl } = config.variables;
  return {
    databaseUrl: stores.DATABASE_URL,
    eventStoreUrl: stores.EVENT_STORE_URL,
    keysUrl: stores.KEYS_URL,
    searchUrl: stores.SEARCH_URL,
    jobsUrl: stores.JOBS_URL,
    rateLimitUrl,
    filesUrl,
    trustProxyHops: config.trustProxyHops,
    publicUrl: config.publicUrl,
  };
}

/** Returns text such as `waiting for EVENT_STORE_URL (ECONNREFUSED)`. */
function wordsFor(stores: readonly UnavailableStore[], reason: string): string {
  if (stores.length === 0) return `waiting: ${reason}`;
  const names = stores.map(({ store, error }) => `${VARIABLES[store] ?? store} (${error})`);
  return `waiting for ${names.join(", ")}`;
}
