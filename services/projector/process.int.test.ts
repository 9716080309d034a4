import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportEdited,
  reportSubmitted,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { foldLog, readTables } from "./testing/oracle.ts";
import { FAST, openFixture, type ProjectorFixture } from "./testing/projector.fixture.ts";

let fixture: ProjectorFixture;
let children: ChildProcess[] = [];

beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
  await fixture.close();
});

interface ProjectorProcess {
  readonly child: ChildProcess;
  /** Address of its own port, from its log. */
  readonly url: Promise<string>;
}

/** The projector as a process of its own, on the fixture's stores. */
function startProcess(): ProjectorProcess {
  const { databaseUrl, masterKeys } = fixture.config;
  const [masterKey] = masterKeys as Buffer[];
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "main.ts")], {
    env: {
      DATABASE_URL: databaseUrl,
      MASTER_KEY: masterKey?.toString("hex"),
      PORT: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += String(chunk);
    const port = /127\.0\.0\.1:(\d+)/.exec(text)?.[1];
    if (port) resolve(`http://127.0.0.1:${port}`);
  });
  return { child, url: promise };
}

async function fill(reports: number): Promise<string> {
  let position = "";
  for (let i = 0; i < reports; i += 1) {
    slugs += 1;
    position = await fixture.report(randomUUID(), [
      reportSubmitted({ blind: { email: [`e${i % 40}`] }, slug: `process-${slugs}` }),
      verifiedByLink(),
      reportApproved(),
      reportEdited({ set: { amount_cents: i } }),
    ]);
  }
  return position;
}
let slugs = 1;

async function expectRowsOfTheLog(): Promise<void> {
  const { stores } = fixture;
  const found = await readTables((text) => fixture.rows(text));
  expect(found).toEqual(await foldLog(stores.store, stores.keys));
}

async function leaseOf(processor: string): Promise<string | undefined> {
  const rows = await fixture.rows<{ token: string }>(
    "select token from processor.lease where processor = $1",
    [processor],
  );
  return rows[0]?.token;
}

describe("the projector as a process", () => {
  it("serves its health and figures, and stops cleanly on a signal", async () => {
    const position = await fill(5);
    const { child, url } = startProcess();
    const base = await url;
    await eventually("ready", async () => (await fetch(`${base}/readyz`)).status === 200);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    await fixture.reached(position);
    expect(await (await fetch(`${base}/metrics`)).text()).toMatch(
      /projector_parked_streams\{processor="audit",service="projector"\} 0/,
    );
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    await expectRowsOfTheLog();
  }, 60_000);

  it("killed again and again at any point leaves rows that equal the fold of the log", async () => {
    const position = await fill(400);
    const seed = randomBytes(4).readUInt32BE();
    let kills = 0;
    let inside = 0;
    for (let random = seed; kills < 6; kills += 1) {
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
      const goal = String((random % 1500) + 1).padStart(20, "0");
      const { child } = startProcess();
      await eventually(`somewhere past ${goal} or at the end (seed ${seed})`, async () => {
        const rows = await fixture.rows<{ position: string }>(
          "select position from processor.checkpoint",
        );
        return rows.some((row) => row.position >= goal);
      });
      child.kill("SIGKILL");
      await once(child, "exit");
      const [row] = await fixture.rows<{ done: boolean }>(
        "select bool_and(position >= $1) and count(*) = 5 as done from processor.checkpoint",
        [position],
      );
      if (!row?.done) inside += 1;
    }
    expect(inside).toBeGreaterThan(0);
    const { child } = startProcess();
    await fixture.reached(position);
    await expectRowsOfTheLog();
    child.kill("SIGTERM");
    await once(child, "exit");
  }, 120_000);

  it("frozen, is replaced by another one, and writes nothing when it wakes", async () => {
    const { child, url } = startProcess();
    const base = await url;
    await eventually("ready", async () => (await fetch(`${base}/readyz`)).status === 200);
    await fixture.reached(await fill(3));
    const owner = await leaseOf("reports");
    child.kill("SIGSTOP");
    const standby = await fixture.start({ ...FAST, lease: { pollMs: 50, staleMs: 6000 } });
    const position = await fill(30);
    await fixture.reached(position);
    expect(await leaseOf("reports")).not.toBe(owner);
    child.kill("SIGCONT");
    await fixture.reached(await fill(30));
    await eventually("the woken one waits", async () => {
      const readiness = await fetch(`${base}/readyz`);
      const { checks } = (await readiness.json()) as {
        checks: Record<string, { detail?: { state?: string } }>;
      };
      return ["reports", "offenders", "audit", "search", "outbox"].every(
        (name) => checks[name]?.detail?.state === "standby",
      );
    });
    await expectRowsOfTheLog();
    expect(standby.health().every(({ state }) => state === "live")).toBe(true);
  }, 60_000);
});
