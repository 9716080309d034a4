import { describe, expect, it } from "vitest";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { event } from "./contract/fixtures.ts";
import { openEventStore } from "./open-event-store.ts";
import { StoreUnavailable } from "./port.ts";

describe("the event log of a URL", () => {
  it.each(["esdb://127.0.0.1:1?tls=false", "ESDB://127.0.0.1:1?tls=false"])(
    "selects EventStoreDB, which connects at first use: %s",
    async (url) => {
      const store = await openEventStore(url);
      await expect(store.head()).rejects.toThrow(StoreUnavailable);
      await store.close();
      await expect(store.append("report-1", [event()], "no_stream")).rejects.toThrow("is closed");
    },
  );

  it.each(["postgres://127.0.0.1:1/x", "postgresql://127.0.0.1:1/x"])(
    "selects PostgreSQL, which immediately creates missing tables: %s",
    async (url) => {
      await expect(openEventStore(url)).rejects.toThrow(StoreUnavailable);
      const store = await openEventStore(url, { install: false });
      await store.close();
    },
  );

  it.each(["http://ops:hunter2@db", "esdb://ops:hunter2@db?color=red", "hunter2"])(
    "is refused without being repeated: %s",
    async (url) => {
      const refusal = await (async () => openEventStore(url))().catch((error) => error);
      expect(refusal).toBeInstanceOf(ConfigInvalid);
      expect(refusal.message).toContain("EVENT_STORE_URL");
      expect(refusal.message).not.toContain("hunter2");
    },
  );
});
