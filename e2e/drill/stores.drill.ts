import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect } from "vitest";
import type { Breakable, ManyProcesses, Stored } from "../support/many-processes.ts";
import type { ServiceProcess } from "../support/processes.ts";
import { drill, type Fault } from "./drill.ts";
import { failsToWrite } from "./redis-writes.fixture.ts";

type Place = (registry: ManyProcesses) => ServiceProcess | Promise<ServiceProcess>;
interface Server {
  kill(): unknown;
  start(): unknown;
  freeze(): unknown;
  thaw(): unknown;
}

/** Sizes in megabytes. PostgreSQL's WAL takes a gigabyte before it is recycled. */
const DISKS = { postgres: 2_500, redis: 96, search: 256, files: 64 } as const;
/** A separate disk in memory for each part, which can be filled to the last byte. */
const disks = new Map<Stored, string>();
function mountDisks(): void {
  for (const [part, megabytes] of Object.entries(DISKS)) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "registry-drill-disk-"));
    const options = ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=1777`, "tmpfs", folder];
    if (spawnSync("mount", options).status === 0) disks.set(part as Stored, folder);
    else rmSync(folder, { recursive: true });
  }
}
afterAll(() => {
  for (const folder of disks.values()) {
    spawnSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});

const full = (part: Stored, name: string): Fault => {
  const filler = () => path.join(disks.get(part) ?? "", "filler");
  return {
    name,
    absent: () => (disks.has(part) ? undefined : "only root may mount a small disk"),
    // Ends when the disk is full.
    begin: () => once(spawn("dd", ["if=/dev/zero", `of=${filler()}`, "bs=4k"]), "close"),
    end: () => rmSync(filler(), { force: true }),
  };
};

const stores = ({ breakable }: ManyProcesses) => breakable as Breakable;

const cut = (store: keyof Breakable["networks"], words: string): Fault[] =>
  (["cut", "swallow"] as const).map((how) => ({
    name: `the network to ${words} ${how === "cut" ? "is cut" : "loses everything"}`,
    begin: (registry) => stores(registry).networks[store][how](),
    end: (registry) => stores(registry).networks[store].restore(),
  }));

const server = (name: string, of: (registry: ManyProcesses) => Server): Fault[] => [
  {
    name: `${name} is killed, and started again`,
    begin: (registry) => of(registry).kill(),
    end: (registry) => of(registry).start(),
  },
  {
    name: `${name} is frozen`,
    begin: (registry) => of(registry).freeze(),
    end: (registry) => of(registry).thaw(),
  },
];

/** A process counts as frozen, not slow, only after two failed checks. */
const frozen = (name: string, which: Place): Fault => ({
  name: `a ${name} is frozen (SIGSTOP)`,
  mostMs: 8_000,
  begin: async (registry) => (await which(registry)).child.kill("SIGSTOP"),
  end: (registry) => {
    for (const { child } of Object.values(registry.pairs).flat()) child.kill("SIGCONT");
  },
});

/** It stays down; in production its platform would restart it. */
const killed = (name: string, which: Place): Fault => ({
  name: `a ${name} is killed (SIGKILL)`,
  mostMs: 2_000,
  async begin(registry) {
    const victim = await which(registry);
    victim.child.kill("SIGKILL");
    await victim.exited;
  },
  end: () => undefined,
});

const PAIRS = ["command-api", "query-api", "web", "mailer"] as const;
const postgresFull = full("postgres", "PostgreSQL's disk is full");
const redisFull = full("redis", "Redis's disk is full");

const FAULTS: readonly Fault[] = [
  ...cut("postgres", "PostgreSQL"),
  ...cut("redis", "Redis"),
  ...cut("search", "OpenSearch"),
  ...server("PostgreSQL", ({ postgres }) => postgres),
  {
    ...postgresFull,
    async end(registry) {
      await postgresFull.end(registry);
      // PostgreSQL exits when it cannot write its WAL; whatever runs it restarts it.
      await registry.db.query("select 1").catch(() => registry.postgres.start());
    },
  },
  ...server("Redis", (registry) => stores(registry).redis),
  {
    name: "Redis is killed, and comes back empty",
    async begin(registry) {
      await stores(registry).redis.kill();
      await stores(registry).redis.wipe();
    },
    end: (registry) => stores(registry).redis.start(),
  },
  {
    ...redisFull,
    async end(registry) {
      // Nothing else shows it: without Redis everything is still served.
      expect(await failsToWrite(stores(registry).redis.url)).toBe(true);
      await redisFull.end(registry);
    },
  },
  ...server("OpenSearch", (registry) => stores(registry).search),
  full("search", "OpenSearch's disk is full"),
  full("files", "the disk of the files is full"),
  ...server("HAProxy", ({ haproxy }) => ({
    kill: () => haproxy.kill(),
    start: () => haproxy.start(),
    freeze: () => haproxy.child.kill("SIGSTOP"),
    thaw: () => haproxy.child.kill("SIGCONT"),
  })),
  ...PAIRS.map((name) => frozen(name, ({ pairs }) => pairs[name][1])),
  frozen("projector", (registry) => registry.ownerOf("reports")),
  ...PAIRS.map((name) => killed(name, ({ pairs }) => pairs[name][0])),
  killed("projector", (registry) => registry.ownerOf("reports")),
];

drill("the registry under load", FAULTS, async () => {
  mountDisks();
  return { openSearch: true, breakable: true, folders: Object.fromEntries(disks) };
});
