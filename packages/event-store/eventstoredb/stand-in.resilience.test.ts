import { eventStoreContract } from "../contract-suite.ts";
import { standInLog, standInWithServer } from "./testing/stand-in.fixture.ts";

eventStoreContract("EventStoreDB adapter on a stand-in server", standInLog, {
  restart: true,
  writerProcess: ({ url }) => ({
    module: new URL("./testing/writer.fixture.ts", import.meta.url),
    config: url,
  }),
  unfinishedAppend: {
    absent: "EventStoreDB has an append whole or not at all: there is nothing to stop half-way",
  },
  server: standInWithServer,
});
