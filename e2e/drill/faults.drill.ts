import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#test-kit/reached-position.ts";
import { expectEachReportOnce } from "../support/lose-one-of-each.ts";
import {
  type Breakable,
  type ManyProcesses,
  startManyProcesses,
} from "../support/many-processes.ts";
import type { ServiceProcess } from "../support/processes.ts";
import {
  createRegistryClient,
  PATIENCE_MS,
  type RegistryClient,
} from "../support/registry-client.ts";
import { KINDS, type Kind, MeasuredLoad } from "./measured-load.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

/** A part that fails, and what ends it. */
interface Fault {
  readonly name: string;
  /** Where another one takes over: nobody waits longer for an answer than that, in milliseconds. */
  readonly most?: Readonly<Record<Kind, number>>;
  begin(): void | Promise<void>;
  end(): void | Promise<void>;
}

const BEFORE_MS = 3_000;
const FAULT_MS = 20_000;
const KILLED = { list: 2_000, search: 2_000, page: 2_000, submit: 2_000 };
/** A frozen process is not told from a slow one before two checks have failed. */
const FROZEN = { list: 8_000, search: 8_000, page: 8_000, submit: 8_000 };

let registry: ManyProcesses;
let client: RegistryClient;
let load: MeasuredLoad;
let disk: SmallDisk | undefined;
const table: string[] = [];

beforeAll(async () => {
  disk = await mountSmallDisk(2_500);
  const postgresFolder = disk?.folder;
  registry = await startManyProcesses({ openSearch: true, breakable: true, postgresFolder });
  client = createRegistryClient(registry);
  await client.signIn();
  load = new MeasuredLoad(registry);
  await someAcknowledged(20);
});
afterAll(async () => {
  console.log([HEAD, ...table].join("\n"));
  await registry?.close();
  await disk?.dispose();
});

const HEAD = [
  "| what fails, for 20 s | list | search | page | submit | refused | back after |",
  "|---|---|---|---|---|---|---|",
].join("\n");

const stores = () => registry.breakable as Breakable;

async function someAcknowledged(more: number): Promise<void> {
  const wanted = load.acknowledged.size + more;
  await eventually("reports are taken", () => load.acknowledged.size >= wanted, PATIENCE_MS);
}

const frozen = (name: string, which: () => ServiceProcess | Promise<ServiceProcess>): Fault => {
  let held: ServiceProcess | undefined;
  return {
    name: `a ${name} is frozen (SIGSTOP)`,
    most: FROZEN,
    async begin() {
      held = await which();
      held.child.kill("SIGSTOP");
    },
    end: () => void held?.child.kill("SIGCONT"),
  };
};

/** It stays away: its platform would start it again. */
const killed = (name: string, which: () => ServiceProcess | Promise<ServiceProcess>): Fault => ({
  name: `a ${name} is killed (SIGKILL)`,
  most: KILLED,
  async begin() {
    const victim = await which();
    victim.child.kill("SIGKILL");
    await victim.exited;
  },
  end: () => undefined,
});

const cut = (name: keyof Breakable["networks"], words: string): Fault[] => [
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

const FAULTS: readonly Fault[] = [
  ...cut("postgres", "PostgreSQL"),
  ...cut("redis", "Redis"),
  ...cut("search", "OpenSearch"),
  {
    name: "PostgreSQL is killed, and started again",
    begin: () => registry.postgres.kill(),
    end: () => registry.postgres.start(),
  },
  {
    name: "PostgreSQL's disk is full",
    begin: () => disk?.fill(),
    async end() {
      await disk?.clear();
      // It ends when it cannot write its log.
      await registry.db.query("select 1").catch(() => registry.postgres.start());
    },
  },
  {
    name: "Redis is killed, and comes back empty",
    begin: () => stores().redis.kill(),
    end: () => stores().redis.start(),
  },
  {
    name: "Redis is frozen",
    begin: () => stores().redis.freeze(),
    end: () => stores().redis.thaw(),
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
  frozen("command-api", () => registry.pairs["command-api"][1]),
  frozen("query-api", () => registry.pairs["query-api"][1]),
  frozen("web", () => registry.pairs.web[1]),
  frozen("mailer", () => registry.pairs.mailer[1]),
  frozen("projector", () => registry.ownerOf("reports")),
  killed("command-api", () => registry.pairs["command-api"][0]),
  killed("query-api", () => registry.pairs["query-api"][0]),
  killed("web", () => registry.pairs.web[0]),
  killed("mailer", () => registry.pairs.mailer[0]),
  killed("projector", () => registry.ownerOf("reports")),
];

describe("the registry behind HAProxy, under load", () => {
  it.for(FAULTS)("goes on when $name", async ({ name, most, begin, end }, { skip }) => {
    if (name.includes("disk") && !disk) skip("only root may mount a small disk");
    await delay(BEFORE_MS);
    const begun = performance.now();
    await begin();
    await delay(FAULT_MS);
    await end();
    const mended = performance.now();
    const back = await everythingAnswers(mended);
    const waits = longestWaits(begun);
    const refused = refusals(begun);
    const row = [name, ...KINDS.map((kind) => seconds(waits[kind])), refused, seconds(back)];
    table.push(`| ${row.join(" | ")} |`);
    console.log(table.at(-1));
    if (most === undefined) return;
    for (const kind of KINDS)
      expect.soft(waits[kind], `${name}: ${kind}`).toBeLessThanOrEqual(most[kind]);
  });

  it("has lost nothing that it acknowledged, and done nothing twice", async () => {
    await load.end();
    await expectEachReportOnce(client, load.acknowledged);
    table.push("", `${load.acknowledged.size} reports were acknowledged: each is there once.`);
  });

  it("has mailed each reporter", async () => {
    const got = new Map<string, number>();
    // What a mailer held that was killed is due when its lease ends.
    await registry.db.query("update outbox.mail set leased_until = now() where state = 'queued'");
    await eventually(
      "every link is mailed",
      () => {
        got.clear();
        for (const { to } of registry.mail.mails) got.set(to, (got.get(to) ?? 0) + 1);
        return [...load.acknowledged.keys()].every((address) => got.has(address));
      },
      PATIENCE_MS,
    );
    const twice = [...load.acknowledged.keys()].filter((address) => got.get(address) !== 1);
    table.push(
      `Each reporter was mailed; ${twice.length} of them twice, as their mail was on its way.`,
    );
  });
});

/** Waits until each kind of request is answered again, and more reports are. @returns how long, in milliseconds. */
async function everythingAnswers(since: number): Promise<number> {
  const first = (kind: Kind) =>
    load.asked.find((one) => one.kind === kind && one.begun >= since && isGood(one.status));
  await eventually("everything answers", () => KINDS.every((kind) => first(kind)), PATIENCE_MS);
  return Math.max(...KINDS.map((kind) => (first(kind)?.ended ?? 0) - since));
}

const isGood = (status: number) => status >= 200 && status < 400;

/** The longest wait for any answer, good or not, of what was asked from then on. */
function longestWaits(since: number): Record<Kind, number> {
  const waits = { list: 0, search: 0, page: 0, submit: 0 };
  // What was under way when it began to fail waits for it as well.
  for (const { kind, begun, ended } of load.asked)
    if (ended >= since) waits[kind] = Math.max(waits[kind], ended - Math.max(begun, since));
  return waits;
}

/** What was refused, by kind and status: `submit 503: 12`. */
function refusals(since: number): string {
  const counts = new Map<string, number>();
  for (const { kind, ended, status } of load.asked) {
    if (ended < since || isGood(status)) continue;
    const what = `${kind} ${status || "broken"}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, n]) => `${what}: ${n}`).join(", ") || "nothing";
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
