import { pino } from "pino";
import { expect, it } from "vitest";
import type { FaultyPackage } from "#operations/advisories.ts";
import type { BuildStamp } from "#operations/build-stamp.ts";
import type { RunningServer, SeenServer } from "#operations/running-server.ts";
import type { JobRun, NewJobLine } from "../jobs/job-kind.ts";
import { checkUpdates } from "./check-updates.ts";

const STAMP: BuildStamp = { version: "1.2.3", built_at: "2026-11-23T10:00:00.000Z" };

/** Runs the action under these conditions. */
async function check(how: {
  readonly asks?: boolean;
  readonly others?: number;
  readonly stamp?: BuildStamp;
  readonly faulty?: (unwanted: AbortSignal) => Promise<FaultyPackage[]>;
  readonly signal?: AbortSignal;
  readonly servers?: readonly RunningServer[];
  /** Versions that other services report of servers that only they can reach. */
  readonly told?: readonly SeenServer[];
}) {
  const { asks = true, others = 0, stamp, faulty = async () => [], servers = [], told = [] } = how;
  const { signal = new AbortController().signal } = how;
  const lines: NewJobLine[] = [];
  const logged: unknown[] = [];
  let questions = 0;
  const action = checkUpdates({
    version: "1.2.3",
    asks,
    servers,
    pool: {
      query: async (text: string) => ({
        rows: text.includes("servers") ? told.map((server) => ({ server })) : [{ n: others }],
      }),
    } as never,
    log: pino({ level: "warn" }, { write: (line) => void logged.push(JSON.parse(line)) }),
    stamp: async () => stamp,
    installed: async () => ({ left: ["1.0.0"], right: ["2.0.0"] }),
    faulty: (_, { unwanted }) => {
      questions += 1;
      return faulty(unwanted);
    },
  });
  const count = await action.run({
    signal,
    total: async () => undefined,
    line: async (line: NewJobLine) => void lines.push(line),
  } as unknown as JobRun);
  const words = Object.fromEntries(lines.map(({ target, message }) => [target, message]));
  const outcomes = Object.fromEntries(lines.map(({ target, outcome }) => [target, outcome]));
  return { count, words, outcomes, questions, logged };
}

it("reports what is running and when it was built, and finds nothing if all is well", async () => {
  const { count, words, outcomes } = await check({
    stamp: { ...STAMP, scan: { packages: 2, faulty: [] } },
  });
  expect(count).toBe(0);
  expect(new Set(Object.values(outcomes))).toEqual(new Set(["done"]));
  expect(words.version).toContain("Version 1.2.3");
  expect(words.build).toContain("2026-11-23T10:00:00.000Z");
  expect(words.registry).toContain("2 installed packages have no known vulnerabilities");
});

it("queries the package registry only if the operator allows it", async () => {
  const { questions, words, count } = await check({ asks: false, stamp: STAMP });
  expect(questions).toBe(0);
  expect(words.registry).toContain("UPDATE_CHECK is off");
  expect(words.build_scan).toContain("didn't check the package registry");
  expect(count).toBe(0);
  expect((await check({ stamp: STAMP })).questions).toBe(1);
});

it("names the packages with known vulnerabilities, including those found by the build", async () => {
  const faulty: FaultyPackage[] = Array.from({ length: 10 }, (_, n) => ({
    name: `package-${n}`,
    severity: "high",
  }));
  const { count, words, outcomes } = await check({
    stamp: { ...STAMP, scan: { packages: 2, faulty: faulty.slice(0, 1) } },
    faulty: async () => faulty,
  });
  expect(count).toBe(2);
  expect(outcomes).toMatchObject({ build_scan: "refused", registry: "refused" });
  expect(words.build_scan).toContain("package-0 (high)");
  expect(words.registry).toContain("package-7 (high) and 2 more");
});

it("finds processes of another version, and a build without a stamp", async () => {
  const { count, words } = await check({ others: 2 });
  expect(count).toBe(2);
  expect(words.processes).toContain("2 processes run a different version");
  expect(words.build).toContain("Run npm run build");
});

it("reports that the registry did not answer, without details", async () => {
  const { outcomes, words } = await check({
    stamp: STAMP,
    faulty: () => Promise.reject(new Error("connect ECONNREFUSED 192.0.2.1:443")),
  });
  expect(outcomes.registry).toBe("failed");
  expect(words.registry).not.toContain("192.0.2.1");
});

it("aborts the query when stopped, and rejects with the reason", async () => {
  const stopping = new AbortController();
  const stopped = new Error("stopped");
  let isAsking = false;
  const faulty = (unwanted: AbortSignal) =>
    new Promise<FaultyPackage[]>((_, reject) => {
      isAsking = true;
      unwanted.addEventListener("abort", () => {
        isAsking = false;
        reject(unwanted.reason);
      });
      stopping.abort(stopped);
    });
  await expect(check({ stamp: STAMP, faulty, signal: stopping.signal })).rejects.toBe(stopped);
  expect(isAsking).toBe(false);
});

it("logs an error's name and code, but no URL with a password", async () => {
  const address = "https://reader:canary-password@registry.example/";
  const cause = Object.assign(new Error(`getaddrinfo ${address}`), { code: "ENOTFOUND" });
  const fetched = new TypeError(`Failed to parse URL from ${address}`, { cause });
  const command = Object.assign(new Error(`Command failed: ${address}`), {
    code: 1,
    cmd: address,
    stderr: `npm error ${address}`,
  });
  for (const [error, noted] of [
    [fetched, { name: "TypeError", code: "ENOTFOUND" }],
    [command, { name: "Error" }],
    [address, { name: "unknown" }],
  ] as const) {
    const { logged } = await check({ stamp: STAMP, faulty: () => Promise.reject(error) });
    expect(logged).toMatchObject([{ error: noted }]);
    expect(JSON.stringify(logged)).not.toContain("canary-password");
  }
});

const server = (given: Partial<RunningServer> & { version: () => Promise<string> }) => ({
  target: "database",
  program: "postgresql" as const,
  isEmbedded: false,
  ...given,
});

it("names each server below the oldest safe version, with special advice for the embedded one", async () => {
  const { words, outcomes, count } = await check({
    stamp: STAMP,
    servers: [
      server({ version: async () => "18.4", isEmbedded: true }),
      server({ target: "keys", version: async () => "18.7 (Debian 18.7-1)" }),
      server({ target: "redis", program: "redis", version: async () => "7.4.6" }),
    ],
  });
  expect(count).toBe(2);
  expect(outcomes).toMatchObject({
    server_database: "refused",
    server_keys: "done",
    server_redis: "refused",
  });
  expect(words.server_database).toMatch(
    /PostgreSQL 18\.4 is older than 18\.\d.*CVE-.*POSTGRES_BIN/,
  );
  expect(words.server_redis).toMatch(/Redis 7\.4\.6 is older than .*Update it/);
});

it("continues if a server does not report its version, and logs no address", async () => {
  const { outcomes, words, logged } = await check({
    stamp: STAMP,
    servers: [
      server({ version: () => Promise.reject(new Error("postgres://u:canary-password@db")) }),
      server({ target: "redis", program: "redis", version: async () => "" }),
    ],
  });
  expect(outcomes).toMatchObject({ server_database: "failed", server_redis: "done" });
  expect(words.server_redis).toContain("didn't report its version");
  expect(JSON.stringify(logged)).not.toContain("canary-password");
});

it("compares each server that only other services can reach, once", async () => {
  const search = { target: "search", program: "opensearch", isEmbedded: false } as const;
  const front = { target: "haproxy", program: "haproxy", isEmbedded: false } as const;
  const { words, outcomes } = await check({
    stamp: STAMP,
    servers: [server({ version: async () => "18.7" })],
    told: [
      { ...search, version: "3.7.0" },
      { ...front, version: "3.2.26-abcdef" },
      { ...server({ version: async () => "" }), version: "18.4" },
    ],
  });
  expect(words.server_search).toMatch(/OpenSearch 3\.7\.0 is older than 3\.8\.0/);
  expect(outcomes).toMatchObject({ server_haproxy: "done", server_database: "done" });
});
