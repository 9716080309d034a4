import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { slugHash } from "#vault/sealing/hashes.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());
const approved = { status: "approved", approved_at: "2026-11-20T09:00:00.000Z" };

beforeAll(async () => {
  await service.moveTo(5);
});

const ids = (reply: { json(): { data: { id: string }[] } }) =>
  reply.json().data.map(({ id }) => id);

describe("GET /prod/api/reports/recent", () => {
  let newest: string;
  let older: string;
  let waiting: string;

  beforeAll(async () => {
    newest = await service.addReport({
      ...approved,
      created_at: "2026-11-20T12:00:00.000Z",
      slug: "nia-new",
    });
    older = await service.addReport({ ...approved, created_at: "2026-11-20T11:00:00.000Z" });
    waiting = await service.addReport({ created_at: "2026-11-20T13:00:00.000Z" });
    await service.db.query("insert into views.report_views values ($1, 41)", [newest]);
  });

  it("returns approved reports, newest first, masked, with their views", async () => {
    const reply = await service.get("/prod/api/reports/recent?_cb=123");
    expect(reply.statusCode).toBe(200);
    expect(ids(reply)).toEqual([newest, older]);
    expect(reply.json().data[0]).toEqual({
      id: newest,
      report_type: "chargeback",
      seo_title: "nia-new",
      first_name: "Quinn",
      last_name: "Ames",
      title: "Disputed a delivered order",
      description: "Signed for the parcel, then disputed the charge.",
      email: "q***@***",
      phone: "(***) ***-****",
      city: "Denver",
      state: "CO",
      country: "US",
      currency: "USD",
      amount: 412.5,
      total_due: 427.5,
      transaction_date: "2026-05-02",
      chargeback_reason: "fraudulent",
      shipping_status: "shipped",
      resolution_status: "unresolved",
      status: "approved",
      verified: true,
      resolved: false,
      created_at: "2026-11-20T12:00:00.000Z",
      timestamp: Date.UTC(2026, 10, 20, 12) / 1000,
      view_count: 41,
      rebuttal_count: 0,
      report_count: 1,
      is_habitual_offender: false,
    });
  });

  it("returns no more than requested, and never more than 200", async () => {
    expect(ids(await service.get("/prod/api/reports/recent?limit=1"))).toEqual([newest]);
    for (const limit of ["0", "201", "-1", "1.5", "many"]) {
      const reply = await service.get(`/prod/api/reports/recent?limit=${limit}`);
      expect([limit, reply.statusCode]).toEqual([limit, 400]);
      expect(reply.json().error.fields).toHaveProperty("limit");
    }
  });

  it("shows every status to an admin who requests the admin view", async () => {
    const reply = await service.get("/prod/api/reports/recent?admin_view=true&limit=200", {
      as: "admin",
    });
    expect(ids(reply)).toEqual([waiting, newest, older]);
    expect(reply.json().data[0]).toMatchObject({
      status: "pending",
      reporter_email: "r***@***",
      revision: 0,
    });
    expect(reply.headers["cache-control"]).toBe("no-store");
  });

  it.each([
    ["visitor", 401],
    ["user", 403],
    ["auditor", 403],
  ] as const)("refuses the admin view to a %s", async (as, status) => {
    const reply = await service.get("/prod/api/reports/recent?admin_view=true", { as });
    expect(reply.statusCode).toBe(status);
  });

  it("may be cached by a browser only with revalidation", async () => {
    const reply = await service.get("/prod/api/reports/recent");
    expect(reply.headers).toMatchObject({ "cache-control": "no-cache", vary: "Authorization" });
  });

  it("returns the newest of all to admins under /all, without the emergency forms", async () => {
    expect(ids(await service.get("/prod/api/reports/all", { as: "admin" }))).toEqual([
      waiting,
      newest,
      older,
    ]);
    const emergency = await service.get(
      `/prod/api/reports/all?emergency_approve=true&report_id=${waiting}`,
      { as: "admin" },
    );
    expect(emergency.statusCode).toBe(400);
  });
});

describe("GET /prod/api/reports/{seoTitle}", () => {
  it("shows an approved report's page", async () => {
    const id = await service.addReport({
      ...approved,
      slug: "pat-orr",
      report_type: "bad_check",
      amount_cents: 8000,
      check_amount_cents: 8000,
      chargeback_fee_cents: null,
      other_fees_cents: 1234,
      total_due_cents: 9234,
      bank_name: "First Example Bank",
      bank_account_mask: "****6789",
      check_reason: "nsf",
      check_date: "2026-06-01",
      transaction_date: null,
      chargebacks: JSON.stringify([
        { amount_cents: 1001, total_due_cents: 1101, other_fees_cents: 100, last_4: "9876" },
      ]),
    });
    const reply = await service.get("/prod/api/reports/pat-orr");
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toMatchObject({
      id,
      amount: 80,
      check_amount: 80,
      other_fees: 12.34,
      total_due: 92.34,
      bank_account: "****6789",
      check_date: "2026-06-01",
      chargebacks: [{ amount: 10.01, total_due: 11.01, other_fees: 1, last_4: "9876" }],
      approved_at: "2026-11-20T09:00:00.000Z",
      other_reports: [],
    });
    expect(reply.json().data).not.toHaveProperty("transaction_date");
    expect(reply.json().data).not.toHaveProperty("reporter_email");
  });

  it("lists the person's other reports and what they have in common", async () => {
    const first = await service.addReport({ ...approved, slug: "rob-roe", title: "The first" });
    const second = await service.addReport({ ...approved, slug: "rob-roe-2", title: "The second" });
    await service.addPerson([first, second], { shares: ["email", "card"] });
    const { data } = (await service.get("/prod/api/reports/rob-roe")).json();
    expect(data).toMatchObject({
      is_habitual_offender: true,
      report_count: 2,
      offender_totals: [{ currency: "USD", amount: 500 }],
      offender_shares: ["email", "card"],
      other_reports: [{ seo_title: "rob-roe-2", title: "The second" }],
    });
  });

  it("omits another report about the person that is no longer public", async () => {
    const first = await service.addReport({ ...approved, slug: "kim-kay" });
    const second = await service.addReport({ status: "under_review", slug: "kim-kay-2" });
    await service.addPerson([first, second]);
    const { data } = (await service.get("/prod/api/reports/kim-kay")).json();
    expect(data.other_reports).toEqual([]);
  });

  it.each(["pending", "under_review", "rejected"])("does not show a %s report", async (status) => {
    const slug = `hidden-${status.replace("_", "-")}`;
    await service.addReport({ status, slug });
    const reply = await service.get(`/prod/api/reports/${slug}`, { as: "admin" });
    expect([reply.statusCode, reply.json().error.message]).toEqual([404, "Report not found"]);
  });

  it.each([
    ["410 for 30 days after a public report is removed", "29 days", 410],
    ["404 after that", "31 days", 404],
    ["404 for a report that is no longer public", null, 404],
  ])("answers %s", async (_, ago, status) => {
    const slug = `gone-${randomUUID().replace(/[^a-f]/g, "")}`;
    const hash = slugHash(await service.keys.serviceKey("slugs"), slug);
    await service.db.query(
      `insert into address.slug (slug_hash, report_id, gone_at, position, epoch)
       values ($1, gen_random_uuid(), now() - $2::interval, '1', 'now')`,
      [hash, ago],
    );
    for (const asked of [slug, slug.toUpperCase()]) {
      const reply = await service.get(`/prod/api/reports/${asked}`);
      expect(reply.statusCode).toBe(status);
    }
  });

  it("shows moderators no slug before the first approval", async () => {
    const id = await service.addReport({
      status: "pending",
      slug: "held-unseen",
      approved_at: null,
    });
    const reply = await service.get(`/prod/api/admin/reports/${id}`, { as: "admin" });
    expect(reply.json().data.seo_title).toBeNull();
  });

  it("finds a report by its slug in upper case", async () => {
    const id = await service.addReport({ ...approved, slug: "cora-caps-2" });
    const reply = await service.get("/prod/api/reports/Cora-CAPS-2");
    expect(reply.json().data).toMatchObject({ id, seo_title: "cora-caps-2" });
  });

  it.each(["no-such-person", "submitted", "%F0%9F%98%80", "a'%20or%201=1", "..%2f..%2fetc"])(
    "answers 404 for %s",
    async (slug) => {
      const reply = await service.get(`/prod/api/reports/${slug}`);
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toMatchObject({ success: false });
    },
  );
});

describe("GET /prod/api/habitual-offenders", () => {
  it("ranks by reports, then by the sum in dollars, and links to the latest report", async () => {
    await service.db.query("truncate offenders.person, offenders.member");
    const pair = async (slug: string) => [
      await service.addReport({ ...approved, slug: `${slug}-a`, first_name: slug }),
      await service.addReport({ ...approved, slug: `${slug}-b`, first_name: slug }),
    ];
    await service.addPerson(await pair("small"), { usd_total_cents: 100 });
    await service.addPerson(await pair("large"), {
      usd_total_cents: 99_901,
      totals: JSON.stringify([
        { currency: "EUR", amount_cents: 250 },
        { currency: "USD", amount_cents: 99_901 },
      ]),
    });
    await service.addPerson([...(await pair("many")), await service.addReport(approved)], {
      usd_total_cents: 0,
    });
    const { data } = (await service.get("/prod/api/habitual-offenders")).json();
    expect(data.map((person: { report_count: number }) => person.report_count)).toEqual([3, 2, 2]);
    expect(data[1]).toEqual({
      first_name: "large",
      last_name: "Ames",
      report_count: 2,
      total_amount: 999.01,
      totals: [
        { currency: "EUR", amount: 2.5 },
        { currency: "USD", amount: 999.01 },
      ],
      shares: ["email"],
      latest_report: {
        title: "Disputed a delivered order",
        description: "Signed for the parcel, then disputed the charge.",
        city: "Denver",
        state: "CO",
        country: "US",
        seo_title: "large-b",
        created_at: "2026-11-20T08:00:00.123Z",
        resolution_status: "unresolved",
        resolved: false,
      },
    });
    expect((await service.get("/prod/api/habitual-offenders?limit=1")).json().data).toHaveLength(1);
    expect((await service.get("/prod/api/habitual-offenders?limit=51")).statusCode).toBe(400);
  });

  it("does not name a person whose latest report is no longer public", async () => {
    await service.db.query("truncate offenders.person, offenders.member");
    await service.addPerson([
      await service.addReport(approved),
      await service.addReport({ status: "rejected" }),
    ]);
    expect((await service.get("/prod/api/habitual-offenders")).json().data).toEqual([]);
  });
});
