import { eventStoreContract } from "../contract-suite.ts";
import { beginAppend, freshLog, logWithServer } from "./postgres-log.fixture.ts";

eventStoreContract("postgres", freshLog, {
  restart: true,
  writerProcess: ({ url }) => ({
    module: new URL("./writer.fixture.ts", import.meta.url),
    config: url,
  }),
  unfinishedAppend: beginAppend,
  server: logWithServer,
});
