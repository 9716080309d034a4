import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { eventually, reachedPosition } from "#test-kit/reached-position.ts";
import { reportApproved, reportSubmitted } from "#test-kit/report-events.ts";
import { openFixture, type ProjectorFixture } from "./testing/projector.fixture.ts";
import { type ProjectorProcess, startProcess } from "./testing/projector-process.ts";

/** A process starts slowly on a busy machine. */
const LIMIT_MS = 60_000;

let fixture: ProjectorFixture;
let projector: ProjectorProcess;

beforeEach(async () => {
  fixture = await openFixture();
  projector = startProcess(fixture);
  await reached(await fixture.report(randomUUID(), [reportSubmitted()]));
}, 90_000);
afterEach(async () => {
  await projector.kill();
  await fixture.close();
});

const reached = (position: string, processors: readonly ProcessorName[] = PROCESSORS) =>
  reachedPosition(fixture.pool, processors, position, LIMIT_MS);

interface Check {
  readonly ok: boolean;
  readonly detail: { readonly state: string; readonly code?: string; readonly cause?: string };
}

async function readyz(): Promise<{ status: number; checks: Record<string, Check> }> {
  const answer = await fetch(`${await projector.url}/readyz`);
  const { checks } = (await answer.json()) as { checks: Record<string, Check> };
  return { status: answer.status, checks };
}

/** Waits until exactly these processors are stopped for the reason. */
async function expectStopped(names: readonly ProcessorName[], code: string, cause: string) {
  const stopped = async () => {
    const { checks } = await readyz();
    return PROCESSORS.filter((name) => checks[name]?.detail.code === code);
  };
  await eventually(
    `${names} stop for ${code}`,
    async () => (await stopped()).length === names.length,
    LIMIT_MS,
  );
  const { status, checks } = await readyz();
  expect(status).toBe(503);
  expect(await stopped()).toEqual(PROCESSORS.filter((name) => names.includes(name)));
  for (const name of names) {
    expect(checks[name]).toMatchObject({ ok: false, detail: { state: "stopped", code } });
    expect(checks[name]?.detail.cause).toContain(cause);
  }
  for (const name of PROCESSORS.filter((other) => !names.includes(other)))
    expect(checks[name]?.ok, name).toBe(true);
}

describe("/readyz of a running projector", () => {
  it("reports that a key is missing, and lets processors that need none continue", async () => {
    const id = randomUUID();
    await reached(await fixture.report(id, [reportSubmitted()]));
    const subject = subjects.personal(id);
    await fixture.rows("delete from keys.subject_key where subject = $1", [subject]);
    const position = await fixture.report(id, [reportApproved("pending", true, null)]);
    // On approval, the other two need to know who a report names.
    await reached(position, ["reports", "audit", "outbox"]);
    await expectStopped(
      ["offenders", "search"],
      "key_missing",
      `the key ${subject} is missing: restore the key store`,
    );
    expect(await fixture.rows("select 1 from processor.parked_event")).toEqual([]);
  }, 180_000);

  it("reports that a checkpoint is of another epoch, and what to do", async () => {
    await fixture.writer.append(streams.log, [{ type: "LogRestored", data: {} }]);
    await expectStopped(PROCESSORS, "epoch", "the log was restored");
    const { checks } = await readyz();
    expect(checks.reports?.detail.cause).toContain("npm run rebuild -- reports");
    expect(checks.outbox?.detail.cause).toContain("npm run reactions:release");
  }, 180_000);

  it("reports that a checkpoint is past the head of the log", async () => {
    await fixture.rows("alter table event_log.event disable trigger user");
    await fixture.rows(
      "delete from event_log.event where position = (select max(position) from event_log.event)",
    );
    await expectStopped(PROCESSORS, "beyond_head", "past the head of the log");
  }, 180_000);

  it("counts parked streams, which stop nobody", async () => {
    await fixture.rows("alter table reports.report add constraint poison check (title <> 'P')");
    const id = randomUUID();
    await fixture.report(id, [reportSubmitted({ personal: { title: "P" } })]);
    await reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    await eventually(
      "it counts",
      async () => {
        const { checks } = await readyz();
        return JSON.stringify(checks.reports?.detail).includes('"parkedStreams":1');
      },
      LIMIT_MS,
    );
    expect((await readyz()).status).toBe(200);
    expect(await fixture.rows("select count(*)::int as n from reports.report")).toEqual([{ n: 2 }]);
  }, 180_000);
});
