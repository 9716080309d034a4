import type { CounterStore } from "./port.ts";

/** Keys that are kept of one rule, at most; those that were used longest ago go first. */
const KEPT = 50_000;

/** Values by key, in the order of their last use. */
class Recent<T> {
  readonly #values = new Map<string, T>();

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > KEPT) this.#values.delete(this.#values.keys().next().value as string);
  }
}

/** The values of each rule, by its name. */
function byRule<T>(): (name: string) => Recent<T> {
  const rules = new Map<string, Recent<T>>();
  return (name) => {
    const known = rules.get(name) ?? new Recent<T>();
    rules.set(name, known);
    return known;
  };
}

/** Counts in this process alone. */
export function createMemoryCounters(now: () => number = () => Date.now()): CounterStore {
  const windows = byRule<{ count: number; ends: number }>();
  const paces = byRule<{ count: number; last: number }>();
  const memories = byRule<{ items: readonly string[]; last: number }>();

  return {
    async hit({ name, windowMs }, key) {
      const time = now();
      const before = windows(name).get(key);
      const goesOn = before !== undefined && time < before.ends;
      const after = goesOn
        ? { count: before.count + 1, ends: before.ends }
        : { count: 1, ends: time + windowMs };
      windows(name).set(key, after);
      return { count: after.count, leftMs: after.ends - time };
    },
    async pace({ name, after, everyMs, resetMs }, key) {
      const time = now();
      const before = paces(name).get(key);
      const isKnown = before !== undefined && time - before.last < resetMs;
      if (isKnown && before.count >= after && time - before.last < everyMs) {
        return before.last + everyMs - time;
      }
      paces(name).set(key, { count: (isKnown ? before.count : 0) + 1, last: time });
      return 0;
    },
    async remember({ name, keep, forMs }, key, item) {
      const time = now();
      const before = memories(name).get(key);
      const items = before && time - before.last < forMs ? before.items : [];
      const others = items.filter((other) => other !== item);
      memories(name).set(key, { items: [item, ...others].slice(0, keep), last: time });
    },
    async remembers({ name, forMs }, key, item) {
      const known = memories(name).get(key);
      return known !== undefined && now() - known.last < forMs && known.items.includes(item);
    },
    state: () => ({ shared: false, reachable: true, fallbacks: 0 }),
    close: async () => undefined,
  };
}
