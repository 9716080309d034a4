import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { StoreUnavailable } from "#event-store/errors.ts";
import { sealedPositions } from "#http/position-headers.ts";
import { createOneTimeLinks } from "#vault/links/one-time-link.ts";
import {
  badCheck,
  chargeback,
  type Fixture,
  startCommandApi,
} from "../testing/command-api.fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

const SUBMIT = "/prod/api/reports/submit";
const admin = (id: string, command = "") => `/prod/api/admin/reports/${id}${command}`;

async function submit(body: object = chargeback, key?: string): Promise<string> {
  const answer = await fixture.call("POST", SUBMIT, { body, ...(key ? { key } : {}) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data.id;
}

async function events(id: string): Promise<{ type: string; data: object; metadata: object }[]> {
  const { rows } = await fixture.db.query(
    "select type, data, metadata from event_log.event where stream = $1 order by revision",
    [`report-${id}`],
  );
  return rows;
}

async function verificationToken(id: string): Promise<string> {
  const links = createOneTimeLinks(await fixture.api.keys.liveKey("links"));
  const asked = (await events(id)).findLast(({ data }) => "link" in data);
  const { link_id: linkId, expires_at: expiresAt } = (
    (asked as unknown as { data: unknown }).data as {
      link: { link_id: string; expires_at: string };
    }
  ).link;
  return links.makeToken("verify-email", { aggregateId: id, linkId, expiresAt });
}

/** The position that an answer names, which no caller can read. */
async function positionOf({ headers }: { headers: Record<string, unknown> }) {
  const key = await fixture.api.keys.liveKey("positions");
  return sealedPositions(key).open(headers["x-position"] as string)?.position;
}

describe("a report that a newer version has written about", () => {
  it("takes no command until that version runs here, and says to come back", async () => {
    const id = await submit();
    const newer = (version: number) =>
      fixture.db.query(
        `begin; alter table event_log.event disable trigger all;
         update event_log.event
         set metadata = jsonb_set(metadata::jsonb, '{schemaVersion}', '${version}')
         where stream = 'report-${id}'; commit`,
      );
    const approve = () => fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    await newer(99);
    const answer = await approve();
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ success: false, error: { code: "unavailable" } });
    expect(await events(id)).toHaveLength(1);
    expect((await fixture.call("POST", SUBMIT, { body: chargeback })).statusCode).toBe(200);
    await newer(2);
    expect((await approve()).statusCode).toBe(200);
  });
});

describe("submitting a report", () => {
  it("answers with its id and waits for a review", async () => {
    const answer = await fixture.call("POST", SUBMIT, { body: chargeback });
    expect(answer.json()).toMatchObject({ success: true, data: { status: "pending" } });
    expect(await positionOf(answer)).toMatch(/^\d{20}$/);
  });

  it("takes a bad check, and a form that sends all of its fields empty", async () => {
    const id = await submit({ ...badCheck, total_due: 92.34, first_6: "", notes: "  ", email: "" });
    expect(await events(id)).toMatchObject([
      { type: "ReportSubmitted", data: { report: { check_amount_cents: 8000 } } },
    ]);
  });

  it("keeps nothing personal readable in the log", async () => {
    const id = await submit();
    const stored = JSON.stringify(await events(id));
    for (const value of ["Quinn", "Ames", "quinn@example.net", "Denver", "4242", "Rae", "rae@"]) {
      expect(stored).not.toContain(value);
    }
    expect(stored).toContain("41250");
  });

  it.each([
    ["a missing title", { title: undefined }, "title"],
    ["white space for a name", { first_name: "   " }, "first_name"],
    ["no agreement to the terms", { terms_accepted: false }, "terms_accepted"],
    ["an unknown field", { nickname: "Q" }, "nickname"],
    ["an uploaded image", { check_image_url: "https://example.net/a.png" }, "check_image_url"],
    ["a wrong total", { total_due: 400 }, "total_due"],
    ["a negative amount", { amount: -1 }, "amount"],
    ["three decimal places", { amount: 1.005 }, "amount"],
    ["an amount as text", { amount: "412.50" }, "amount"],
    ["a day that does not exist", { transaction_date: "2026-02-30" }, "transaction_date"],
    ["a day in the future", { transaction_date: "2999-01-01" }, "transaction_date"],
    ["three letters for a state", { state: "COL" }, "state"],
    ["a lower-case state", { state: "co" }, "state"],
    ["five card digits", { last_4: "42421" }, "last_4"],
    ["an IP address that is none", { ip_address: "1.2.3.4, 300.1.1.1" }, "ip_address"],
    ["the other type's field", { bank_name: "First" }, "bank_name"],
    ["an address that is none", { email: "quinn@localhost" }, "email"],
    ["a NUL byte", { title: "a\u0000b" }, "title"],
    ["51 additional chargebacks", { chargebacks: Array(51).fill({ amount: 1 }) }, "chargebacks"],
    [
      "a wrong additional total",
      { chargebacks: [{ amount: 1, total_due: 2 }] },
      "chargebacks.0.total_due",
    ],
  ])("refuses %s and names the field", async (_what, change, field) => {
    const answer = await fixture.call("POST", SUBMIT, { body: { ...chargeback, ...change } });
    expect(answer.statusCode, answer.body).toBe(400);
    expect(answer.json()).toMatchObject({ success: false, error: { code: "invalid_request" } });
    expect(Object.keys(answer.json().error.fields)).toContain(field);
  });

  it("takes emoji, right-to-left text and markup as they are", async () => {
    const title = "😀 עברית <script>alert(1)</script> '; drop table x; --";
    const id = await submit({ ...chargeback, title });
    const revealed = await fixture.call("POST", admin(id, "/reveal"), { body: {}, as: "admin" });
    expect(revealed.json().data.title).toBe(title);
  });

  it("answers a retry as the first time, in another process too, and stores it once", async () => {
    const key = randomUUID();
    const id = await submit(chargeback, key);
    await fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    const other = await fixture.another();
    const retry = await other.app.inject({
      method: "POST",
      url: SUBMIT,
      headers: { "idempotency-key": key },
      payload: { ...chargeback, title: ` ${chargeback.title} ` },
    });
    expect(retry.json().data).toEqual({ id, status: "pending" });
    expect((await events(id)).map(({ type }) => type)).toEqual([
      "ReportSubmitted",
      "ReportApproved",
    ]);
  });

  it("refuses a key that was used for another body, and a key that is too short", async () => {
    const key = randomUUID();
    await submit(chargeback, key);
    const other = { ...chargeback, title: "Another" };
    expect((await fixture.call("POST", SUBMIT, { body: other, key })).statusCode).toBe(422);
    expect((await fixture.call("POST", SUBMIT, { body: other, key: "short" })).statusCode).toBe(
      400,
    );
  });

  it("stores one report for many requests with one key at the same time", async () => {
    const key = randomUUID();
    const ids = await Promise.all(Array.from({ length: 8 }, () => submit(chargeback, key)));
    expect(new Set(ids).size).toBe(1);
    expect(await events(ids[0] as string)).toHaveLength(1);
  });

  it("stores and takes no address: a report that is not public has none", async () => {
    const taken = async () =>
      (await fixture.db.query("select count(*)::int as n from command.address")).rows;
    const before = await taken();
    const id = await submit({ ...chargeback, first_name: "Zoë", last_name: "Pending" });
    const [event] = await events(id);
    expect(event?.metadata).toMatchObject({ schemaVersion: 2 });
    expect(JSON.stringify(event?.data)).not.toContain("slug");
    expect(await taken()).toEqual(before);
  });
});

describe("verifying the reporter's address", () => {
  it("takes the mail's link once", async () => {
    const id = await submit();
    const url = `/prod/api/verify-email/${await verificationToken(id)}`;
    const first = await fixture.call("POST", url, { body: {} });
    expect(first.json()).toEqual({ success: true, message: "Email verified successfully!" });
    const again = await fixture.call("POST", url, { body: {} });
    expect(again.statusCode).toBe(409);
    expect(again.headers).not.toHaveProperty("x-position");
    expect((await events(id)).map(({ type }) => type)).toEqual([
      "ReportSubmitted",
      "ReportVerifiedByLink",
    ]);
  });

  it("refuses a forged and a malformed link alike", async () => {
    const id = await submit();
    const token = await verificationToken(id);
    const forged = `${token.slice(0, -2)}${token.endsWith("AA") ? "BB" : "AA"}`;
    for (const bad of [forged, "x", "%F0%9F%98%80"]) {
      const answer = await fixture.call("POST", `/prod/api/verify-email/${bad}`, { body: {} });
      expect(answer.statusCode, answer.body).toBe(400);
      expect(answer.json().error.code).toBe("link_invalid");
    }
  });

  it("takes the earlier link when the mail was asked for again, and tells nobody whose address it is", async () => {
    const id = await submit();
    const old = await verificationToken(id);
    const url = `/prod/api/reports/${id}/resend-verification`;
    // What waits a random while waits long.
    using _random = vi.spyOn(Math, "random").mockReturnValue(0.99);
    const right = await fixture.call("POST", url, { body: { email: "Rae@shop.example" } });
    const wrong = await fixture.call("POST", url, { body: { email: "else@shop.example" } });
    const missing = await fixture.call(
      "POST",
      `/prod/api/reports/${randomUUID()}/resend-verification`,
      {
        body: { email: "rae@shop.example" },
      },
    );
    // Nothing is decided when the answers go out; they tell the same, their headers too.
    expect(await events(id)).toHaveLength(1);
    const told = ({ statusCode, body, headers }: typeof right) => [
      statusCode,
      body,
      Object.keys(headers).toSorted(),
      String(headers["x-position"]).length,
    ];
    expect(told(wrong)).toEqual(told(right));
    expect(told(missing)).toEqual(told(right));
    await fixture.api.background.settled();
    expect(await events(id)).toHaveLength(2);
    const answer = await fixture.call("POST", `/prod/api/verify-email/${old}`, { body: {} });
    expect(answer.statusCode, answer.body).toBe(200);
  });
});

describe("asking for the mail again under one Idempotency-Key", () => {
  it.each([
    ["the reporter's", "rae@shop.example"],
    ["somebody else's", "else@shop.example"],
  ])("does not tell by another address that %s was sent first", async (_whose, email) => {
    const id = await submit();
    const key = randomUUID();
    const url = `/prod/api/reports/${id}/resend-verification`;
    const ask = (address: string) => fixture.call("POST", url, { body: { email: address }, key });
    const first = await ask(email);
    const second = await ask("probe@shop.example");
    expect([second.statusCode, second.body]).toEqual([200, first.body]);
    await fixture.api.background.settled();
    expect(await events(id)).toHaveLength(email === chargeback.reporter_email ? 2 : 1);
  });
});

describe("moderating", () => {
  it("approves, refuses the same again, and rejects with a reason only", async () => {
    const id = await submit();
    const approve = () => fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    expect((await approve()).json().data).toEqual({
      id,
      status: "approved",
      verified: false,
      revision: 1,
    });
    expect((await approve()).statusCode).toBe(409);
    const without = await fixture.call("POST", admin(id, "/reject"), {
      body: { reason: " " },
      as: "admin",
    });
    expect(without.statusCode).toBe(400);
    expect(without.json().error.fields).toHaveProperty("reason");
    const rejected = await fixture.call("POST", admin(id, "/status"), {
      body: { status: "rejected" },
      as: "admin",
    });
    expect(rejected.statusCode).toBe(400);
    const done = await fixture.call("POST", admin(id, "/reject"), {
      body: { reason: "No proof" },
      as: "admin",
    });
    expect(done.json().data.status).toBe("rejected");
  });

  it("lets one of two moderators at once win and tells the other", async () => {
    const id = await submit();
    const answers = await Promise.all(
      [1, 2, 3].map(() => fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    // The others read from that position on what the first one did.
    const positions = await Promise.all(answers.map(positionOf));
    expect(positions).toEqual(Array(3).fill(expect.stringMatching(/^\d{20}$/)));
    expect(new Set(positions).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers["x-position"])).size).toBe(3);
    await fixture.call("DELETE", admin(id), { body: {}, as: "admin" });
    const gone = await fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    expect([gone.statusCode, gone.headers["x-position"]]).toEqual([410, expect.any(String)]);
  });

  it("gives a report its address with the first approval, and another with a new name", async () => {
    const name = { first_name: "Zoë", last_name: "O'Brien" };
    const ids = await Promise.all(
      Array.from({ length: 5 }, () => submit({ ...chargeback, ...name })),
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
    // The name is the same in the address's letters.
    await set(id, { first_name: "Zoe" });
    expect(await slugOf(id)).toBe("zoe-brown");
  });

  it("gives no address again that a report left, or that an approval took and could not use", async () => {
    const named = (last_name: string) => submit({ ...chargeback, first_name: "Ivo", last_name });
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

  it("edits, keeps what is masked, and appends nothing when nothing changed", async () => {
    const id = await submit();
    const put = (body: object) => fixture.call("PUT", admin(id), { body, as: "admin" });
    const same = await put({ title: chargeback.title, email: "q***@e***.net", phone: "" });
    expect(same.json().data.revision).toBe(0);
    const edited = await put({ last_name: "Adams", amount: 480, notes: null, status: "approved" });
    expect(edited.json().data).toMatchObject({ status: "approved", revision: 2 });
    const [, edit] = await events(id);
    expect(edit?.data).toMatchObject({
      fields: ["last_name", "amount"],
      set: { amount_cents: 48000 },
    });
    expect(JSON.stringify(await events(id))).not.toContain("slug");
  });

  it("reveals after writing down who looked and at what, each time under one key too", async () => {
    const id = await submit({ ...chargeback, notes: "kept back" });
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
  });

  it("works through the emergency forms, for an admin's header only", async () => {
    const id = await submit();
    const url = (action: string, more = "") =>
      `/prod/api/reports/all?emergency_${action}=true&report_id=${id}${more}&_cb=1`;
    expect((await fixture.call("GET", url("approve"))).statusCode).toBe(401);
    expect((await fixture.call("GET", url("approve"), { as: "user" })).statusCode).toBe(403);
    const data = Buffer.from(JSON.stringify({ city: "Boulder", phone: "" })).toString("base64");
    for (const [action, more] of [
      ["verify", ""],
      ["approve", ""],
      ["edit", `&edit_data=${encodeURIComponent(data)}`],
      ["delete", ""],
    ] as const) {
      const answer = await fixture.call("GET", url(action, more), { as: "admin" });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json().action).toBe(`emergency_${action}`);
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
    const broken = await fixture.call("GET", url("edit", "&edit_data=!!!"), { as: "admin" });
    expect(broken.statusCode).toBe(400);
  });
});

describe("deleting", () => {
  it("destroys both keys, is final, and answers a retry as the first time", async () => {
    const id = await submit();
    const key = randomUUID();
    const remove = () =>
      fixture.call("DELETE", admin(id), { body: { reason_code: "court_order" }, as: "admin", key });
    const first = await remove();
    expect(first.json().data).toMatchObject({ id, status: "deleted" });
    expect((await remove()).json()).toEqual(first.json());
    const again = await fixture.call("DELETE", admin(id), { as: "admin" });
    expect(again.statusCode).toBe(410);
    for (const command of ["/approve", "/verify", "/reveal"]) {
      const answer = await fixture.call("POST", admin(id, command), { body: {}, as: "admin" });
      expect(answer.statusCode).toBe(410);
    }
    const found = await fixture.api.keys.get([`personal-${id}`, `reporter-${id}`]);
    expect([...found.values()].map(({ state }) => state)).toEqual(["destroyed", "destroyed"]);
  });
});

describe("counting views", () => {
  it("counts approved reports once a visitor and day", async () => {
    const id = await submit();
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
    // What is not public is told from nothing by no answer: pending, deleted, or never submitted.
    const gone = await submit();
    await fixture.call("DELETE", admin(gone), { body: {}, as: "admin" });
    for (const each of [gone, await submit(), randomUUID()]) {
      const answer = await fixture.call("POST", `/prod/api/reports/${each}/view`, { body: {} });
      expect(answer.json()).toEqual({ success: true, data: { counted: false } });
    }
  });
});
