import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DECISION_MAIL_WAITS_MS } from "#contracts/report/reporter-rules.ts";
import { forFile } from "#test-kit/for-file.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eventsOf, submit } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());
afterEach(() => {
  vi.useRealTimers();
});

const post = (id: string, path: string, body: object = {}, key?: string) =>
  fixture.call("POST", admin(id, path), { body, as: "admin", ...(key ? { key } : {}) });
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);

describe("undoing a decision", () => {
  it("is an event that names the decision, recorded once however often it is sent", async () => {
    const id = await submit(fixture);
    await post(id, "/status", { status: "under_review" });
    await post(id, "/reject", { reason: "No proof" });
    const key = randomUUID();
    const replies = [await post(id, "/undo", {}, key), await post(id, "/undo", {}, key)];
    for (const reply of replies) {
      expect(reply.statusCode, reply.body).toBe(200);
      expect(reply.json().data).toMatchObject({ id, status: "under_review", revision: 3 });
    }
    const events = await eventsOf(fixture, id);
    expect(events.at(-1)).toMatchObject({
      type: "ReportStatusSet",
      data: { from: "rejected", to: "under_review", undoes: { revision: 2 } },
      metadata: { command: "UndoDecision" },
    });
    expect(events).toHaveLength(4);
    const again = await post(id, "/undo");
    expect(refusal(again)).toEqual([409, "not_undoable"]);
  });

  it("also undoes putting a report under review or back to pending, and can't be undone itself", async () => {
    const id = await submit(fixture);
    await post(id, "/status", { status: "under_review" });
    expect((await post(id, "/undo")).json().data).toMatchObject({ status: "pending" });
    const again = await post(id, "/undo");
    expect(refusal(again)).toEqual([409, "not_undoable"]);
    await post(id, "/status", { status: "under_review" });
    await post(id, "/status", { status: "pending" });
    expect((await post(id, "/undo")).json().data).toMatchObject({ status: "under_review" });
  });

  it("ignores moderator notes, and is refused after anything else", async () => {
    const id = await submit(fixture);
    await post(id, "/approve");
    await post(id, "/note", { note: "Too fast?" });
    expect((await post(id, "/undo")).statusCode).toBe(200);
    await post(id, "/approve");
    await fixture.call("PUT", admin(id), { body: { city: "Boulder" }, as: "admin" });
    const refused = await post(id, "/undo");
    expect(refusal(refused)).toEqual([409, "not_undoable"]);
    expect((await typesOf(id)).at(-1)).toBe("ReportEdited");
  });

  it("restores the rejection of a duplicate with its original", async () => {
    const [id, duplicate_of] = [await submit(fixture), await submit(fixture)];
    const why = { reason_code: "duplicate", duplicate_of };
    await post(id, "/reject", { ...why, reason: "Sent twice." });
    await post(id, "/approve");
    expect((await post(id, "/undo")).json().data).toMatchObject({ status: "rejected" });
    const [, rejected, , undone] = await eventsOf(fixture, id);
    expect(undone).toMatchObject({
      type: "ReportRejected",
      data: { ...why, undoes: { revision: 2 } },
    });
    expect(rejected?.data).toMatchObject(why);
  });

  it("requests the restored decision's email again if the mistake came before it was sent", async () => {
    const undone = async (id: string) => {
      const { data } = (await eventsOf(fixture, id)).at(-1) ?? {};
      return (data as { undoes?: object }).undoes;
    };
    const ids = [await submit(fixture), await submit(fixture), await submit(fixture)] as const;
    const [waiting, fresh, told] = ids;
    await post(waiting, "/approve");
    await post(waiting, "/undo");
    expect(await undone(waiting)).toEqual({ revision: 1 });
    for (const id of [fresh, told]) await post(id, "/reject", { reason: "No proof" });
    await post(fresh, "/approve");
    await post(fresh, "/undo");
    expect(await undone(fresh)).toEqual({ revision: 2, untold: true });
    // No one has been emailed yet, and the next mistake doesn't change that.
    await post(fresh, "/approve");
    await post(fresh, "/undo");
    expect(await undone(fresh)).toEqual({ revision: 4, untold: true });
    vi.setSystemTime(Date.now() + DECISION_MAIL_WAITS_MS);
    await post(told, "/approve");
    await post(told, "/undo");
    expect(await undone(told)).toEqual({ revision: 2 });
    await post(told, "/approve");
    await post(told, "/undo");
    expect(await undone(told)).toEqual({ revision: 4 });
  });
});
