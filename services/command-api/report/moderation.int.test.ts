import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { StoreUnavailable } from "#event-store/port.ts";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eventsOf, positionOf, submit } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

describe("moderating", () => {
  it("lets one of several simultaneous moderators win and tells the others", async () => {
    const id = await submit(fixture);
    const answers = await Promise.all(
      [1, 2, 3].map(() => fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    // At that position, the others can read what the first one did.
    const positions = await Promise.all(answers.map((answer) => positionOf(fixture, answer)));
    expect(positions).toEqual(Array(3).fill(expect.stringMatching(/^\d{20}$/)));
    expect(new Set(positions).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers["x-position"])).size).toBe(3);
    await fixture.call("DELETE", admin(id), { body: {}, as: "admin" });
    const gone = await fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    expect([gone.statusCode, gone.headers["x-position"]]).toEqual([410, expect.any(String)]);
  });

  it("refuses a decision about a report that somebody else has changed since it was seen", async () => {
    const id = await submit(fixture);
    const revision = 0;
    const decide = (path: string, body: object) =>
      fixture.call("POST", admin(id, path), { body, as: "admin" });
    const opposite = await Promise.all([
      decide("/approve", { revision }),
      decide("/reject", { revision, reason_code: "duplicate" }),
      decide("/status", { revision, status: "under_review" }),
    ]);
    expect(opposite.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
    for (const answer of opposite.filter(({ statusCode }) => statusCode === 409))
      expect(answer.json().error.code).toBe("conflict");
    const done = opposite.find(({ statusCode }) => statusCode === 200)?.json().data;
    expect(done.revision).toBe(revision + 1);
    // The current status is more informative than a conflict.
    const same = { approved: "/approve", rejected: "/reject", under_review: "/status" } as const;
    const again = await decide(same[done.status as keyof typeof same], {
      revision,
      ...(done.status === "rejected" && { reason_code: "duplicate" }),
      ...(done.status === "under_review" && { status: "under_review" }),
    });
    expect(again.json().error.code).toBe("status_unchanged");
    expect((await decide("/status", { revision: -1, status: "pending" })).statusCode).toBe(400);
    const seen = { revision: done.revision, status: "pending" };
    expect((await decide("/status", seen)).statusCode).toBe(200);
  });

  it("reserves no slug for an approval that is refused because of a conflict", async () => {
    const name = { first_name: "Ottilie", last_name: "Zwart" };
    const id = await submit(fixture, { ...chargeback, ...name });
    const post = (path: string, body: object) =>
      fixture.call("POST", admin(id, path), { body, as: "admin" });
    await post("/status", { status: "under_review" });
    const stale = await post("/approve", { revision: 0 });
    expect(refusal(stale)).toEqual([409, "conflict"]);
    expect((await post("/approve", { revision: 1 })).statusCode).toBe(200);
    expect((await fixture.api.reports.load(id))?.slug).toBe("ottilie-zwart");
  });

  it("gives a report its slug on the first approval, and a new one after a rename", async () => {
    const name = { first_name: "Zoë", last_name: "O'Brien" };
    const ids = await Promise.all(
      Array.from({ length: 5 }, () => submit(fixture, { ...chargeback, ...name })),
    );
    const slugOf = async (id: string) => (await fixture.api.reports.load(id))?.slug;
    const approve = (id: string) =>
      fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    const set = (id: string, body: object) => fixture.call("PUT", admin(id), { body, as: "admin" });
    expect(await Promise.all(ids.map(slugOf))).toEqual(ids.map(() => null));
    await Promise.all(ids.map(approve));
    const slugs = (await Promise.all(ids.map(slugOf))).toSorted();
    expect(slugs[0]).toBe("zoe-obrien");
    for (const slug of slugs.slice(1)) expect(slug).toMatch(/^zoe-obrien-[a-z]{6}$/);
    expect(new Set(slugs).size).toBe(5);

    const [id = ""] = ids;
    const first = await slugOf(id);
    await set(id, { status: "pending" });
    await approve(id);
    expect(await slugOf(id)).toBe(first);
    await set(id, { last_name: "Brown" });
    expect(await slugOf(id)).toBe("zoe-brown");
    // The transliterated name is the same, so the slug stays.
    await set(id, { first_name: "Zoe" });
    expect(await slugOf(id)).toBe("zoe-brown");
  });

  it("never reuses a slug that a report had or a failed approval reserved", async () => {
    const named = (last_name: string) =>
      submit(fixture, { ...chargeback, first_name: "Ivo", last_name });
    const slugOf = async (id: string) => (await fixture.api.reports.load(id))?.slug;
    const approve = (id: string) =>
      fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    const approved = async (last_name: string) => {
      const id = await named(last_name);
      expect((await approve(id)).statusCode).toBe(200);
      return slugOf(id);
    };
    const first = await named("Left");
    await approve(first);
    expect(await slugOf(first)).toBe("ivo-left");
    await fixture.call("PUT", admin(first), { body: { last_name: "Right" }, as: "admin" });
    expect(await slugOf(first)).toBe("ivo-right");
    expect(await approved("Left")).toMatch(/^ivo-left-[a-z]{6}$/);
    await fixture.call("POST", admin(first, "/reject"), { body: { reason: "No." }, as: "admin" });
    expect(await approved("Right")).toMatch(/^ivo-right-[a-z]{6}$/);
    await fixture.call("DELETE", admin(first), { body: {}, as: "admin" });
    expect(await approved("Right")).toMatch(/^ivo-right-[a-z]{6}$/);

    const unlucky = await named("Spent");
    const append = vi.spyOn(fixture.api.store, "append");
    onTestFinished(() => append.mockRestore());
    append.mockRejectedValue(new StoreUnavailable("away"));
    expect((await approve(unlucky)).statusCode).toBe(503);
    append.mockRestore();
    expect(await slugOf(unlucky)).toBeNull();
    expect(await approved("Spent")).toMatch(/^ivo-spent-[a-z]{6}$/);
  });

  it("requires a duplicate to name another existing report", async () => {
    const [id, other] = [await submit(fixture), await submit(fixture)];
    const reject = (duplicate_of: string) =>
      fixture.call("POST", admin(id, "/reject"), {
        body: { reason_code: "duplicate", duplicate_of },
        as: "admin",
      });
    for (const none of [id, randomUUID()]) expect((await reject(none)).statusCode).toBe(400);
    expect((await reject(other)).statusCode).toBe(200);
    expect((await eventsOf(fixture, id)).at(-1)).toMatchObject({
      type: "ReportRejected",
      data: { reason_code: "duplicate", duplicate_of: other },
    });
  });

  it("reveals only after logging who saw what, each time, even under one Idempotency-Key", async () => {
    const id = await submit(fixture, { ...chargeback, notes: "kept back" });
    const key = randomUUID();
    const url = admin(id, "/reveal");
    const first = await fixture.call("POST", url, { body: {}, as: "admin", key });
    expect(first.json().data).toMatchObject({
      notes: "kept back",
      reporter_email: "rae@shop.example",
    });
    await fixture.call("PUT", admin(id), { body: { notes: "changed" }, as: "admin" });
    const second = await fixture.call("POST", url, { body: {}, as: "admin", key });
    expect(second.json().data.notes).toBe("changed");
    const { rows } = await fixture.db.query(
      `select data from event_log.event
       where type = 'PersonalDataViewed' and data->>'report_id' = $1 order by position`,
      [id],
    );
    expect(rows.map(({ data }) => data.revision)).toEqual([0, 1]);

    const away = vi.spyOn(fixture.api.store, "append");
    onTestFinished(() => away.mockRestore());
    away.mockRejectedValue(new StoreUnavailable("away"));
    const unlogged = await fixture.call("POST", url, { body: {}, as: "admin", key });
    expect(unlogged.statusCode).toBe(503);
  });

  it("works through the emergency routes, only with an admin's Authorization header", async () => {
    const id = await submit(fixture);
    const url = (action: string, more = "") =>
      `/prod/api/reports/all?emergency_${action}=true&report_id=${id}${more}&_cb=1`;
    expect((await fixture.call("GET", url("approve"))).statusCode).toBe(401);
    expect((await fixture.call("GET", url("approve"), { as: "user" })).statusCode).toBe(403);
    const data = Buffer.from(JSON.stringify({ city: "Boulder", phone: "" })).toString("base64");
    for (const [action, message, more] of [
      ["verify", "Email verified manually"],
      ["approve", "Report approved via emergency action"],
      ["edit", "Report updated successfully", `&edit_data=${encodeURIComponent(data)}`],
      ["delete", "Report deleted successfully"],
    ] as const) {
      const answer = await fixture.call("GET", url(action, more), { as: "admin" });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toMatchObject({ action: `emergency_${action}`, message });
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
    const broken = await fixture.call("GET", url("edit", "&edit_data=!!!"), { as: "admin" });
    expect(broken.statusCode).toBe(400);
  });
});

describe("counting views", () => {
  it("counts a view of an approved report once per visitor and day", async () => {
    const id = await submit(fixture);
    const url = `/prod/api/reports/${id}/view`;
    expect((await fixture.call("POST", url, { body: {} })).json().data.counted).toBe(false);
    await fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    await fixture.call("POST", url, { body: {} });
    await fixture.call("POST", url, { body: {} });
    await expect
      .poll(async () => {
        const { rows } = await fixture.db.query(
          "select views::int from views.report_views where report_id = $1",
          [id],
        );
        return rows[0]?.views;
      })
      .toBe(1);
    // The reply is the same for every unpublished report: pending, deleted or never submitted.
    const gone = await submit(fixture);
    await fixture.call("DELETE", admin(gone), { body: {}, as: "admin" });
    for (const each of [gone, await submit(fixture), randomUUID()]) {
      const answer = await fixture.call("POST", `/prod/api/reports/${each}/view`, { body: {} });
      expect(answer.json()).toEqual({ success: true, data: { counted: false } });
    }
  });
});
