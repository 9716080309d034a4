import { EventEmitter } from "node:events";
import type { EventStoreDBClient, SubscribeToAllOptions } from "@eventstore/db-client";

type Subscription = ReturnType<EventStoreDBClient["subscribeToAll"]>;

/** The client's subscription as seen from outside, controlled by a test. */
export class FakeSubscription extends EventEmitter {
  readonly options: SubscribeToAllOptions;
  /** Events that the client has received but not yet delivered. */
  readableLength = 0;
  left = false;

  constructor(options: SubscribeToAllOptions) {
    super();
    this.options = options;
  }

  async unsubscribe(): Promise<void> {
    this.left = true;
  }

  event(commit: bigint, streamId = "report-1", type = "ThingNoted"): void {
    this.emit("data", { event: { streamId, type, position: { commit, prepare: commit } } });
  }

  checkpoint(commit: bigint): void {
    const subscription = this as unknown as Subscription;
    void this.options.filter?.checkpointReached?.(subscription, { commit, prepare: commit });
  }
}

/** A client whose subscriptions a test controls, in the order in which they were requested. */
export class FakeSubscribingClient {
  readonly subscriptions: FakeSubscription[] = [];
  #asked = Promise.withResolvers<void>();

  subscribeToAll = (options: SubscribeToAllOptions = {}): Subscription => {
    const subscription = new FakeSubscription(options);
    this.subscriptions.push(subscription);
    this.#asked.resolve();
    this.#asked = Promise.withResolvers<void>();
    return subscription as unknown as Subscription;
  };

  /** Returns the subscription with this number, counted from 1, once it was requested. */
  async nth(number: number): Promise<FakeSubscription> {
    while (this.subscriptions.length < number) await this.#asked.promise;
    return this.subscriptions[number - 1] as FakeSubscription;
  }
}
