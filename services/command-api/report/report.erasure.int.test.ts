import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { bodyMac } from "#vault/sealing/hashes.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eraseReport, eraseReporter, submit } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

interface Row {
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly metadata: { readonly bodyMac?: string };
}
const events = (id: string): Promise<Row[]> => fixture.events(`report-${id}`);

async function statesOf(id: string): Promise<string[]> {
  const found = await fixture.api.keys.get([subjects.personal(id), subjects.reporter(id)]);
  return [...found.values()].map(({ state }) => state);
}

const destroy = (subject: string) => fixture.api.keys.destroy([subject], new Date().toISOString());

describe("a reporter who was erased alone", () => {
  it("leaves a report that can be moderated, corrected and deleted", async () => {
    const id = await submit(fixture, { ...chargeback, public_username: "Holt Lamps" });
    await destroy(subjects.reporter(id));
    for (const [method, path, body] of [
      ["PUT", "", { city: "Reno" }],
      ["POST", "/verify", {}],
      ["POST", "/reject", { reason: "No proof" }],
      ["POST", "/approve", {}],
    ] as const) {
      const answer = await fixture.call(method, admin(id, path), { body, as: "admin" });
      expect(answer.statusCode, answer.body).toBe(200);
    }
    const revealed = await fixture.call("POST", admin(id, "/reveal"), { body: {}, as: "admin" });
    expect(revealed.json().data).toMatchObject({ first_name: "Quinn", city: "Reno" });
    expect(revealed.body).not.toContain("Holt");
    expect((await fixture.call("DELETE", admin(id), { as: "admin" })).statusCode).toBe(200);
  });

  it("refuses new data about them, with a message", async () => {
    const id = await submit(fixture);
    await destroy(subjects.reporter(id));
    const body = { reporter_first_name: "Ann", city: "Reno" };
    const answer = await fixture.call("PUT", admin(id), { body, as: "admin" });
    expect(answer.statusCode, answer.body).toBe(400);
    expect(Object.keys(answer.json().error.fields)).toEqual(["reporter_first_name"]);
    expect(await events(id)).toHaveLength(1);
  });

  it("leaves no MAC that guesses could be tested against", async () => {
    const id = await submit(fixture);
    await destroy(subjects.reporter(id));
    await fixture.call("PUT", admin(id), { body: { city: "Reno" }, as: "admin" });
    const [submitted, edited] = await events(id);
    const personal = subjects.personal(id);
    const found = (await fixture.api.keys.get([personal])).get(personal);
    if (found?.state !== "present") throw new Error("no key");
    expect(submitted?.metadata.bodyMac).toMatch(/^[0-9a-f]{64}$/);
    expect(submitted?.metadata.bodyMac).not.toBe(bodyMac([found.key], chargeback));
    expect(edited?.type).toBe("ReportEdited");
    expect(edited?.metadata).not.toHaveProperty("bodyMac");
  });
});

describe("erasing only a reporter", () => {
  it("writes one event, destroys only their key, and is idempotent", async () => {
    const id = await submit(fixture);
    await eraseReporter(fixture, id);
    await eraseReporter(fixture, id);
    expect((await events(id)).map(({ type }) => type)).toEqual([
      "ReportSubmitted",
      "ReporterErased",
    ]);
    expect(await statesOf(id)).toEqual(["present", "destroyed"]);
  });

  it("writes the event even if the key is already gone, so that rows and emails follow", async () => {
    const id = await submit(fixture);
    await destroy(subjects.reporter(id));
    await eraseReporter(fixture, id);
    expect((await events(id)).at(-1)?.type).toBe("ReporterErased");
  });

  it("refuses an unknown or erased report", async () => {
    await expect(eraseReporter(fixture, randomUUID())).rejects.toMatchObject({
      code: "report_not_found",
    });
    const id = await submit(fixture);
    await eraseReport(fixture, id);
    await expect(eraseReporter(fixture, id)).rejects.toMatchObject({ code: "report_deleted" });
  });
});

describe("views of an erased report", () => {
  const stored = async (id: string) => {
    const { rows } = await fixture.db.query(
      `select report_id from views.report_views where report_id = $1
       union all select report_id from views.seen where report_id = $1`,
      [id],
    );
    return rows;
  };
  async function viewed(): Promise<string> {
    const id = await submit(fixture);
    await fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    await fixture.call("POST", `/prod/api/reports/${id}/view`, { body: {} });
    return id;
  }

  it("are removed with it, including those not yet written", async () => {
    const [written, waiting] = [await viewed(), await viewed()];
    await expect.poll(() => stored(written)).toHaveLength(2);
    for (const id of [written, waiting]) await eraseReport(fixture, id);
    const later = await viewed();
    await expect.poll(() => stored(later)).toHaveLength(2);
    expect(await stored(written)).toEqual([]);
    expect(await stored(waiting)).toEqual([]);
  });

  it("are removed by the next process if one died in between", async () => {
    const id = await viewed();
    await expect.poll(() => stored(id)).toHaveLength(2);
    await fixture.db.query("create table kept_views as select * from views.report_views");
    await eraseReport(fixture, id);
    await fixture.db.query(
      "insert into views.report_views select * from kept_views where report_id = $1",
      [id],
    );
    const next = await fixture.another();
    await next.start();
    await expect.poll(() => stored(id)).toEqual([]);
  });
});

describe("a reported person whose key was destroyed before the log says so", () => {
  it("leaves a report that refuses new personal data and can be deleted", async () => {
    const id = await submit(fixture);
    await destroy(subjects.personal(id));
    for (const [method, path, body] of [
      ["PUT", "", { city: "Reno" }],
      ["POST", "/reject", { reason: "No proof" }],
      ["POST", "/reveal", {}],
    ] as const) {
      const answer = await fixture.call(method, admin(id, path), { body, as: "admin" });
      expect(answer.statusCode, answer.body).toBe(410);
    }
    expect(await events(id)).toHaveLength(1);
    expect((await fixture.call("DELETE", admin(id), { as: "admin" })).statusCode).toBe(200);
  });
});
