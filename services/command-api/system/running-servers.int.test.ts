import { expect, it, onTestFinished } from "vitest";
import { StandInServer } from "#event-store/eventstoredb/testing/stand-in-server.ts";
import { freshDatabase } from "#test-kit/database.ts";
import { noRedis, openTestRedis } from "#test-kit/redis-server.ts";
import { runningServers } from "./running-servers.ts";

const stores = async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  return { databaseUrl: database.url, keysUrl: database.url, eventStoreUrl: database.url };
};

it("reads the versions of PostgreSQL and EventStoreDB", async () => {
  const eventStore = new StandInServer();
  await eventStore.start();
  onTestFinished(() => eventStore.kill());
  const servers = runningServers({ ...(await stores()), eventStoreUrl: eventStore.url });
  const versions = await Promise.all(servers.map(({ version }) => version()));
  expect(versions).toEqual([expect.stringMatching(/^\d+\.\d+/), "23.10.0"]);
});

it("reads the version of Redis", async (context) => {
  if (noRedis) context.skip(noRedis);
  const redis = await openTestRedis();
  onTestFinished(() => redis.dispose());
  const servers = runningServers({ ...(await stores()), rateLimitUrl: redis.url });
  expect(await servers.at(-1)?.version()).toMatch(/^\d+\.\d+\.\d+/);
});
