import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { bodyMac } from "#kit/sealing/command-id.ts";
import { chargeback, type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

const admin = (id: string, command = "") => `/prod/api/admin/reports/${id}${command}`;

async function submit(body: object = chargeback): Promise<string> {
  const answer = await fixture.call("POST", "/prod/api/reports/submit", { body });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data.id;
}

interface Row {
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly metadata: { readonly bodyMac?: string };
}
async function events(id: string): Promise<Row[]> {
  const { rows } = await fixture.db.query<Row>(
    "select type, data, metadata from event_log.event where stream = $1 order by revision",
    [`report-${id}`],
  );
  return rows;
}

const destroy = (subject: string) => fixture.api.keys.destroy([subject], new Date().toISOString());

describe("a reporter who was erased alone", () => {
  it("leaves a report that can be moderated, corrected and deleted", async () => {
    const id = await submit({ ...chargeback, public_username: "Holt Lamps" });
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

  it("takes nothing about them any more, and says so", async () => {
    const id = await submit();
    await destroy(subjects.reporter(id));
    const body = { reporter_first_name: "Ann", city: "Reno" };
    const answer = await fixture.call("PUT", admin(id), { body, as: "admin" });
    expect(answer.statusCode, answer.body).toBe(400);
    expect(Object.keys(answer.json().error.fields)).toEqual(["reporter_first_name"]);
    expect(await events(id)).toHaveLength(1);
  });

  it("leaves no MAC that guesses could be tried against", async () => {
    const id = await submit();
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

describe("a reported person whose key is gone before the log says so", () => {
  it("leaves a report that is refused whatever would name them, and can be deleted", async () => {
    const id = await submit();
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
