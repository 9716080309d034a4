import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { forTest } from "#test-kit/for-file.ts";
import { freeze } from "#test-kit/freeze.ts";
import { reachedPosition, eventually as soon } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportEdited,
  reportSubmitted,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { takeOwnership } from "./daemon/checkpoint.ts";
import type { ProcessorSettings } from "./daemon/processor.ts";
import { expectRowsOfTheLog } from "./testing/oracle.ts";
import { openFixture } from "./testing/projector.fixture.ts";
import { type ProjectorProcess, startProcess } from "./testing/projector-process.ts";

const fixture = forTest(openFixture);
let running: ProjectorProcess[] = [];

afterEach(async () => {
  await Promise.all(running.map((process) => process.kill()));
  running = [];
});

/** Processes start slowly on a busy machine. */
const LIMIT_MS = 60_000;
const eventually = (what: string, condition: () => Promise<boolean>) =>
  soon(what, condition, LIMIT_MS);
const reached = (position: string) =>
  reachedPosition(fixture.pool, PROCESSORS, position, LIMIT_MS).catch((error: Error) => {
    const logs = running.map(({ logged }) => logged().slice(-4000));
    throw new Error([error.message, ...logs].join("\n\n"), { cause: error });
  });

function start(settings?: ProcessorSettings): ProjectorProcess {
  const process = startProcess(fixture, settings);
  running.push(process);
  return process;
}

async function fill(reports: number): Promise<string> {
  let position = "";
  for (let i = 0; i < reports; i += 1) {
    position = await fixture.report(randomUUID(), [
      reportSubmitted({ blind: { email: [`e${i % 40}`] } }),
      verifiedByLink(),
      reportApproved(),
      reportEdited({ set: { amount_cents: i } }),
    ]);
  }
  return position;
}

/**
 * Reads each processor's state from the process's own health check. On a busy machine a check may
 * time out, which says nothing about the processor, so it is repeated.
 */
async function statesOf({ url }: ProjectorProcess): Promise<Record<ProcessorName, string>> {
  let states: (readonly [ProcessorName, string | undefined])[] = [];
  await eventually("all checks answer in time", async () => {
    const answer = await fetch(`${await url}/readyz`);
    const { checks } = (await answer.json()) as {
      checks: Record<string, { detail?: { state?: string } }>;
    };
    states = PROCESSORS.map((name) => [name, checks[name]?.detail?.state] as const);
    return states.every(([, state]) => state !== undefined);
  });
  return Object.fromEntries(states) as Record<ProcessorName, string>;
}

async function isEverywhere(process: ProjectorProcess, state: string): Promise<boolean> {
  return Object.values(await statesOf(process)).every((found) => found === state);
}

/** Makes the database record which owner moves which checkpoint, in commit order. */
async function recordMoves(): Promise<void> {
  await fixture.rows(`
    create table move (number bigserial, processor text, owner uuid, pid int default pg_backend_pid());
    create function record_move() returns trigger language plpgsql as $$
    begin
      insert into move (processor, owner) values (new.processor, new.owner);
      return null;
    end $$;
    create trigger record after update of position on processor.checkpoint
      for each row execute function record_move()`);
}

/** Returns the writers in order. Consecutive moves by one owner on one connection count once. */
async function writersOf(processor: ProcessorName): Promise<string[]> {
  const moves = await fixture.rows<{ owner: string; pid: number }>(
    "select owner, pid from move where processor = $1 order by number",
    [processor],
  );
  const writers = moves.map(({ owner, pid }) => `${owner} ${pid}`);
  return writers.filter((writer, i) => writer !== writers[i - 1]);
}

/** Checks that no one wrote again after another writer had. */
async function expectNeverTwoWriters(atLeast: number): Promise<void> {
  for (const processor of PROCESSORS) {
    const writers = await writersOf(processor);
    expect(writers.length, processor).toBeGreaterThanOrEqual(atLeast);
    expect(new Set(writers).size, processor).toBe(writers.length);
  }
}

/** No owner is mistaken for frozen, however slow the machine is. */
const PATIENT: ProcessorSettings = {
  batchSize: 20,
  restart: { minMs: 20, maxMs: 20 },
  lease: { beatMs: 200, staleMs: 600_000, pollMs: 20 },
};
/** Takes over after six seconds without a heartbeat: longer than the gaps of a process that runs on a busy machine. */
const IMPATIENT: ProcessorSettings = { ...PATIENT, lease: { ...PATIENT.lease, staleMs: 6000 } };

describe("the projector as a process", () => {
  it("serves health and metrics, and stops cleanly on a signal", async () => {
    const position = await fill(5);
    const { child, url } = start();
    const base = await url;
    await eventually("ready", async () => (await fetch(`${base}/readyz`)).status === 200);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    await reached(position);
    expect(await (await fetch(`${base}/metrics`)).text()).toMatch(
      /projector_parked_streams\{processor="audit",service="projector"\} 0/,
    );
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    await expectRowsOfTheLog(fixture);
  }, 180_000);
});

describe("two projectors as processes", () => {
  it("started together: one owns each processor, the other waits and takes over when it is killed", async () => {
    await recordMoves();
    const [one, other] = [start(PATIENT), start(PATIENT)];
    const states = async () => {
      const [a, b] = await Promise.all([statesOf(one), statesOf(other)]);
      return PROCESSORS.map((name) => [a[name], b[name]].toSorted().join(" and "));
    };
    await eventually("one of them owns each", async () =>
      (await states()).every((pair) => pair === "live and standby"),
    );
    await reached(await fill(30));
    expect(await states()).toEqual(PROCESSORS.map(() => "live and standby"));
    const killed = one;
    const filling = fill(60);
    await killed.kill();
    await eventually("the other owns all", () => isEverywhere(other, "live"));
    await reached(await filling);
    await expectNeverTwoWriters(1);
    await expectRowsOfTheLog(fixture);
  }, 180_000);

  it("one of them frozen in a transaction: the other takes over, and the resumed one writes nothing", async () => {
    await recordMoves();
    const frozen = start(PATIENT);
    await reached(await fill(3));
    const other = start(IMPATIENT);
    await eventually("the other waits", () => isEverywhere(other, "standby"));
    await freezeInTransaction(frozen);
    await reached(await fill(20));
    await eventually("the other owns all", () => isEverywhere(other, "live"));
    frozen.child.kill("SIGCONT");
    await reached(await fill(20));
    await eventually("the woken one waits", () => isEverywhere(frozen, "standby"));
    await reached(await fill(5));
    expect(await isEverywhere(other, "live")).toBe(true);
    await expectNeverTwoWriters(2);
    await expectRowsOfTheLog(fixture);
  }, 180_000);

  it("one of them frozen for long but still connected: its writes under the old lease fail", async () => {
    await recordMoves();
    const frozen = start(PATIENT);
    await reached(await fill(3));
    await eventually("it owns all", () => isEverywhere(frozen, "live"));
    await freeze(frozen.child.pid as number);
    // Another owner takes over the processors, while the frozen one keeps its connections.
    const stranger = randomUUID();
    for (const processor of PROCESSORS) await takeOwnership(fixture.pool, processor, stranger);
    const position = await fill(3);
    frozen.child.kill("SIGCONT");
    // It notices and restarts with new leases.
    await reached(position);
    // A process's output may arrive after its writes.
    for (const processor of PROCESSORS)
      await expect.poll(frozen.logged).toContain(`another process now owns ${processor}`);
    expect(await fixture.rows("select 1 from move where owner = $1", [stranger])).toEqual([]);
    await expectNeverTwoWriters(2);
    await expectRowsOfTheLog(fixture);
  }, 180_000);
});

/** Freezes the process while one of its transactions is open. */
async function freezeInTransaction({ child }: ProjectorProcess): Promise<void> {
  const inState = async (state: string) => {
    const rows = await fixture.rows(
      `select 1 from pg_stat_activity where datname = current_database()
         and application_name like 'projector _%' and state = $1 and xact_start is not null`,
      [state],
    );
    return rows.length;
  };
  await eventually("it stands still in a transaction", async () => {
    await fill(10);
    await freeze(child.pid as number);
    await eventually("its statements end", async () => (await inState("active")) === 0);
    if ((await inState("idle in transaction")) > 0) return true;
    child.kill("SIGCONT");
    return false;
  });
}
