import { createMemoryCounters } from "./memory-counters.ts";
import { type CounterStore, CountersAway, type WhenAway } from "./port.ts";

/** Shared counters that never fail: while they are away, each rule says what holds. */
export function withFallback(
  shared: CounterStore,
  memory: CounterStore = createMemoryCounters(),
): CounterStore {
  let fallbacks = 0;

  async function guarded<T>(
    whenAway: WhenAway,
    open: T,
    call: (store: CounterStore) => Promise<T>,
  ): Promise<T> {
    try {
      return await call(shared);
    } catch (error) {
      if (!(error instanceof CountersAway)) throw error;
      fallbacks += 1;
      return whenAway === "open" ? open : call(memory);
    }
  }

  return {
    hit: (rule, key) =>
      guarded(rule.whenAway, { count: 0, leftMs: 0 }, (store) => store.hit(rule, key)),
    pace: (rule, key) => guarded(rule.whenAway, 0, (store) => store.pace(rule, key)),
    remember: (rule, key, item) =>
      guarded(rule.whenAway, undefined, (store) => store.remember(rule, key, item)),
    remembers: (rule, key, item) =>
      guarded(rule.whenAway, false, (store) => store.remembers(rule, key, item)),
    state: () => ({ ...shared.state(), fallbacks }),
    async close() {
      await shared.close();
      await memory.close();
    },
  };
}
