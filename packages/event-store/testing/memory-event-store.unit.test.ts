import { eventStoreContract } from "../contract-suite.ts";
import { createMemoryEventStore } from "./memory-event-store.ts";

const absent = "a log in memory is gone with its process and has no server";

eventStoreContract(
  "memory",
  async () => ({
    open: async () => createMemoryEventStore(),
    dispose: async () => undefined,
  }),
  {
    restart: { absent },
    writerProcess: { absent },
    unfinishedAppend: { absent },
    server: { absent },
  },
);
