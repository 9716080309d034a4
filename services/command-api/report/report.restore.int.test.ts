import { describe, expect, it } from "vitest";
import { toWire } from "#contracts/events/report/stored-report.ts";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eraseReporter, eventsOf, SUBMIT, submit } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

const edit = async (id: string, body: object) => {
  const answer = await fixture.call("PUT", admin(id), { body, as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
};
const restore = (id: string, revision: number, key?: string) =>
  fixture.call("POST", admin(id, "/restore"), {
    body: { revision },
    as: "admin",
    ...(key ? { key } : {}),
  });
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
async function wireOf(id: string): Promise<Record<string, unknown>> {
  const state = await fixture.api.reports.load(id);
  if (!state) throw new Error("no report");
  return toWire(state) as Record<string, unknown>;
}

describe("restoring an earlier version of a report", () => {
  it("restores every part, and records that in an event before the edit", async () => {
    const id = await submit(fixture, {
      ...chargeback,
      phone: "+1 303 555 0142",
      notes: "Kept back",
      reporter_phone: "+1 303 555 0143",
      chargebacks: [{ amount: 10.1, order_id: "A-1", last_4: "1881" }],
    });
    const before = await wireOf(id);
    await edit(id, { city: "Boulder", amount: 480, phone: null, chargebacks: [] });
    await edit(id, { notes: "Other", middle_initial: "Q", reporter_phone: null });
    const reply = await restore(id, 0);
    expect(reply.statusCode, reply.body).toBe(200);
    expect(await wireOf(id)).toEqual(before);
    expect(await typesOf(id)).toEqual([
      "ReportSubmitted",
      "ReportEdited",
      "ReportEdited",
      "ReportVersionRestored",
      "ReportEdited",
    ]);
    const events = await eventsOf(fixture, id);
    expect(events[3]?.data).toEqual({ revision: 0 });
    expect(events[4]?.metadata).toMatchObject({ command: "RestoreReport" });
    // What it restores is encrypted, as in every edit.
    expect(JSON.stringify(events.slice(3))).not.toContain("Denver");
    // What it replaced can be restored too.
    expect((await restore(id, 2)).statusCode).toBe(200);
    expect(await wireOf(id)).toMatchObject({ city: "Boulder", notes: "Other", chargebacks: [] });
  });

  it("keeps the status, the verification and the reporter's address", async () => {
    const id = await submit(fixture);
    await fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    await edit(id, { reporter_email: "rae@mail.example", title: "Another title" });
    await fixture.call("POST", admin(id, "/verify"), { body: {}, as: "admin" });
    const reply = await restore(id, 0);
    expect(reply.json().data).toMatchObject({ status: "approved", verified: true });
    expect(await wireOf(id)).toMatchObject({
      title: chargeback.title,
      reporter_email: "rae@mail.example",
    });
    expect((await typesOf(id)).slice(-2)).toEqual(["ReportVersionRestored", "ReportEdited"]);
  });

  it("gives a public report the slug of its restored name", async () => {
    const id = await submit(fixture, { ...chargeback, first_name: "Ida", last_name: "Restored" });
    await fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    await edit(id, { last_name: "Renamed" });
    const slugOf = async () => (await fixture.api.reports.load(id))?.slug;
    expect(await slugOf()).toBe("ida-renamed");
    await restore(id, 1);
    expect(await slugOf()).toMatch(/^ida-restored/);
  });

  it("happens once for a repeated request", async () => {
    const id = await submit(fixture);
    await edit(id, { city: "Boulder" });
    const key = "restore-it-only-once";
    const answers = [await restore(id, 0, key), await restore(id, 0, key)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await typesOf(id)).filter((type) => type === "ReportVersionRestored")).toHaveLength(1);
  });

  it("is refused for an unknown or identical version, and for a deleted report", async () => {
    const id = await submit(fixture);
    expect((await restore(id, 7)).json().error.code).toBe("not_found");
    expect((await restore(id, 0)).json().error.code).toBe("version_unchanged");
    await edit(id, { city: "Boulder" });
    await fixture.call("DELETE", admin(id), { body: {}, as: "admin" });
    expect((await restore(id, 0)).statusCode).toBe(410);
    expect((await restore("00000000-0000-4000-8000-000000000000", 0)).statusCode).toBe(404);
  });

  it("is refused for one's own report, and follows the rules of an edit", async () => {
    const { json } = await fixture.call("POST", SUBMIT, { body: chargeback, as: "admin" });
    const own = json().data.id;
    expect((await restore(own, 0)).statusCode).toBe(403);
    const id = await submit(fixture, { ...chargeback, ip_address: "192.0.2.1" });
    await edit(id, { ip_address: null, city: "Boulder" });
    for (const body of [{}, { revision: -1 }, { revision: "0" }, { revision: 0, city: "X" }]) {
      const reply = await fixture.call("POST", admin(id, "/restore"), { body, as: "admin" });
      expect(reply.statusCode, JSON.stringify(body)).toBe(400);
    }
  });

  it("restores nothing about an erased reporter", async () => {
    const id = await submit(fixture, { ...chargeback, reporter_phone: "+1 303 555 0143" });
    await edit(id, { city: "Boulder", reporter_phone: null });
    await eraseReporter(fixture, id);
    expect((await restore(id, 0)).statusCode).toBe(200);
    const wire = await wireOf(id);
    expect(wire).toMatchObject({ city: "Denver" });
    expect(Object.keys(wire).filter((field) => field.startsWith("reporter_"))).toEqual([]);
  });
});
