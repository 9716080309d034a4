import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyLog } from "#event-store/audit-verify.ts";
import { StandInCluster } from "#event-store/eventstoredb/testing/stand-in-cluster.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { Drill } from "./drill.ts";
import type { Fault } from "./fault.ts";

/** The followers name the lost leader for so long, as those of a real cluster do. */
const ELECTION_MS = 3_000;
/** Every process has left a leader that does not answer within this time, in milliseconds. */
const LEFT_MS = 8_000;
const MOST = { list: LEFT_MS, search: LEFT_MS, page: LEFT_MS, submit: LEFT_MS, upload: LEFT_MS };

const cluster = new StandInCluster();
let drill: Drill;

beforeAll(async () => {
  await cluster.start();
  drill = await Drill.begin({ eventStoreUrl: cluster.url, openSearch: false });
});
afterAll(async () => {
  await drill?.end();
  await cluster.close();
});

/** Another one leads three seconds later, and the node comes back as a follower. */
const lost = (name: string, node: number, lose: () => void): Fault => ({
  name,
  most: MOST,
  begin() {
    lose();
    setTimeout(() => cluster.elect(node + 1), ELECTION_MS);
  },
  end: () => cluster.thaw(node),
});

function onEach(act: (node: number) => void): void {
  for (const node of [0, 1, 2]) act(node);
}

const FAULTS: readonly Fault[] = [
  lost("the leader of three is killed", 0, () => cluster.kill(0)),
  lost("the leader of three is frozen", 1, () => cluster.freeze(1)),
  {
    name: "all three are killed, and started again",
    begin: () => onEach((node) => cluster.kill(node)),
    end: () => onEach((node) => cluster.thaw(node)),
  },
  {
    name: "all three are frozen",
    begin: () => onEach((node) => cluster.freeze(node)),
    end: () => onEach((node) => cluster.thaw(node)),
  },
];

describe("a registry whose log is in three stand-ins for EventStoreDB, under load", () => {
  it.for(FAULTS)("goes on when $name", (fault) => drill.withFault(fault));

  it("has lost nothing that it acknowledged, and done nothing twice", () =>
    drill.expectNothingLost());

  it("has each acknowledged file once, and no other", () => drill.expectEachFileOnce());

  it("has mailed each reporter whose report was acknowledged", () => drill.expectMails());

  it("has an intact log", async () => {
    const store = await openEventStore(cluster.url);
    try {
      expect((await verifyLog(store)).fault).toBeUndefined();
    } finally {
      await store.close();
    }
  });
});
