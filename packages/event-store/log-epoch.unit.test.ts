import { describe, expect, it } from "vitest";
import { event } from "./contract/fixtures.ts";
import { LOG_STREAM, readEpoch } from "./store-log.ts";
import { createMemoryEventStore } from "./testing/memory-event-store.ts";

describe("readEpoch", () => {
  async function epochOf(...types: string[]) {
    const store = createMemoryEventStore();
    const batch = types.map((type) => event({}, type));
    if (batch.length > 0) await store.append(LOG_STREAM, batch, "no_stream");
    const epoch = await readEpoch(store);
    return epoch === undefined ? undefined : batch.findIndex(({ id }) => id === epoch);
  }

  it("is set by the start, and then by the last restore", async () => {
    expect(await epochOf("LogStarted")).toBe(0);
    expect(await epochOf("LogStarted", "LogRestored")).toBe(1);
    expect(await epochOf("LogStarted", "LogRestored", "LogRestored")).toBe(2);
  });

  it("is not changed by other events of the log", async () => {
    expect(await epochOf("LogStarted", "SamplesLoaded", "SamplesCleared")).toBe(0);
    expect(await epochOf("LogStarted", "LogRestored", "SamplesLoaded")).toBe(1);
  });

  it("is undefined for a log that was never started", async () => {
    expect(await epochOf()).toBeUndefined();
    expect(await epochOf("SamplesLoaded")).toBeUndefined();
  });
});
