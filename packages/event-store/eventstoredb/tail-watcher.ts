import {
  type EventStoreDBClient,
  excludeSystemEvents,
  START as SERVER_START,
  type Position as ServerPosition,
} from "@eventstore/db-client";
import { BackOff, type BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import { orAborted, pause } from "../follow-log.ts";
import { KnownHead } from "../known-head.ts";
import { formatPosition, type Position, parsePosition, START } from "../port.ts";
import type { StoreLog } from "../store-log.ts";
import type { Connections } from "./connections.ts";
import { isOfTheLog, positionOf } from "./records.ts";

export type SubscribingClient = Pick<EventStoreDBClient, "subscribeToAll">;

interface TailWatcherOptions {
  /** Pause between polls of the end of the log, in milliseconds, with a jitter of up to half of it. */
  readonly pollMs: number;
  readonly backOff: BackOffLimits;
  readonly log: StoreLog;
}

type Subscription = ReturnType<SubscribingClient["subscribeToAll"]>;

/** Events that the server considers between two checkpoints, which prove that the subscription is alive. */
const CHECKPOINT_EVENTS = 32;

/**
 * Tracks how far the log reaches, for all subscribers of a store. It learns it from this process's
 * appends, from one live subscription, and from polling, which alone would be enough. It starts
 * with the first wait.
 *
 * The subscription's reports are only hints. It may end with or without an error, as when it is 32
 * events behind, or go silent for good without ending; and checkpoints have named positions that did
 * not exist yet. None of this can lose or repeat an event, since subscribers do their own reads.
 */
export class TailWatcher extends KnownHead {
  readonly #connections: Connections<SubscribingClient>;
  readonly #readHead: (signal: AbortSignal) => Promise<bigint>;
  readonly #options: TailWatcherOptions;
  readonly #stop = new AbortController();
  #loops: Promise<unknown> | undefined;
  /** Ends the current subscription, so that a new one replaces it. */
  #giveUp: ((reason: Error) => void) | undefined;
  /** The position up to which the current subscription has reported the log. */
  #told: Position = START;

  constructor(
    connections: Connections<SubscribingClient>,
    readHead: (signal: AbortSignal) => Promise<bigint>,
    options: TailWatcherOptions,
  ) {
    super();
    this.#connections = connections;
    this.#readHead = readHead;
    this.#options = options;
  }

  override async waitBeyond(after: Position, signal: AbortSignal): Promise<void> {
    this.#loops ??= Promise.all([this.#listen(), this.#poll()]);
    await super.waitBeyond(after, signal);
  }

  /** Polls the head of the log. @throws {StoreUnavailable} */
  async poll(signal: AbortSignal = this.#stop.signal): Promise<Position> {
    const head = formatPosition(await this.#readHead(signal));
    this.advance(head);
    return head;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loops;
  }

  /** The fallback: finds what no one reported, and detects a subscription that has gone silent. */
  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    let before: Position | undefined;
    while (!signal.aborted) {
      await pause(this.#options.pollMs * (0.5 + Math.random()), signal);
      if (signal.aborted) return;
      if (!this.isAwaited) continue;
      try {
        const head = await this.poll();
        // The subscription had a full interval to report the last event of the previous poll.
        if (before !== undefined && this.#told < before)
          this.#giveUp?.(new Error("the subscription has fallen silent"));
        before = head;
      } catch {
        // The subscribers' own reads notice a server that is down. This only detects silence.
      }
    }
  }

  /** Keeps a subscription alive while the store is open. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop;
    const { backOff: limits, log } = this.#options;
    const backOff = new BackOff(limits);
    while (!signal.aborted) {
      let wasAlive = false;
      const onAlive = () => {
        wasAlive = true;
        if (backOff.attempts > 1) log.info({}, "following the event log again");
        backOff.reset();
      };
      try {
        const from = await this.poll();
        await orAborted(this.#subscribe(from, onAlive), signal);
      } catch (err) {
        // The server drops a subscriber that is 32 events behind, so an end is normal.
        if (wasAlive && !signal.aborted)
          log.info({ err }, "the subscription to the event log ended; subscribing again");
        else if (backOff.attempts === 1 && !signal.aborted)
          log.warn({ err }, "cannot follow the event log; polling it instead");
      }
      if (!signal.aborted) await pause(backOff.next(), signal);
    }
  }

  /** Reads one subscription until it ends. @throws always, with the reason why it ended. */
  async #subscribe(from: Position, onAnswer: () => void): Promise<never> {
    const over = Promise.withResolvers<never>();
    this.#told = from;
    // The watcher has just polled, so a client is available.
    const { client, left, alive } = await this.#connections.current({
      latest: performance.now() + this.#options.pollMs,
      signal: this.#stop.signal,
    });
    const onAlive = () => {
      alive();
      onAnswer();
    };
    const tell = (position: Position) => {
      onAlive();
      if (position > this.#told) this.#told = position;
    };
    const subscription = client.subscribeToAll({
      fromPosition: serverPosition(parsePosition(from)),
      filter: excludeSystemEvents({
        checkpointInterval: 1,
        maxSearchWindow: CHECKPOINT_EVENTS,
        checkpointReached: onAlive,
      }),
      resolveLinkTos: false,
      requiresLeader: true,
    });
    this.#giveUp = over.reject;
    const stop = () => over.reject(new Error("the watcher is closed"));
    this.#stop.signal.addEventListener("abort", stop, { once: true });
    const move = () => over.reject(left.reason);
    left.addEventListener("abort", move, { once: true });
    subscription.on("confirmation", onAlive);
    subscription.on("data", ({ event }) => {
      if (!event || !isOfTheLog(event)) return;
      const position = formatPosition(positionOf(event));
      tell(position);
      this.advance(position);
    });
    // The listener stays: an error without a listener would end the process.
    subscription.on("error", over.reject);
    subscription.on("end", () => over.reject(new Error("the subscription has ended")));
    subscription.on("close", () => over.reject(new Error("the subscription was closed")));
    try {
      return await over.promise;
    } finally {
      this.#giveUp = undefined;
      this.#stop.signal.removeEventListener("abort", stop);
      left.removeEventListener("abort", move);
      leave(subscription);
    }
  }
}

/** Ends a subscription that is no longer used. */
export function leave(subscription: Pick<Subscription, "unsubscribe">): void {
  subscription.unsubscribe().catch(() => undefined);
}

/** Reads and subscriptions start at both halves of a position, which are equal here. */
export function serverPosition(position: bigint): ServerPosition | typeof SERVER_START {
  return position === 0n ? SERVER_START : { commit: position, prepare: position };
}
