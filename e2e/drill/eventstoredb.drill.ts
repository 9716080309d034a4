import { afterAll, expect, it } from "vitest";
import { verifyLog } from "#event-store/audit-verify.ts";
import { StandInCluster } from "#event-store/eventstoredb/testing/stand-in-cluster.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { drill, type Fault } from "./drill.ts";

/** How long the followers keep naming the lost leader, as those of a real cluster do. */
const ELECTION_MS = 3_000;
const cluster = new StandInCluster();
afterAll(() => cluster.close());

/** Another node takes the lead three seconds later, and this one comes back as a follower. */
const lost = (name: string, node: number, lose: () => void): Fault => ({
  name,
  // By then every process has left a leader that does not answer.
  mostMs: 8_000,
  begin() {
    lose();
    setTimeout(() => cluster.elect(node + 1), ELECTION_MS);
  },
  end: () => cluster.thaw(node),
});
function all(name: string, act: (node: number) => void): Fault {
  const each = (what: typeof act) => () => [0, 1, 2].map(what);
  return { name, begin: each(act), end: each((node) => cluster.thaw(node)) };
}

drill(
  "a registry whose log is in three stand-ins for EventStoreDB, under load",
  [
    lost("the leader of three is killed", 0, () => cluster.kill(0)),
    lost("the leader of three is frozen", 1, () => cluster.freeze(1)),
    all("all three are killed, and started again", (node) => cluster.kill(node)),
    all("all three are frozen", (node) => cluster.freeze(node)),
  ],
  async () => {
    await cluster.start();
    return { eventStoreUrl: cluster.url, openSearch: false };
  },
);

it("leaves the log intact", async () => {
  const store = await openEventStore(cluster.url);
  expect((await verifyLog(store).finally(() => store.close())).fault).toBeUndefined();
});
