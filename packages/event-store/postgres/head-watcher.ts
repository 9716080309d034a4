import type pg from "pg";
import { BackOff, type BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import { ABORTED, orAborted, pause } from "../follow-log.ts";
import { KnownHead } from "../known-head.ts";
import { formatPosition, isPosition, type Position, START } from "../port.ts";
import type { StoreLog } from "../store-log.ts";
import type { Connections } from "./pages.ts";
import { CHANNEL } from "./schema.ts";

interface HeadWatcherOptions {
  /** Pause between polls of the head, in milliseconds, with a jitter of up to half of it. */
  readonly pollMs: number;
  readonly backOff: BackOffLimits;
  readonly log: StoreLog;
}

/** Time limit for disconnecting the listening connection cleanly, in milliseconds. */
const CLOSE_MS = 1_000;

const HEAD = "select coalesce(max(position), 0)::text as head from event_log.event";

/**
 * Tracks how far the log reaches, from this process's appends, notifications, and polling, which alone would be
 * enough.
 */
export class HeadWatcher extends KnownHead {
  readonly #connections: Connections;
  readonly #options: HeadWatcherOptions;
  readonly #stop = new AbortController();
  #loops: Promise<unknown> | undefined;

  constructor(connections: Connections, options: HeadWatcherOptions) {
    super();
    this.#connections = connections;
    this.#options = options;
  }

  override async waitBeyond(after: Position, signal: AbortSignal): Promise<void> {
    this.#loops ??= Promise.all([this.#listen(), this.#poll()]);
    await super.waitBeyond(after, signal);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loops;
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await pause(this.#options.pollMs * (0.5 + Math.random()), signal);
      if (signal.aborted) return;
      if (!this.isAwaited) continue;
      // The subscriptions' own reads notice a server that is down. This only detects silence.
      await orAborted(this.#look(), signal).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const [row] = await this.#connections.query<{ head: string }>(HEAD, []);
    if (row) this.advance(formatPosition(row.head));
  }

  /** Keeps a listening connection open while the store is open. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop;
    const { backOff: limits, log } = this.#options;
    const backOff = new BackOff(limits);
    while (!signal.aborted) {
      const client = this.#connections.newClient();
      const lost = Promise.withResolvers<unknown>();
      client.on("error", lost.resolve);
      client.on("end", () => lost.resolve(new Error("the connection was closed")));
      client.on("notification", ({ payload = "" }) => {
        if (isPosition(payload)) this.advance(payload);
      });
      try {
        await this.#orClosed(client.connect());
        await this.#orClosed(client.query(`listen ${CHANNEL}`));
        if (backOff.attempts > 0) log.info({}, "listening to the event log again");
        backOff.reset();
        // Catches up on what was stored before the server began to notify.
        await this.#orClosed(this.#look());
        await this.#untilLost(client, lost.promise);
      } catch (err) {
        if (backOff.attempts === 0 && !signal.aborted)
          log.warn({ err }, "cannot listen to the event log; polling it instead");
      } finally {
        const ended = client.end().catch(() => undefined);
        await Promise.race([ended, pause(CLOSE_MS, signal)]);
      }
      if (!signal.aborted) await pause(backOff.next(), signal);
    }
  }

  /** Periodically checks that the silent connection is still alive. */
  async #untilLost(client: pg.Client, lost: Promise<unknown>): Promise<void> {
    const { signal } = this.#stop;
    let error: unknown;
    void lost.then((reason) => {
      error = reason;
    });
    while (!signal.aborted) {
      const turn = new AbortController();
      await Promise.race([
        lost,
        pause(this.#options.pollMs * 5, AbortSignal.any([signal, turn.signal])),
      ]);
      turn.abort();
      if (error) throw error;
      if (!signal.aborted) await this.#orClosed(client.query("select 1"));
    }
  }

  /** @throws if the watcher is closed first. */
  async #orClosed(work: Promise<unknown>): Promise<void> {
    const result = await orAborted(work, this.#stop.signal);
    if (result === ABORTED) throw new Error("the watcher is closed");
  }
}

/**
 * Wakes listeners in other processes after a commit, in a separate statement: a NOTIFY inside the
 * append would make every commit of the database queue behind one lock. Appends made while a
 * notification is in flight share the next one. If one is lost, listeners find the events at their
 * next poll.
 */
export class Notifier {
  readonly #connections: Connections;
  #head: Position = START;
  #sending: Promise<void> | undefined;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Reports that the log reaches at least this far. */
  notify(head: Position): void {
    if (head > this.#head) this.#head = head;
    this.#sending ??= this.#send();
  }

  async drain(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    let told: Position = START;
    while (told < this.#head) {
      told = this.#head;
      await this.#connections
        // Losing a notification costs too little to wait for the disk.
        .query("select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)", [
          CHANNEL,
          told,
        ])
        .catch(() => undefined);
    }
    this.#sending = undefined;
  }
}
