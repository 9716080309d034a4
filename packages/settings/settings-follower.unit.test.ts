import { expect, it } from "vitest";
import { type SettingsEvent, streams } from "#contracts/events/index.ts";
import { type EventStore, StoreUnavailable } from "#event-store/port.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { SettingsFollower } from "./settings-follower.ts";

const NOW = Date.parse("2026-11-24T10:00:00.000Z");

function opened() {
  const keys = createMemoryKeyStore();
  let store: EventStore = createMemoryEventStore();
  let isAway = false;
  let failed = 0;
  let now = NOW;
  const warnings: unknown[] = [];
  const told: boolean[] = [];
  const follower = new SettingsFollower({
    store: {
      readStream: (...given) => {
        if (isAway) failed += 1;
        if (isAway) throw new StoreUnavailable("away");
        return store.readStream(...given);
      },
    },
    keys,
    log: { warn: (fields: unknown) => warnings.push(fields) },
    now: () => now,
    onChange: ({ debugMode }) => told.push(debugMode),
  });
  const append = (data: SettingsEvent["data"]) =>
    new EventWriter(store, keys).append(streams.settings, [{ type: "SettingsChanged", data }]);
  return {
    follower,
    append,
    told,
    warnings,
    failed: () => failed,
    restore: () => {
      store = createMemoryEventStore();
    },
    lose: (away: boolean) => {
      isAway = away;
    },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

it("applies the defaults until something changes, then what the log says", async () => {
  const { follower, append, told } = opened();
  await follower.read();
  await follower.read();
  expect(follower.settings()).toMatchObject({ debugMode: false, emailNotifications: true });
  await append({ debug_mode: true, content: { maintenance_message: "Back soon" } });
  await follower.read();
  await append({ email_notifications: false });
  await follower.read();
  expect(follower.settings()).toMatchObject({
    debugMode: true,
    emailNotifications: false,
    maintenanceMessage: "Back soon",
  });
  // Called for the first read and for each change.
  expect(told).toEqual([false, true, true]);
});

it("restores rate limits when their hour has passed, without a read", async () => {
  const { follower, append, pass } = opened();
  await append({ rate_limit_enabled: false, rate_limit_off_until: "2026-11-24T10:30:00.000Z" });
  await follower.read();
  expect(follower.settings().rateLimitEnabled).toBe(false);
  pass(30 * 60_000);
  expect(follower.settings().rateLimitEnabled).toBe(true);
});

it("discards the settings of a replaced log", async () => {
  const { follower, append, restore, told } = opened();
  await append({ debug_mode: true });
  await follower.read();
  restore();
  await follower.read();
  expect(follower.settings().debugMode).toBe(false);
  expect(told).toEqual([true, false]);
  await append({ email_notifications: false });
  await follower.read();
  expect(follower.settings()).toMatchObject({ debugMode: false, emailNotifications: false });
});

it("keeps the known settings while the log is unavailable, warns once, and recovers", async () => {
  const { follower, append, lose, warnings, failed } = opened();
  await append({ debug_mode: true });
  await follower.read();
  lose(true);
  follower.start();
  await expect.poll(failed, { timeout: 10_000 }).toBeGreaterThan(2);
  expect(warnings).toHaveLength(1);
  await expect(follower.read()).rejects.toThrow(StoreUnavailable);
  expect(follower.settings().debugMode).toBe(true);
  lose(false);
  await append({ debug_mode: false });
  await expect.poll(() => follower.settings().debugMode, { timeout: 5000 }).toBe(false);
  expect(warnings).toHaveLength(1);
  await follower.stop();
});
