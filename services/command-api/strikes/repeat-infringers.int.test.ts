import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DomainError } from "#contracts/domain-error.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { eraseReport, eraseReporter, submit } from "../testing/reports.fixture.ts";
import {
  approve,
  decide,
  infringer,
  publicReport,
  someAddress,
  takenDown,
} from "../testing/strikes.fixture.ts";

const fixture = forFile(() => startCommandApi());

const DAYS_30_MS = 30 * 24 * 3_600_000;

async function warnings(id: string) {
  return (await fixture.api.reports.load(id))?.warnings ?? [];
}
/** Warning steps of each of these reports. */
const stepsOf = async (reports: readonly string[]) =>
  (await Promise.all(reports.map(warnings))).map((all) => all.map(({ step }) => step));
async function strikes(report: string) {
  const { rows } = await fixture.db.query<{ blind: string | null; lifted_at: Date | null }>(
    "select blind, lifted_at from command.strike where report_id = $1",
    [report],
  );
  return rows;
}

describe("a take-down", () => {
  it("warns a reporter, then suspends them for 30 days, then permanently", async () => {
    const before = Date.now();
    const { reports } = await infringer(fixture, 3);
    expect(await stepsOf(reports)).toEqual([["warning"], ["suspension"], ["ban"]]);
    const [suspension] = await warnings(reports[1] ?? "");
    const until = Date.parse(suspension?.until ?? "");
    expect(until).toBeGreaterThanOrEqual(before + DAYS_30_MS);
    expect(until).toBeLessThanOrEqual(Date.now() + DAYS_30_MS);
  });

  it("counts once per notice, however many of the reporter's reports it is about", async () => {
    const email = someAddress();
    const both = [await publicReport(fixture, email), await publicReport(fixture, email)];
    await takenDown(fixture, ...both);
    expect(await stepsOf(both)).toEqual([["warning"], ["warning"]]);
    const [first, second] = await Promise.all(both.map(warnings));
    expect([first?.[0]?.counted_before, second?.[0]?.counted_before]).toEqual([undefined, true]);
    const next = await publicReport(fixture, email);
    await takenDown(fixture, next);
    expect(await stepsOf([next])).toEqual([["suspension"]]);
  });

  it("counts separately for two reporters of one notice", async () => {
    const both = [
      await publicReport(fixture, someAddress()),
      await publicReport(fixture, someAddress()),
    ];
    await takenDown(fixture, ...both);
    const counted = (await Promise.all(both.map(warnings))).flat();
    expect(counted.map(({ step, counted_before }) => [step, counted_before])).toEqual([
      ["warning", undefined],
      ["warning", undefined],
    ]);
  });

  it("counts as long as one of the reports that the notice took down is left", async () => {
    const email = someAddress();
    const both = [await publicReport(fixture, email), await publicReport(fixture, email)];
    const others = [await publicReport(fixture, email), await publicReport(fixture, email)];
    const notice = await takenDown(fixture, ...both);
    await eraseReport(fixture, both[0] ?? "");
    await takenDown(fixture, others[0] ?? "");
    expect(await stepsOf(others)).toEqual([["suspension"], []]);
    await decide(fixture, notice, "lift", { reason_code: "mistake", revision: 3 });
    expect(await stepsOf(both)).toEqual([[], []]);
    await takenDown(fixture, others[1] ?? "");
    expect(await stepsOf(others)).toEqual([["suspension"], ["suspension"]]);
  });

  it("counts against no one if the address was never confirmed", async () => {
    const id = await submit(fixture, { ...chargeback, reporter_email: someAddress() });
    await approve(fixture, id);
    await takenDown(fixture, id);
    expect(await warnings(id)).toEqual([]);
  });

  it("counts two concurrent take-downs for one reporter as two", async () => {
    const email = someAddress();
    const reports = [await publicReport(fixture, email), await publicReport(fixture, email)];
    await Promise.all(reports.map((report) => takenDown(fixture, report)));
    const steps = (await stepsOf(reports)).flat().sort();
    expect(steps).toEqual(["suspension", "warning"]);
  });
});

describe("a lifted notice", () => {
  it("no longer counts", async () => {
    const { email, reports, notices } = await infringer(fixture, 1);
    const next = await publicReport(fixture, email);
    await decide(fixture, notices[0] ?? "", "lift", { reason_code: "withdrawn", revision: 2 });
    expect(await warnings(reports[0] ?? "")).toEqual([]);
    await takenDown(fixture, next);
    expect(await stepsOf([next])).toEqual([["warning"]]);
  });

  it("no longer counts if the report was erased", async () => {
    const { reports, notices } = await infringer(fixture, 1);
    const [report = ""] = reports;
    await eraseReport(fixture, report);
    await decide(fixture, notices[0] ?? "", "lift", { reason_code: "mistake", revision: 2 });
    expect(await warnings(report)).toEqual([]);
    expect(await strikes(report)).toEqual([{ blind: null, lifted_at: expect.any(Date) }]);
  });
});

it("a strike keeps a keyed hash of the address, no longer than the reporter exists", async () => {
  const { email, reports } = await infringer(fixture, 1);
  const [report = ""] = reports;
  const [kept] = await strikes(report);
  expect(kept?.blind).toMatch(/./);
  expect(kept?.blind).not.toContain(email);
  await eraseReporter(fixture, report);
  await fixture.api.strikes.follow();
  expect(await strikes(report)).toEqual([{ blind: null, lifted_at: null }]);
});

it("strikes are read from the log again if the table is lost", async () => {
  const { reports } = await infringer(fixture, 2);
  const rows = () =>
    fixture.db.query("select * from command.strike where report_id = any($1) order by at", [
      reports,
    ]);
  const before = (await rows()).rows;
  expect(before).toHaveLength(2);
  await fixture.db.query("delete from command.strike; delete from command.strike_position");
  await fixture.api.strikes.follow();
  expect((await rows()).rows).toEqual(before);
});

it("strikes read no part of the log twice, even if nothing in it concerns them", async () => {
  const { strikes: own, store } = fixture.api;
  await submit(fixture, { ...chargeback, reporter_email: someAddress() });
  await own.follow();
  const { rows } = await fixture.db.query("select position from command.strike_position");
  expect(rows).toEqual([{ position: await store.head() }]);
  const { reports } = await infringer(fixture, 1);
  expect(await strikes(reports[0] ?? "")).toHaveLength(1);
});

it("strikes count for the account that owned the report then, not for one that claims it later", async () => {
  const { email, reports } = await infringer(fixture, 1);
  const [report = ""] = reports;
  const accountId = randomUUID();
  const claim = { type: "ClaimReport", accountId, email, isVisitors: true } as const;
  const by = newEnvelope(systemCaller(new Date().toISOString()));
  expect((await fixture.api.reports.execute(report, claim, by)).changed).toBe(true);
  await fixture.db.query("delete from command.strike; delete from command.strike_position");
  await fixture.api.strikes.follow();
  const { rows } = await fixture.db.query(
    "select account_id, blind is not null as of_address from command.strike where report_id = $1",
    [report],
  );
  expect(rows).toEqual([{ account_id: null, of_address: true }]);
  expect(await fixture.api.strikes.of({ accountId })).toEqual([]);
});

describe("the lock for counting strikes", () => {
  const holders = () =>
    fixture.db.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'command-api strikes' and datname = current_database()",
    );

  it("is held by one process at a time, and others wait for it", async () => {
    const { strikes: one } = fixture.api;
    const { strikes: other } = await fixture.another();
    const done: string[] = [];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const first = one.withLock(async () => {
      await released;
      done.push("first");
    });
    await expect.poll(async () => (await holders()).rowCount).toBe(1);
    const second = other.withLock(async () => {
      done.push("second");
    });
    await expect.poll(async () => (await holders()).rowCount).toBe(2);
    // By now the other process would have counted if it could.
    for (const _ of [1, 2, 3, 4, 5]) await other.of({});
    expect(done).toEqual([]);
    release();
    await Promise.all([first, second]);
    expect(done).toEqual(["first", "second"]);
  });

  it("stops work whose connection is lost before its next step", async () => {
    const steps: string[] = [];
    const work = fixture.api.strikes.withLock(async (assertHeld) => {
      await assertHeld();
      steps.push("first");
      for (const { pid } of (await holders()).rows)
        await fixture.db.query("select pg_terminate_backend($1)", [pid]);
      await assertHeld();
      steps.push("second");
    });
    // Not a refusal, after which hidden material would be restored.
    await expect(work).rejects.toSatisfy((error) => !(error instanceof DomainError));
    expect(steps).toEqual(["first"]);
    await fixture.api.strikes.withLock(async () => void steps.push("next"));
    expect(steps).toEqual(["first", "next"]);
  });
});
