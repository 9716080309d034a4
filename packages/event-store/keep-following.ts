import { BackOff, type BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import { pause } from "./abort.ts";
import {
  type EventFilter,
  type EventStore,
  START,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "./port.ts";

/** Work on the events of the log, from the first one on. */
interface Following {
  readonly filter: EventFilter;
  readonly options: SubscribeOptions;
  readonly onBatch: (batch: SubscriptionBatch) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly retry?: BackOffLimits | undefined;
}

/** Follows the log until the signal. After a failure it continues with the batch that failed. */
export async function keepFollowing(
  store: Pick<EventStore, "subscribeAll">,
  { filter, options, onBatch, onFailure, retry }: Following,
): Promise<void> {
  const { signal } = options;
  const backOff = new BackOff(retry);
  let position = START;
  while (!signal.aborted) {
    try {
      for await (const batch of store.subscribeAll(position, filter, options)) {
        await onBatch(batch);
        position = batch.position;
        backOff.reset();
      }
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
      await pause(backOff.next(), signal);
    }
  }
}
