import { beforeAll, describe, expect, it } from "vitest";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { subjects } from "#contracts/sealed.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { SettingsFollower } from "#settings/settings-follower.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import type { ReportCommand } from "../report/report.commands.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { eventsOf } from "../testing/reports.fixture.ts";
import { named, storedFiles, upload } from "../testing/uploads.fixture.ts";
import { MAX_EXPIRED, ReportExpiry } from "./housekeeping.ts";

const DAY_MS = 24 * 3_600_000;

const fixture = forFile(() => startCommandApi());
let epoch = "";
beforeAll(async () => {
  epoch = (await readEpoch(fixture.api.store)) ?? "";
});

/** Reads the settings from the log, as command-api does. */
const follower = () => {
  const { store, keys } = fixture.api;
  return new SettingsFollower({ store, keys, log: { warn: () => undefined } });
};
const settings = async () => {
  const following = follower();
  await following.read();
  return following.settings();
};
const expiry = (of = epoch) => {
  const { store, reports } = fixture.api;
  return new ReportExpiry({ pool: fixture.db, store, reports, epoch: of, settings });
};
async function run(): Promise<void> {
  await present();
  await expiry().run(Date.now());
}
/** An envelope with the time of so many days ago. */
const ago = (days: number) => {
  const caller = systemCaller(new Date(Date.now() - days * DAY_MS).toISOString());
  return newEnvelope(caller);
};
async function submitted(days: number, more: object = {}): Promise<string> {
  const body = { ...chargeback, transaction_date: "2020-01-02", ...more } as SubmitReport;
  return (await fixture.api.reports.submit(body, ago(days))).id;
}
/** Adds a new event, since the clock is compared with the newest one. */
const present = () => submitted(0);
const act = (id: string, command: ReportCommand, days: number) =>
  fixture.api.reports.execute(id, command, ago(days));
const reject = { type: "RejectReport", body: { reason: "No proof" } } as const;
const lastOf = async (id: string) => (await eventsOf(fixture, id)).at(-1);
const isThere = async (id: string) => (await lastOf(id))?.type !== "ReportErased";
const rowOf = async (id: string) =>
  (await fixture.db.query("select look_at from command.report_expiry where report_id = $1", [id]))
    .rows[0];
/** Sets how many days unconfirmed reports are kept. */
async function keepFor(keepUnconfirmedReports: number): Promise<void> {
  const body = { keepUnconfirmedReports };
  const reply = await fixture.call("PUT", "/prod/api/system/settings", { as: "admin", body });
  expect(reply.statusCode, reply.body).toBe(200);
}

describe("expired reports", () => {
  it("are deleted with their keys and files, by an event that says why", async () => {
    const file = await upload(fixture);
    const old = await submitted(31, { evidence: [named(file, "invoice.pdf")] });
    const turnedDown = await submitted(400);
    await act(turnedDown, reject, 366);
    await run();
    const hiddenOf = async (id: string) =>
      (await eventsOf(fixture, id)).find(({ type }) => type === "ReportDeleted");
    expect(await isThere(old)).toBe(false);
    expect(await hiddenOf(old)).toMatchObject({
      data: { from: "pending", reason_code: "unconfirmed" },
      metadata: { actor: { id: "system", role: "system" }, command: "ExpireReport" },
    });
    expect(await hiddenOf(turnedDown)).toMatchObject({
      data: { from: "rejected", reason_code: "rejected" },
    });
    expect((await eventsOf(fixture, old)).at(-2)?.type).toBe("EvidenceErased");
    const keys = await fixture.api.keys.get([
      subjects.personal(old),
      subjects.reporter(old),
      subjects.file(file.id),
    ]);
    expect([...keys.values()].map(({ state }) => state)).toEqual(Array(3).fill("destroyed"));
    expect((await storedFiles(fixture)).filter((name) => name.includes(file.id))).toEqual([]);
    expect(await rowOf(old)).toBeUndefined();
  });

  it("exclude those that are younger, confirmed, approved, or rejected less than a year ago", async () => {
    const young = await submitted(29);
    const confirmed = await submitted(40);
    await act(confirmed, { type: "VerifyReportByHand" } as ReportCommand, 39);
    const approved = await submitted(40);
    await act(approved, { type: "ApproveReport" } as ReportCommand, 39);
    const turnedDown = await submitted(400);
    await act(turnedDown, reject, 364);
    await run();
    for (const id of [young, confirmed, approved, turnedDown]) expect(await isThere(id)).toBe(true);
    // Checked again when the year has passed.
    const left = (await rowOf(turnedDown)).look_at.getTime() - Date.now();
    expect(Math.round(left / DAY_MS)).toBe(1);
    expect(await rowOf(confirmed)).toBeUndefined();
  });

  it("are found again if a decision came after they were checked", async () => {
    const id = await submitted(500);
    await act(id, { type: "VerifyReportByHand" } as ReportCommand, 499);
    await run();
    expect(await rowOf(id)).toBeUndefined();
    await act(id, reject, 366);
    await run();
    expect(await isThere(id)).toBe(false);
  });

  it("are determined only by the log: a wrong row deletes nothing", async () => {
    const id = await submitted(1);
    await run();
    await fixture.db.query("update command.report_expiry set look_at = 'epoch'");
    await run();
    expect(await isThere(id)).toBe(true);
    const { changed } = await act(id, { type: "ExpireReport" }, 0);
    expect(changed).toBe(false);
  });

  it("are found after an older database, or another log, was restored", async () => {
    const id = await submitted(31);
    const other = await submitted(20);
    await run();
    expect(await isThere(id)).toBe(false);
    await fixture.db.query("delete from command.report_expiry");
    await run();
    expect(await rowOf(other)).toBeUndefined();
    await expiry("another epoch").run(Date.now());
    expect(await rowOf(other)).toBeDefined();
    await run();
  });

  it("are deleted once by any number of processes", async () => {
    const ids = await Promise.all([31, 32, 33].map((days) => submitted(days)));
    await Promise.all([run(), run(), run()]);
    await run();
    for (const id of ids) {
      const types = (await eventsOf(fixture, id)).map(({ type }) => type);
      expect(types.filter((type) => type === "ReportErased")).toHaveLength(1);
    }
  });

  it("are kept while the clock is far ahead of the newest event, or behind it", async () => {
    const id = await submitted(31);
    await present();
    await expiry().run(Date.now() + 8 * DAY_MS);
    expect(await isThere(id)).toBe(true);
    await expiry().run(Date.now() - DAY_MS);
    expect(await isThere(id)).toBe(true);
    await run();
    expect(await isThere(id)).toBe(false);
  });

  it("are deleted in limited numbers per run", async () => {
    expect(MAX_EXPIRED).toBe(1000);
    const ids = await Promise.all([31, 31, 31].map((days) => submitted(days)));
    const { store, reports } = fixture.api;
    const few = new ReportExpiry({ pool: fixture.db, store, reports, epoch, settings, most: 2 });
    await present();
    await few.run(Date.now());
    const left = await Promise.all(ids.map(isThere));
    expect(left.filter(Boolean)).toHaveLength(1);
    await run();
  });

  it("are deleted sooner once admins shorten the retention, and no others are", async () => {
    const [due, kept] = [await submitted(10), await submitted(5)];
    await run();
    // Both were checked, and will be checked again after thirty days.
    expect([await isThere(due), await isThere(kept)]).toEqual([true, true]);
    await keepFor(7);
    await run();
    expect([await isThere(due), await isThere(kept)]).toEqual([false, true]);
  });

  it("are checked again if admins extend the retention during a run", async () => {
    await keepFor(30);
    const id = await submitted(20);
    await run();
    const asOfNow = await settings();
    await fixture.db.query(
      "update command.report_expiry set look_at = '-infinity' where report_id = $1",
      [id],
    );
    const { store, reports } = fixture.api;
    const before = async () => ({ ...asOfNow, keepUnconfirmedReports: 10 });
    // The command uses the current setting, which is longer than what the run has read.
    const shorter = new ReportExpiry({ pool: fixture.db, store, reports, epoch, settings: before });
    await shorter.run(Date.now());
    expect(await isThere(id)).toBe(true);
    expect(await rowOf(id)).toBeDefined();
    await run();
    const left = (await rowOf(id)).look_at.getTime() - Date.now();
    expect(Math.round(left / DAY_MS)).toBe(10);
  });
});
