import { describe, it } from "vitest";
import { testServerUrl } from "#test-kit/config.ts";
import { eventStoreContract } from "../contract-suite.ts";
import { createEventStoreDBEventStore } from "./eventstoredb-event-store.ts";

const url = testServerUrl("TEST_EVENT_STORE_URL");
const name = "EventStoreDB on a real server";

if (url) {
  eventStoreContract(
    name,
    async () => ({
      open: async () => createEventStoreDBEventStore({ connectionString: url }),
      dispose: async () => undefined,
    }),
    {
      restart: true,
      writerProcess: () => ({
        module: new URL("./testing/writer.fixture.ts", import.meta.url),
        config: url,
      }),
      unfinishedAppend: {
        absent: "EventStoreDB has an append whole or not at all: there is nothing to stop half-way",
      },
      server: { absent: "a server of which only the URL is known cannot be stopped and started" },
    },
  );
} else {
  describe(`event store contract: ${name}`, () => {
    it("holds", (context) => {
      context.skip("needs a server: TEST_EVENT_STORE_URL is not set");
    });
  });
}
