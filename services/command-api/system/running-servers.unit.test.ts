import { expect, it } from "vitest";
import { runningServers } from "./running-servers.ts";

const seen = (given: Partial<Parameters<typeof runningServers>[0]>) =>
  runningServers({
    databaseUrl: "postgres://a:secret@db:5432/registry",
    keysUrl: "postgres://b:secret@db:5432/keys",
    eventStoreUrl: "postgresql://c@db:5432/registry",
    ...given,
  }).map(({ target, program, isEmbedded }) => ({ target, program, isEmbedded }));

it("lists a server once, whatever it is used for", () => {
  expect(seen({})).toEqual([{ target: "database", program: "postgresql", isEmbedded: false }]);
});

it("lists each separate server, and recognizes the embedded one", () => {
  const servers = seen({
    embeddedPostgres: "db:5432",
    keysUrl: "postgres://keys/keys",
    eventStoreUrl: "esdb://user:secret@one:2113,two:2113?tls=true",
    rateLimitUrl: "rediss://u:secret@redis:6379",
  });
  expect(servers).toEqual([
    { target: "database", program: "postgresql", isEmbedded: true },
    { target: "keys", program: "postgresql", isEmbedded: false },
    { target: "event_log", program: "eventstoredb", isEmbedded: false },
    { target: "redis", program: "redis", isEmbedded: false },
  ]);
});
