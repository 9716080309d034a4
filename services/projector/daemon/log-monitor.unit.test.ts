import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { EventStore } from "#event-store/port.ts";
import { LogMonitor, type LogMonitorDeps } from "./metrics.ts";
import type { Processor, ProcessorHealth } from "./processor.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 22) });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A monitor of one processor, with the log's head at 10. */
function monitored(first: Partial<ProcessorHealth>) {
  const health = {
    processor: "reports",
    position: null,
    movedAtMs: null,
    stop: undefined,
    ...first,
  } as ProcessorHealth;
  const processor = { name: "reports", health: () => health, inspect: async () => undefined };
  const store = { head: async () => "10", readStream: async function* () {} };
  const monitor = new LogMonitor({
    store: store as unknown as EventStore,
    pool: { query: async () => ({ rows: [] }) } as unknown as LogMonitorDeps["pool"],
    processors: [processor as unknown as Processor],
  });
  return {
    check: () => monitor.check(processor as unknown as Processor),
    seconds: () => monitor.check(processor as unknown as Processor).detail?.lagSeconds,
    becomes: (next: Partial<ProcessorHealth>) => Object.assign(health, next),
    async afterMinute() {
      await monitor.poll();
      vi.setSystemTime(Date.now() + 60_000);
      await monitor.poll();
    },
  };
}

it("reports how long a processor has been behind", async () => {
  const { afterMinute, seconds, becomes } = monitored({ state: "live", position: "09" });
  await afterMinute();
  expect(seconds()).toBe(60);
  becomes({ position: "10" });
  await afterMinute();
  expect(seconds()).toBe(0);
});

it("has no lag for a standby processor, whatever it was before", async () => {
  const { afterMinute, check, becomes } = monitored({ state: "standby" });
  await afterMinute();
  expect(check()).toMatchObject({ ok: true, detail: { lag: 0, lagSeconds: 0 } });
  becomes({ state: "live", position: "09" });
  await afterMinute();
  becomes({ state: "standby", position: null });
  await afterMinute();
  expect(check()).toMatchObject({ ok: true, detail: { state: "standby", lagSeconds: 0 } });
});

it("counts from when it owns the processor, not from when it became a standby", async () => {
  const { afterMinute, seconds, becomes } = monitored({ state: "standby" });
  await afterMinute();
  becomes({ state: "catching_up", position: "01" });
  await afterMinute();
  expect(seconds()).toBe(60);
});
