import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createWorkerService } from "#http/worker-service.ts";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { reportApproved, reportSubmitted } from "#test-kit/report-events.ts";
import { openFixture } from "./testing/projector.fixture.ts";

const fixture = forTest(openFixture);
let app: ServiceInstance;

beforeEach(async () => {
  // With a process's settings.
  const { checks } = await fixture.start({});
  app = await createWorkerService({ name: "projector", version: "test", log: fixture.log, checks });
  await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
});
afterEach(async () => {
  await app.close();
});

interface Check {
  readonly ok: boolean;
  readonly detail: { readonly state: string; readonly code?: string; readonly cause?: string };
}

async function readyz(): Promise<{ status: number; checks: Record<string, Check> }> {
  const answer = await app.inject("/readyz");
  const { checks } = answer.json<{ checks: Record<string, Check> }>();
  return { status: answer.statusCode, checks };
}

/** Waits until exactly these processors are stopped with this code. */
async function expectStopped(names: readonly ProcessorName[], code: string, cause: string) {
  const stopped = async () => {
    const { checks } = await readyz();
    return PROCESSORS.filter((name) => checks[name]?.detail.code === code);
  };
  await eventually(
    `${names} stop for ${code}`,
    async () => (await stopped()).length === names.length,
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
    await fixture.reached(await fixture.report(id, [reportSubmitted()]));
    const subject = subjects.personal(id);
    await fixture.rows("delete from keys.subject_key where subject = $1", [subject]);
    const position = await fixture.report(id, [reportApproved("pending", true, null)]);
    // On approval, the other two need to know whom a report names.
    await fixture.reached(position, ["reports", "audit", "outbox"]);
    await expectStopped(
      ["offenders", "search"],
      "key_missing",
      `the key ${subject} is missing: restore the key store`,
    );
    expect(await fixture.rows("select 1 from processor.parked_event")).toEqual([]);
  });

  it("counts parked streams, which stop nothing", async () => {
    await fixture.rows("alter table reports.report add constraint poison check (title <> 'P')");
    const id = randomUUID();
    await fixture.report(id, [reportSubmitted({ personal: { title: "P" } })]);
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    await eventually("it counts", async () => {
      const { checks } = await readyz();
      return JSON.stringify(checks.reports?.detail).includes('"parkedStreams":1');
    });
    expect((await readyz()).status).toBe(200);
    expect(await fixture.rows("select count(*)::int as n from reports.report")).toEqual([{ n: 2 }]);
  });
});
