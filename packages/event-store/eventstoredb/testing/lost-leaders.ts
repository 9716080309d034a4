import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { collect, event, ids, newStream } from "../../contract/fixtures.ts";
import { Follower } from "../../contract/follower.ts";
import { type EventStore, type EventToAppend, StoreUnavailable } from "../../port.ts";
import type { StandInCluster } from "./stand-in-cluster.ts";

/** Maximum time from the loss of a leader to the next accepted append, in milliseconds. */
export const PROMISED_MS = 8_000;
/** How long the followers name a frozen leader, as in a real cluster, in milliseconds. */
export const ELECTION_MS = 3_000;

/** Appends one event after another until it is stopped, each with as many attempts as needed. */
export class Writer {
  readonly stream = newStream();
  readonly accepted: EventToAppend[] = [];
  readonly #store: EventStore;
  readonly #done: Promise<void>;
  #stopped = false;
  #onAccepted = Promise.withResolvers<void>();

  constructor(store: EventStore) {
    this.#store = store;
    this.#done = this.#run();
  }

  /** Resolves when one more event is accepted, whenever its append began. */
  accepts(): Promise<void> {
    return this.#onAccepted.promise;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const next = event();
      const last = this.accepted.length - 1;
      await this.#append(next, last < 0 ? "no_stream" : last);
      this.accepted.push(next);
      this.#onAccepted.resolve();
      this.#onAccepted = Promise.withResolvers<void>();
    }
  }

  async #append(next: EventToAppend, expected: number | "no_stream"): Promise<void> {
    for (;;) {
      try {
        await this.#store.append(this.stream, [next], expected);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await delay(50);
      }
    }
  }
}

/**
 * Loses one leader after another under eight writers and a subscriber, and checks that the next one
 * is found in time and that nothing is lost or duplicated. Leader 0 is lost first, then leader 1, and so on.
 * @param open opens a separate store.
 */
export async function loseLeaders(
  cluster: StandInCluster,
  open: () => EventStore,
  losses: readonly ("freeze" | "kill")[],
): Promise<void> {
  const follower = new Follower(open(), await open().head());
  const writers = Array.from({ length: 8 }, () => new Writer(open()));
  await Promise.all(writers.map((writer) => writer.accepts()));
  for (const [leader, how] of losses.entries()) {
    // Some appends are stored there and never acknowledged.
    cluster.loseAnswers(leader);
    await delay(50);
    cluster[how](leader);
    const lostAt = performance.now();
    if (how === "freeze") setTimeout(() => cluster.elect(leader + 1), ELECTION_MS);
    else cluster.elect(leader + 1);
    await Promise.all(writers.map((writer) => writer.accepts()));
    expect(performance.now() - lostAt, how).toBeLessThan(PROMISED_MS);
    // gRPC cannot end these: the one in use, and one for each search that reached the node.
    expect(cluster.connections(leader), how).toBeLessThanOrEqual(3);
    cluster.thaw(leader);
  }
  await Promise.all(writers.map((writer) => writer.stop()));
  const store = open();
  await follower.reached(await store.head());
  await follower.stop();
  for (const { stream, accepted } of writers) {
    expect(ids(await collect(store.readStream(stream)))).toEqual(ids(accepted));
    expect(ids(follower.events.filter((each) => each.stream === stream))).toEqual(ids(accepted));
  }
}
