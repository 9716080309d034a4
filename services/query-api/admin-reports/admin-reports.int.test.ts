import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());
const ids: Record<string, string> = {};

beforeAll(async () => {
  await service.moveTo(5);
  const add = async (name: string, columns: Record<string, unknown>) => {
    // Searches cover IDs too, and a random one could contain `100`.
    const id = `00000000-0000-4000-8000-00000000000${Object.keys(ids).length}`;
    ids[name] = await service.addReport({ id, last_name: name, ...columns });
  };
  await add("Adams", {
    created_at: "2026-11-20T04:00:00.000Z",
    updated_at: "2026-11-21T00:00:00.000Z",
    amount_cents: 300,
    title: "Paid 100% with_a stolen card",
  });
  await add("Baker", {
    created_at: "2026-11-20T03:00:00.000Z",
    status: "approved",
    verified: false,
    amount_cents: 100,
    report_type: "bad_check",
    check_amount_cents: 100,
    chargeback_reason: null,
    check_reason: "nsf",
    public_username: "Acme Tools",
  });
  await add("Cole", {
    created_at: "2026-11-20T02:00:00.000Z",
    status: "rejected",
    rejection_reason: "No evidence",
    amount_cents: 200,
    city: "Zürich",
    country: "CA",
    state: "ON",
    chargebacks: JSON.stringify([{ amount_cents: 1, total_due_cents: 1, reason: "general" }]),
  });
  await add("Diaz", {
    created_at: "2026-11-20T01:00:00.000Z",
    status: "under_review",
    files: JSON.stringify([
      {
        file_id: randomUUID(),
        kind: "evidence",
        type: "application/pdf",
        added_at: "2026-11-20T01:00:00.000Z",
      },
    ]),
  });
});

const api = async (query = "") => service.get(`/prod/api/admin/reports${query}`, { as: "admin" });
const names = (reports: { last_name: string }[]) => reports.map(({ last_name }) => last_name);
const found = async (query: string) => names((await api(query)).json().data.reports);

describe("GET /prod/api/admin/reports", () => {
  it("returns a page of all reports, newest first, with counts of each status", async () => {
    const { data } = (await api("?page=2&limit=3")).json();
    expect(data).toMatchObject({
      total: 4,
      page: 2,
      limit: 3,
      counts: { pending: 1, under_review: 1, approved: 1, rejected: 1, unconfirmed: 0 },
    });
    expect(names(data.reports)).toEqual(["Diaz"]);
    expect((await api()).json().data).toMatchObject({ page: 1, limit: 25 });
  });

  it.each([
    ["status=approved", ["Baker"]],
    ["verified=false", ["Baker"]],
    ["verified=true&status=pending", ["Adams"]],
    ["report_type=bad_check", ["Baker"]],
    ["reason=nsf", ["Baker"]],
    ["reason=general", ["Cole"]],
    ["q=adams", ["Adams"]],
    ["q=z%C3%BCRICH", ["Cole"]],
    ["q=quinn%20cole", ["Cole"]],
    ["q=cole%20quinn", ["Cole"]],
    ["q=100%25", ["Adams"]],
    ["q=with_a", ["Adams"]],
    ["q=w_th", []],
    ["q=olen", ["Adams"]],
    ["q=ol", []],
    ["q=%25_%25", []],
    ["q=%5C", []],
    ["q=nobody", []],
    ["sort=amount&order=asc&status=pending", ["Adams"]],
    ["sort=amount&order=asc", ["Baker", "Cole", "Adams", "Diaz"]],
    ["sort=last_name&order=desc", ["Diaz", "Cole", "Baker", "Adams"]],
    ["sort=updated_at&limit=1", ["Adams"]],
    ["sort=status&order=asc", ["Baker", "Adams", "Cole", "Diaz"]],
    ["order=asc&limit=1", ["Diaz"]],
  ])("?%s", async (query, expected) => {
    expect(await found(`?${query}`)).toEqual(expected);
  });

  it("finds a report by its ID", async () => {
    expect(await found(`?q=${ids.Cole}`)).toEqual(["Cole"]);
  });

  it.each([
    ["status", "status=gone"],
    ["verified", "verified=maybe"],
    ["sort", "sort=password"],
    ["order", "order=up"],
    ["page", "page=0"],
    ["limit", "limit=201"],
    ["page", "page=51&limit=200"],
    ["offset", "offset=3"],
    ["q", `q=${"x".repeat(201)}`],
    ["q", "q=%00"],
  ])("rejects a bad %s (?%s)", async (field, query) => {
    const reply = await api(`?${query}`);
    expect([reply.statusCode, Object.keys(reply.json().error.fields)]).toEqual([400, [field]]);
  });

  it("reaches row 10,000", async () => {
    expect((await api("?page=50&limit=200")).json().data).toMatchObject({ reports: [], total: 4 });
  });
});

describe("reports that concern their reader", () => {
  const ownFlags = async (id: string) => {
    const list = (await api(`?q=${id}`)).json().data.reports[0];
    const filter = encodeURIComponent(JSON.stringify({ id: [id] }));
    const rows = await service.get(`/prod/admin/reports?filter=${filter}`, { as: "admin" });
    const page = (await api(`/${id}`)).json().data;
    const record = await service.get(`/prod/admin/reports/${id}`, { as: "admin" });
    return [list, rows.json()[0], page, record.json()].map(({ own }) => own);
  };
  const remove = (id: string) => service.db.query("delete from reports.report where id = $1", [id]);

  it.each([
    ["their own", () => ({ owner_id: service.accounts.admin })],
    ["one with their name", () => ({ first_name: "dana", last_name: "RUIZ" })],
    [
      "one with their confirmed address",
      async () => {
        const blind = createBlindIndexer(await service.keys.serviceKey("blind-index"));
        return { blind: JSON.stringify({ email: [blind("email", "admin@registry.example")] }) };
      },
    ],
  ])("are flagged in lists and on the page, and hide moderators' notes: %s", async (_, columns) => {
    const note = { note: "Looks odd", at: "2026-11-20T08:00:00.000Z", by: service.accounts.admin };
    const moderator_notes = JSON.stringify([note]);
    const id = await service.addReport({ moderator_notes, ...(await columns()) });
    expect(await ownFlags(id)).toEqual([true, true, true, true]);
    expect((await api(`/${id}`)).json().data.moderator_notes).toEqual([]);
    await remove(id);
  });

  it("include one with a previous address of the account", async () => {
    const id = service.accounts.admin;
    const part = { event_id: randomUUID(), event_type: "EmailChanged", schema_version: 1 };
    const former = "dana@former.example";
    const account = await service.sealForAccount(id, part, { email: former });
    const set = "update accounts.account set former_addresses = $2 where id = $1";
    await service.db.query(set, [id, JSON.stringify([{ ...part, account }])]);
    const blind = createBlindIndexer(await service.keys.serviceKey("blind-index"));
    const email = [blind("email", former)];
    const report = await service.addReport({ blind: JSON.stringify({ email }) });
    expect(await ownFlags(report)).toEqual([true, true, true, true]);
    await service.db.query(set, [id, "[]"]);
    expect(await ownFlags(report)).toEqual([undefined, undefined, undefined, undefined]);
    await remove(report);
  });

  it("do not include one with an address that the account has not confirmed", async () => {
    const blind = createBlindIndexer(await service.keys.serviceKey("blind-index"));
    const email = [blind("email", "admin@registry.example")];
    const id = await service.addReport({ blind: JSON.stringify({ email }) });
    const set = "update accounts.account set confirmed = $2 where id = $1";
    await service.db.query(set, [service.accounts.admin, false]);
    expect(await ownFlags(id)).toEqual([undefined, undefined, undefined, undefined]);
    await service.db.query(set, [service.accounts.admin, true]);
    await remove(id);
  });
});

describe("unconfirmed reports", () => {
  it("are counted as their list shows them", async () => {
    const id = await service.addReport({ status: "pending", verified: false, last_name: "Egan" });
    await service.addReport({ status: "under_review", verified: false, last_name: "Ford" });
    const { data } = (await api("?status=pending&verified=false")).json();
    expect([data.total, names(data.reports), data.counts.unconfirmed]).toEqual([1, ["Egan"], 1]);
    await service.db.query("delete from reports.report where id = $1 or last_name = 'Ford'", [id]);
  });
});

describe("GET /prod/api/admin/reports/{id}", () => {
  it("shows a report of any status, with the reason for a rejection", async () => {
    const reply = await api(`/${ids.Cole}`);
    expect(reply.json().data).toMatchObject({
      status: "rejected",
      rejection_reason: "No evidence",
      reporter_email: "r***@***",
      possible_matches: [],
      has_more_matches: false,
    });
  });

  it("lists reports that share an identifier, what they share and how the names differ", async () => {
    const key = (kind: string) => `${kind}|hash-${kind}`;
    const one = await service.addReport({
      first_name: "Robert",
      last_name: "Doe",
      match_keys: [key("email"), key("street_zip"), key("card")],
    });
    const two = await service.addReport({
      first_name: "Bob",
      last_name: "Doe",
      title: "Another one",
      status: "rejected",
      match_keys: [key("street_zip"), key("email"), key("phone")],
    });
    const three = await service.addReport({
      first_name: "Rupert",
      last_name: "Does",
      created_at: "2026-11-21T08:00:00.123Z",
      match_keys: [key("card"), "email|another-hash"],
    });
    await service.addReport({
      first_name: "Robert",
      last_name: "Doe",
      match_keys: [key("bank_account")],
    });
    const { data } = (await api(`/${one}`)).json();
    expect(data.possible_matches).toEqual([
      {
        id: two,
        first_name: "Bob",
        last_name: "Doe",
        title: "Another one",
        status: "rejected",
        created_at: "2026-11-20T08:00:00.123Z",
        shares: ["email", "street and ZIP"],
        differs: [],
        first_name_differs: { kind: "nickname" },
        last_name_differs: { kind: "same" },
      },
      expect.objectContaining({
        id: three,
        shares: ["card"],
        differs: ["email"],
        first_name_differs: { kind: "sounds_alike", letters: 2 },
        last_name_differs: { kind: "letters", letters: 1 },
      }),
    ]);
    expect(data.has_more_matches).toBe(false);
    expect(JSON.stringify(data)).not.toContain("hash-");
    await service.db.query("delete from reports.report where last_name like 'Doe%'");
  });

  it("shows the 50 strongest of very many matches, and says that there are more", async () => {
    const one = await service.addReport({ last_name: "Many", match_keys: ["email|a", "phone|b"] });
    for (let n = 0; n < 50; n += 1)
      await service.addReport({ last_name: "Other", match_keys: ["email|a"] });
    expect((await api(`/${one}`)).json().data).toMatchObject({ has_more_matches: false });
    // More reports than a page reads as possible matches.
    for (let n = 0; n < 170; n += 1)
      await service.addReport({ last_name: "Other", match_keys: ["email|a"], status: "pending" });
    const strongest = await service.addReport({
      last_name: "Many",
      created_at: "2020-01-01T00:00:00.000Z",
      match_keys: ["email|a", "phone|b"],
    });
    const alike = await service.addReport({
      last_name: "Manny",
      created_at: "2020-01-01T00:00:00.000Z",
      status: "approved",
      match_keys: ["phone|b"],
    });
    const { possible_matches, has_more_matches } = (await api(`/${one}`)).json().data;
    expect(possible_matches).toHaveLength(50);
    expect(possible_matches.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual([
      strongest,
      alike,
    ]);
    expect(has_more_matches).toBe(true);
    await service.db.query("delete from reports.report where match_keys && '{email|a,phone|b}'");
  });

  it("answers 410 for a deleted report, 404 for an unknown one, 400 for an invalid ID", async () => {
    const deleted = randomUUID();
    await service.db.query("insert into reports.deleted_report values ($1)", [deleted]);
    for (const base of ["/prod/api/admin/reports", "/prod/admin/reports"]) {
      const ask = async (id: string) =>
        (await service.get(`${base}/${id}`, { as: "admin" })).json();
      expect((await ask(deleted)).error.code).toBe("report_deleted");
      expect((await ask(randomUUID())).error.code).toBe("report_not_found");
      expect((await ask("1")).error.fields).toHaveProperty("id");
    }
  });
});

describe("GET /prod/admin/reports (ra-data-simple-rest)", () => {
  const list = (parameters: Record<string, unknown>) => {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    return service.get(`/prod/admin/reports?${query}`, { as: "admin" });
  };

  it("returns a bare list in the requested order, and a numeric Content-Range", async () => {
    const reply = await list({ sort: ["amount", "ASC"], range: [1, 2], filter: {} });
    expect(reply.statusCode).toBe(200);
    expect(names(reply.json())).toEqual(["Cole", "Adams"]);
    expect(reply.headers["content-range"]).toBe("reports 1-2/4");
  });

  it("accepts the provider's default: by ID, ascending", async () => {
    const reply = await list({ sort: ["id", "ASC"], range: [0, 9], filter: {} });
    const sorted = Object.values(ids).sort();
    expect(reply.json().map(({ id }: { id: string }) => id)).toEqual(sorted);
  });

  it("returns the total when the page is empty", async () => {
    const reply = await list({ range: [50, 74], filter: {} });
    expect([reply.json(), reply.headers["content-range"]]).toEqual([[], "reports */4"]);
  });

  it.each([
    [{ status: "approved" }, ["Baker"]],
    [{ verified: false }, ["Baker"]],
    [{ verified: "false" }, ["Baker"]],
    [{ q: "zürich", status: "rejected" }, ["Cole"]],
    [{ reason: "fraudulent", report_type: "chargeback" }, ["Adams", "Cole", "Diaz"]],
    [{ amount_min: "2", amount_max: "2.00" }, ["Cole"]],
    [{ amount_max: "1.99" }, ["Baker"]],
    [{ amount_min: "2", status: "rejected" }, ["Cole"]],
    [{ from: "2026-11-20", to: "2026-11-20", amount_min: "1" }, ["Adams", "Baker", "Cole", "Diaz"]],
    [{ to: "2026-11-19" }, []],
    [{ country: "CA" }, ["Cole"]],
    [{ state: "on" }, ["Cole"]],
    [{ reporter: "acme" }, ["Baker"]],
    // Addresses are displayed as masks, and only the mask is stored: it is not a name.
    [{ reporter: "@" }, []],
    [{ reporter: "%" }, []],
    [{ evidence: "with" }, ["Diaz"]],
    [{ evidence: "without", verified: "false" }, ["Baker"]],
  ])("filters by %o", async (filter, expected) => {
    expect(names((await list({ filter })).json())).toEqual(expected);
  });

  it("returns the records that getMany requests", async () => {
    const wanted = [ids.Adams, ids.Diaz, randomUUID()];
    const reply = await list({ filter: { id: wanted } });
    expect(names(reply.json())).toEqual(["Adams", "Diaz"]);
  });

  it("returns one bare record", async () => {
    const reply = await service.get(`/prod/admin/reports/${ids.Adams}`, { as: "admin" });
    expect(reply.json()).toMatchObject({ id: ids.Adams, possible_matches: [] });
  });
});

it("a report's page shows moderators' notes, except to the moderator who submitted it", async () => {
  const { admin, auditor } = service.accounts;
  const written = { note: "Seen before", at: "2026-11-20T08:00:00.000Z", by: auditor };
  const moderator_notes = JSON.stringify([written]);
  const others = await service.addReport({
    last_name: "Noted",
    status: "rejected",
    moderator_notes,
  });
  const own = await service.addReport({
    last_name: "Owned",
    status: "rejected",
    moderator_notes,
    owner_id: admin,
  });
  const notesOf = async (id: string) => (await api(`/${id}`)).json().data.moderator_notes;
  expect(await notesOf(others)).toMatchObject([{ note: "Seen before", at: written.at }]);
  expect(await notesOf(own)).toEqual([]);
  for (const id of [others, own])
    await service.db.query("delete from reports.report where id = $1", [id]);
});

it("a report's page says why its reporter cannot be asked, if so", async () => {
  const open = { status: "pending", verified: true, address_confirmed: true };
  const question = { question_id: "q", question: "Which?", answer: null, asked_at: "x" };
  const asked = (state: string, expires_at: string) => ({
    ...open,
    questions: JSON.stringify([{ ...question, state, expires_at }]),
  });
  const mask = { reporter_email_mask: "q***@***" };
  const soon = "2099-01-01T00:00:00.000Z";
  const notConfirmed = "The reporter hasn't confirmed the address with the link";
  for (const [columns, said] of [
    [open, undefined],
    [{ ...open, status: "under_review" }, undefined],
    [asked("open", "2026-11-20T00:00:00.000Z"), undefined],
    [asked("answered", soon), undefined],
    [asked("open", soon), "Another question is awaiting an answer"],
    // A moderator vouched for it.
    [{ ...open, address_confirmed: false }, notConfirmed],
    [{ ...open, verified: false, address_confirmed: false }, notConfirmed],
    [{ ...open, status: "rejected" }, "The report is already rejected"],
    [{ ...open, reporter_email_mask: null }, "The reporter is erased"],
  ] as const) {
    const id = await service.addReport({ ...mask, ...columns });
    const { data } = (await api(`/${id}`)).json();
    expect(data.not_askable, JSON.stringify(columns)).toBe(said);
    await service.db.query("delete from reports.report where id = $1", [id]);
  }
});

describe("reports awaiting their reporter", () => {
  const question = { question_id: "q", state: "open", question: "Which?", answer: null };
  const asked = (expires_at: string) => ({
    status: "pending",
    created_at: "2026-11-19T01:00:00.000Z",
    asked_until: expires_at,
    questions: JSON.stringify([{ ...question, expires_at, asked_at: "2026-11-19T02:00:00.000Z" }]),
  });
  beforeAll(async () => {
    const later = "2099-01-01T00:00:00.000Z";
    ids.Eads = await service.addReport({ last_name: "Eads", ...asked(later) });
    await service.addReport({ last_name: "Fell", ...asked("2026-11-20T00:00:00.000Z") });
    const answered_at = "2026-11-20T05:00:00.000Z";
    const created_at = "2026-11-19T00:00:00.000Z";
    await service.addReport({ last_name: "Gore", status: "pending", created_at, answered_at });
  });

  it("are listed apart from those that were answered and those whose question expired", async () => {
    expect(await found("?asked=waiting")).toEqual(["Eads"]);
    expect(await found("?asked=answered")).toEqual(["Gore"]);
    const all = (await api("?status=pending&limit=200")).json().data;
    const free = (await api("?to_decide=all&limit=200")).json().data;
    expect(names(free.reports)).toEqual(names(all.reports).filter((name) => name !== "Eads"));
    expect(free.total).toBe(all.total - 1);
    expect(names(all.reports)).toEqual(expect.arrayContaining(["Eads", "Fell", "Gore"]));
    expect(all.counts).toMatchObject({
      waiting: 1,
      answered: 1,
      pending: all.total,
      to_decide: free.total,
    });
  });

  it("have the question on their page", async () => {
    const { data } = (await api(`/${ids.Eads}`)).json();
    expect(data.asked_until).toBe("2099-01-01T00:00:00.000Z");
    expect(data.questions).toMatchObject([{ state: "open", question: "Which?" }]);
    expect(data.questions[0]).not.toHaveProperty("answer");
  });
});

describe("a report held by DMCA notices", () => {
  const [notice, other, copy_id] = [randomUUID(), randomUUID(), randomUUID()];
  const since = "2026-11-22T10:00:00.000Z";
  const later = "2026-11-23T10:00:00.000Z";
  const hold = (notice_id: string, at: string) => ({
    notice_id,
    number: caseNumber("takedown", notice_id),
    since: at,
  });
  const detail = async (id: string) =>
    (await service.get(`/prod/admin/reports/${id}`, { as: "admin" })).json();

  it("shows their number and date on its page, and is marked in the list", async () => {
    const id = await service.addReport({
      last_name: "Held",
      status: "under_review",
      holds: JSON.stringify([
        { notice_id: notice, since },
        { notice_id: other, since: later },
      ]),
    });
    expect(await detail(id)).toMatchObject({
      held: true,
      holds: [hold(notice, since), hold(other, later)],
    });
    const [listed] = (await api("?q=Held")).json().data.reports;
    expect(listed).toMatchObject({ id, held: true });
    expect(listed).not.toHaveProperty("holds");
  });

  it("shows the notices of its pictures, which do not hold the report itself", async () => {
    const withheld = { copy_id, file_id: randomUUID(), holds: [{ notice_id: notice, since }] };
    const id = await service.addReport({
      status: "approved",
      withheld: JSON.stringify([withheld]),
    });
    const shown = await detail(id);
    expect(shown.holds).toEqual([{ ...hold(notice, since), copy_id }]);
    expect(shown).not.toHaveProperty("held");
  });

  it("is the only report with holds", async () => {
    const free = await detail(ids.Diaz ?? "");
    expect(free.holds).toEqual([]);
    expect(free).not.toHaveProperty("held");
  });
});
