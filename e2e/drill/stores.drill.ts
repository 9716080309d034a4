import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Breakable, Stored } from "../support/many-processes.ts";
import { Drill } from "./drill.ts";
import { type Fault, frozen, killed } from "./fault.ts";
import { failsToWrite } from "./redis-writes.fixture.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

/** In megabytes. PostgreSQL's log of writes takes a gigabyte before it is reused. */
const DISKS: Readonly<Record<Stored, number>> = {
  postgres: 2_500,
  redis: 96,
  search: 256,
  files: 64,
};

let drill: Drill;
const disks = new Map<Stored, SmallDisk>();

beforeAll(async () => {
  for (const [part, megabytes] of Object.entries(DISKS) as [Stored, number][]) {
    const disk = await mountSmallDisk(megabytes);
    if (disk) disks.set(part, disk);
  }
  const folders = Object.fromEntries([...disks].map(([part, { folder }]) => [part, folder]));
  drill = await Drill.begin({ openSearch: true, breakable: true, folders });
});
afterAll(async () => {
  await drill?.end();
  for (const disk of disks.values()) await disk.dispose();
});

const stores = () => drill.registry.breakable as Breakable;

const broken = (name: keyof Breakable["networks"], words: string): Fault[] => [
  {
    name: `the network to ${words} is cut`,
    begin: () => stores().networks[name].cut(),
    end: () => stores().networks[name].restore(),
  },
  {
    name: `the network to ${words} loses everything`,
    begin: () => stores().networks[name].swallow(),
    end: () => stores().networks[name].restore(),
  },
];

const full = (part: Stored, name: string): Fault => ({
  name,
  absent: () => (disks.has(part) ? undefined : "only root may mount a small disk"),
  begin: () => disks.get(part)?.fill(),
  end: () => disks.get(part)?.clear(),
});

const postgresFull = full("postgres", "PostgreSQL's disk is full");
const redisFull = full("redis", "Redis's disk is full");

const FAULTS: readonly Fault[] = [
  ...broken("postgres", "PostgreSQL"),
  ...broken("redis", "Redis"),
  ...broken("search", "OpenSearch"),
  {
    name: "PostgreSQL is killed, and started again",
    begin: () => drill.registry.postgres.kill(),
    end: () => drill.registry.postgres.start(),
  },
  {
    ...postgresFull,
    async end() {
      await postgresFull.end();
      // It ends when it cannot write its log; whatever runs it starts it again.
      await drill.registry.db.query("select 1").catch(() => drill.registry.postgres.start());
    },
  },
  {
    name: "PostgreSQL is frozen",
    begin: () => drill.registry.postgres.freeze(),
    end: () => drill.registry.postgres.thaw(),
  },
  {
    name: "Redis is killed, and started again",
    begin: () => stores().redis.kill(),
    end: () => stores().redis.start(),
  },
  {
    name: "Redis is killed, and comes back empty",
    async begin() {
      await stores().redis.kill();
      await stores().redis.wipe();
    },
    end: () => stores().redis.start(),
  },
  {
    name: "Redis is frozen",
    begin: () => stores().redis.freeze(),
    end: () => stores().redis.thaw(),
  },
  {
    ...redisFull,
    async end() {
      // Nothing else tells: without Redis everything is served.
      expect(await failsToWrite(stores().redis.url)).toBe(true);
      await redisFull.end();
    },
  },
  {
    name: "OpenSearch is killed, and started again",
    begin: () => stores().search.kill(),
    end: () => stores().search.start(),
  },
  {
    name: "OpenSearch is frozen",
    begin: () => stores().search.freeze(),
    end: () => stores().search.thaw(),
  },
  full("search", "OpenSearch's disk is full"),
  full("files", "the disk of the files is full"),
  {
    name: "HAProxy is killed, and started again",
    begin: () => drill.registry.haproxy.kill(),
    end: () => drill.registry.haproxy.start(),
  },
  {
    name: "HAProxy is frozen",
    begin: () => void drill.registry.haproxy.child.kill("SIGSTOP"),
    end: () => void drill.registry.haproxy.child.kill("SIGCONT"),
  },
  frozen("command-api", () => drill.registry.pairs["command-api"][1]),
  frozen("query-api", () => drill.registry.pairs["query-api"][1]),
  frozen("web", () => drill.registry.pairs.web[1]),
  frozen("mailer", () => drill.registry.pairs.mailer[1]),
  frozen("projector", () => drill.registry.ownerOf("reports")),
  killed("command-api", () => drill.registry.pairs["command-api"][0]),
  killed("query-api", () => drill.registry.pairs["query-api"][0]),
  killed("web", () => drill.registry.pairs.web[0]),
  killed("mailer", () => drill.registry.pairs.mailer[0]),
  killed("projector", () => drill.registry.ownerOf("reports")),
];

describe("the registry under load", () => {
  it.for(FAULTS)("goes on when $name", async (fault, { skip }) => {
    const absent = fault.absent?.();
    if (absent) skip(absent);
    await drill.withFault(fault);
  });

  it("has lost nothing that it acknowledged, and done nothing twice", () =>
    drill.expectNothingLost());

  it("has each acknowledged file once, and no other", () => drill.expectEachFileOnce());

  it("has mailed each reporter whose report was acknowledged", () => drill.expectMails());
});
