import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { SearchDocument } from "#search/port.ts";
import { createPageTokens } from "#search/search-plan.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { at, type Fixture, startQueryApi } from "../testing/query-api.fixture.ts";
import { searchDocument } from "../testing/search-document.ts";

const URL = "/prod/api/reports/search";
const approved = { status: "approved", approved_at: "2026-11-20T09:00:00.000Z" };

let service: Fixture;
let position = 10;

/** Adds an approved report and its document, as the projections do. */
async function addFound(
  columns: Record<string, unknown> = {},
  document: Partial<SearchDocument> = {},
): Promise<string> {
  const id = await service.addReport({ ...approved, ...columns });
  position += 1;
  await service.index.apply(
    [
      {
        op: "upsert",
        position: at(position),
        document: searchDocument(id, document),
      },
    ],
    at(position),
  );
  return id;
}

const query = (parameters: Record<string, string | number>) =>
  `${URL}?${new URLSearchParams(Object.entries(parameters).map(([k, v]) => [k, String(v)]))}`;
const idsOf = (reply: { json(): { data: { reports: { id: string }[] } } }) =>
  reply.json().data.reports.map(({ id }) => id);

describe("GET /prod/api/reports/search", () => {
  let quinn: string;
  let zoe: string;

  beforeAll(async () => {
    service = await startQueryApi();
    await service.moveTo(5);
    quinn = await addFound();
    const named = { first_name: "Zoë", last_name: "Brandt", city: "Reno", state: "NV" };
    zoe = await addFound(
      { ...named, amount_cents: 9900 },
      {
        ...named,
        title: "Check returned unpaid",
        description: "The bank returned the check.",
        amount_cents: 9900,
        reasons: ["nsf"],
        submitted_at: "2026-11-19T08:00:00.000Z",
      },
    );
  });
  afterAll(() => service.close());

  it("returns all approved reports, newest first, for an empty search", async () => {
    const reply = await service.get(URL);
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toMatchObject({
      total: 2,
      total_capped: false,
      page: 1,
      pages: 1,
      next: null,
      previous: null,
    });
    expect(idsOf(reply)).toEqual([quinn, zoe]);
  });

  it.each([
    ["a name", { q: "zoe brandt" }, ["zoe"]],
    ["a typo", { q: "Brant" }, ["zoe"]],
    ["a part of the title", { q: "turned unp" }, ["zoe"]],
    ["a state in any case", { state: "nv" }, ["zoe"]],
    ["at least an amount", { min: 100 }, ["quinn"]],
    ["at most an amount", { max: 99 }, ["zoe"]],
    ["both", { min: 99, max: 412.5 }, ["quinn", "zoe"]],
    ["a group of reasons", { reason: "NSF" }, ["zoe"]],
    ["a group without reports", { reason: "Duplicate" }, []],
    ["an order", { sort: "amount_low" }, ["zoe", "quinn"]],
  ])("finds by %s", async (_name, parameters, expected) => {
    const names = { quinn, zoe } as Record<string, string>;
    const reply = await service.get(query(parameters as unknown as Record<string, string>));
    expect(idsOf(reply)).toEqual(expected.map((name) => names[name]));
  });

  it.each([
    ["state", { state: "1" }],
    ["min", { min: -1 }],
    ["min", { min: "1.005" }],
    ["min", { min: 100, max: 99.99 }],
    ["reason", { reason: "nsf" }],
    ["sort", { sort: "random()" }],
    ["size", { size: 51 }],
    ["q", { q: "x".repeat(201) }],
    ["page", { page: "not-a-token" }],
    ["offset", { offset: 3 }],
  ])("rejects a query, naming %s", async (field, parameters) => {
    const reply = await service.get(query(parameters as unknown as Record<string, string>));
    expect([reply.statusCode, Object.keys(reply.json().error.fields)]).toEqual([400, [field]]);
  });

  it("turns pages by token, and rejects another search's token", async () => {
    const first = (await service.get(query({ size: 1, sort: "newest" }))).json().data;
    expect(first).toMatchObject({ page: 1, pages: 2, previous: null });
    const second = await service.get(query({ size: 1, sort: "newest", page: first.next }));
    expect(idsOf(second)).toEqual([zoe]);
    const back = second.json().data.previous;
    expect(idsOf(await service.get(query({ size: 1, sort: "newest", page: back })))).toEqual([
      quinn,
    ]);
    const other = await service.get(query({ size: 1, sort: "oldest", page: first.next }));
    expect(other.statusCode).toBe(400);
  });

  it("accepts another process's page token, and no forged one", async () => {
    const first = (await service.get(query({ size: 1 }))).json().data;
    const { app } = await service.startProcess();
    const turn = (page: string) => app.inject({ url: query({ size: 1, page }) });
    expect(idsOf(await turn(first.next))).toEqual([zoe]);
    const bytes = Buffer.from(first.next, "base64url");
    const stranger = createPageTokens(Buffer.alloc(32, 1));
    for (const page of [
      stranger.encode(
        { direction: "after", inclusive: false, page: 2, values: [Date.now()], id: "x" },
        "",
      ),
      Buffer.concat([bytes.subarray(0, 16), Buffer.from('[true,false,9,[0],""]')]).toString(
        "base64url",
      ),
      "A".repeat(1000),
      "\ud800",
    ]) {
      const reply = await turn(page);
      expect([reply.statusCode, reply.json().error]).toMatchObject([
        400,
        { code: "invalid_request", fields: { page: expect.any(String) } },
      ]);
    }
    expect((await turn("A".repeat(1001))).statusCode).toBe(400);
  });

  it("marks what matched, and shows how", async () => {
    const [hit] = (await service.get(query({ q: "brandt" }))).json().data.reports;
    expect(hit).toMatchObject({
      match: "exact",
      highlights: {
        name: [
          { text: "Zoë ", hit: false },
          { text: "Brandt", hit: true },
        ],
      },
    });
  });

  it("never shows a hit whose report is no longer approved", async () => {
    const withdrawn = await addFound({ status: "under_review" }, { first_name: "Withdrawn" });
    const deleted = await addFound({}, { first_name: "Deleted" });
    await service.db.query("delete from reports.report where id = $1", [deleted]);
    for (const q of ["withdrawn", "deleted"]) {
      expect(idsOf(await service.get(query({ q })))).toEqual([]);
    }
    await service.index.apply(
      [withdrawn, deleted].map((id) => ({ op: "delete", position: at(90), id })),
      at(90),
    );
  });

  it("drops the highlights of a text that has since changed", async () => {
    const id = await addFound(
      { title: "A milder title" },
      { title: "An insulting title", first_name: "Olga" },
    );
    const [hit] = (await service.get(query({ q: "olga insulting" }))).json().data.reports;
    expect(hit.id).toBe(id);
    expect(JSON.stringify(hit)).not.toContain("insulting");
    await service.index.apply([{ op: "delete", position: at(91), id }], at(91));
  });

  it("includes the offender's flags and the views", async () => {
    const columns = { first_name: "Twice", last_name: "Told" };
    const pair = [await addFound(columns, columns), await addFound(columns, columns)];
    await service.addPerson(pair);
    await service.db.query("insert into views.report_views values ($1, 7)", [pair[0]]);
    const { reports } = (await service.get(query({ q: "twice told" }))).json().data;
    expect(reports).toHaveLength(2);
    for (const report of reports)
      expect(report).toMatchObject({
        is_habitual_offender: true,
        report_count: 2,
        offender_totals: [{ currency: "USD", amount: 500 }],
      });
    const views = reports.map((report: { view_count: number }) => report.view_count);
    expect(views.sort()).toEqual([0, 7]);
  });
});

describe("a search for an email address or a phone number", () => {
  const email = "zelda.quartz@mail-host.example";
  let found: string;

  beforeAll(async () => {
    service = await startQueryApi();
    await service.moveTo(5);
    const blind = createBlindIndexer(await service.keys.serviceKey("blind-index"));
    found = await addFound(
      { email_mask: "z***@***", phone_mask: "(***) ***-****" },
      { blind: { email: [blind("email", email)], phone: [blind("phone", "+13035550142")] } },
    );
  });
  afterAll(() => service.close());

  it("finds by a complete address, in any spelling, alone or next to a name", async () => {
    const spellings = [email, email.toUpperCase(), `  ${email} `, `Nadia Okafor <${email}>`];
    for (const q of spellings)
      expect([q, idsOf(await service.get(query({ q }), { as: "user" }))]).toEqual([q, [found]]);
  });

  it("never finds by part of an address, whether letters or the domain", async () => {
    const parts = [...Array.from(email, (_, i) => email.slice(0, i + 1)).slice(0, -1)];
    parts.push(email.slice(1), "mail-host.example", "@mail-host.example", "zelda", "quartz");
    parts.push(`${email}x`, `x${email}`, `"${email}"`, "z***@***", "%@%", "_".repeat(30));
    for (const q of parts) {
      // A single letter such as "z" may occur in a name or a text. Longer parts occur in none.
      if (q.length < 3) continue;
      expect([q, idsOf(await service.get(query({ q }), { as: "user" }))]).toEqual([q, []]);
    }
  });

  const numbers = ["+1 303 555 0142", "(303) 555-0142", "303.555.0142"];

  it("finds by a phone number for confirmed accounts and staff", async () => {
    for (const q of numbers)
      for (const as of ["user", "admin", "auditor"] as const)
        expect([q, idsOf(await service.get(query({ q }), { as }))]).toEqual([q, [found]]);
    const beside = query({ q: "Nadia Okafor (303) 555-0142" });
    expect(idsOf(await service.get(beside, { as: "user" }))).toEqual([found]);
    expect(idsOf(await service.get(query({ q: "555 0142" }), { as: "user" }))).toEqual([]);
  });

  /** The same reply to every such search, whether or not the contact exists. */
  async function refused(contact: "email" | "phone", as?: "user"): Promise<string> {
    const terms = {
      email: [email, "nobody@mail-host.example", `Quinn Ames ${email}`],
      phone: [...numbers, "+1 303 555 0199", "Quinn Ames +1 303 555 0142"],
    };
    const replies = new Set<string>();
    for (const q of terms[contact])
      for (const more of [{}, { page: "made-up" }, { state: "NV" }]) {
        const reply = await service.get(query({ q, ...more }), as ? { as } : {});
        const names = Object.keys(reply.headers).sort();
        expect(reply.json().error.code).toBe("confirmed_account_required");
        replies.add(JSON.stringify([reply.statusCode, reply.json().error.message, names]));
      }
    expect([...replies]).toHaveLength(1);
    return JSON.parse([...replies][0] as string)[1];
  }

  it("asks visitors to sign in, in one sentence, whether or not the contact exists", async () => {
    expect(await refused("email")).toBe("Sign in to search by email");
    expect(await refused("phone")).toBe("Sign in to search by phone");
  });

  it("asks accounts that are not confirmed, or not active, to confirm their address", async () => {
    const set = (columns: string) =>
      service.db.query(`update accounts.account set ${columns} where role <> 'none'`);
    await set("confirmed = false");
    expect(await refused("email", "user")).toBe("Confirm your email address to search by email");
    expect(await refused("phone", "user")).toBe("Confirm your email address to search by phone");
    const reply = await service.get(query({ q: numbers[0] as string }), { as: "auditor" });
    expect(idsOf(reply)).toEqual([found]);
    await set("confirmed = true, status = 'closed'");
    expect(await refused("phone", "user")).toContain("Confirm");
    await set("status = 'active'");
    expect(idsOf(await service.get(query({ q: numbers[0] as string }), { as: "user" }))).toEqual([
      found,
    ]);
  });

  const observed = async () => {
    const { rows } = await service.db.query(
      "select account_id, role, route, times from ops.observed where code = 'contact_found'",
    );
    return rows;
  };

  it("records each one that finds a report, without the search terms", async () => {
    await service.db.query("delete from ops.observed");
    const ask = (q: string) => service.get(query({ q }), { as: "user" });
    await ask("nobody@mail-host.example");
    await ask(`Quinn Ames nobody@mail-host.example`);
    await ask("Quinn Ames");
    expect(await observed()).toEqual([]);
    await ask(email);
    await ask(`Quinn Ames ${email}`);
    const seen = { account_id: service.accounts.user, role: "user", route: URL };
    expect(await observed()).toEqual([{ ...seen, times: 2 }]);
  });

  it("is not answered if it can't be recorded", async () => {
    await service.db.query("alter table ops.observed rename to away");
    try {
      expect((await service.get(query({ q: email }), { as: "user" })).statusCode).toBe(503);
    } finally {
      await service.db.query("alter table ops.away rename to observed");
    }
  });

  it("does not treat part of a name or an amount as a phone number", async () => {
    for (const q of ["Ames 4125550", "412.50", "555 014", "1042"])
      expect([q, (await service.get(query({ q }))).statusCode]).toEqual([q, 200]);
  });
});

describe("the search throttle", () => {
  const MESSAGE = "Too many searches. Please wait a moment before searching again.";

  beforeAll(async () => {
    service = await startQueryApi({ limits: "on" });
    await service.moveTo(5);
    for (let i = 0; i < 3; i += 1) await addFound();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 21, 12) });
  });
  afterAll(async () => {
    vi.useRealTimers();
    await service.close();
  });

  const search = (n: number, ip: string, as?: "user" | "admin") =>
    service.get(query({ q: `word${n}` }), { ip, ...(as ? { as } : {}) });
  async function exhaust(ip: string, as?: "user" | "admin") {
    for (let n = 0; n < 10; n += 1) expect((await search(n, ip, as)).statusCode).toBe(200);
  }

  it("rejects the eleventh within six seconds, with the spec's wording and Retry-After", async () => {
    const ip = "198.51.100.10";
    await exhaust(ip);
    vi.setSystemTime(Date.now() + 2000);
    const refused = await search(10, ip);
    expect([refused.statusCode, refused.json().error]).toEqual([
      429,
      { code: "too_many_requests", message: MESSAGE },
    ]);
    expect(refused.headers["retry-after"]).toBe("4");
    vi.setSystemTime(Date.now() + 4000);
    expect((await search(11, ip)).statusCode).toBe(200);
    expect((await search(12, ip)).statusCode).toBe(429);
  });

  it("counts by account across addresses, and not for admins", async () => {
    await exhaust("198.51.100.12", "user");
    expect((await search(10, "198.51.100.13", "user")).statusCode).toBe(429);
    for (let n = 0; n < 15; n += 1)
      expect((await search(n, "198.51.100.14", "admin")).statusCode).toBe(200);
  });

  it("paces page turns, with or without a filter, but not at human speed", async () => {
    for (const [ip, found] of [
      ["198.51.100.20", { q: "quinn", size: 1 }],
      ["198.51.100.21", { size: 1 }],
    ] as const) {
      const first = (await service.get(query(found), { ip })).json().data;
      const turn = () => service.get(query({ ...found, page: first.next }), { ip });
      for (let n = 0; n < 30; n += 1) expect([n, (await turn()).statusCode]).toEqual([n, 200]);
      const refused = await turn();
      expect([refused.statusCode, refused.json().error.message]).toEqual([429, MESSAGE]);
      expect(refused.headers["retry-after"]).toBe("2");
      for (let n = 0; n < 40; n += 1) {
        vi.setSystemTime(Date.now() + 2000);
        expect([n, (await turn()).statusCode]).toEqual([n, 200]);
      }
      // Turning pages has not used up any searches.
      expect((await search(1, ip)).statusCode).toBe(200);
    }
  });

  it("counts invalid page tokens as page turns", async () => {
    const ip = "198.51.100.22";
    const guess = () => service.get(query({ size: 1, page: "made-up" }), { ip });
    for (let n = 0; n < 30; n += 1) expect([n, (await guess()).statusCode]).toEqual([n, 400]);
    expect((await guess()).statusCode).toBe(429);
  });

  it("counts neither a few page turns as searches, nor browsing without a filter", async () => {
    const ip = "198.51.100.15";
    for (let n = 0; n < 15; n += 1) expect((await service.get(URL, { ip })).statusCode).toBe(200);
    const first = (await service.get(query({ q: "quinn", size: 1 }), { ip })).json().data;
    for (let n = 0; n < 15; n += 1) {
      const reply = await service.get(query({ q: "quinn", size: 1, page: first.next }), { ip });
      expect(reply.statusCode).toBe(200);
    }
    for (let n = 1; n < 10; n += 1) expect((await search(n, ip)).statusCode).toBe(200);
    expect((await search(10, ip)).statusCode).toBe(429);
  });

  it("counts a page of a search that this visitor did not make", async () => {
    const theirs = (
      await service.get(query({ q: "quinn", size: 1 }), { ip: "198.51.100.16" })
    ).json();
    const ip = "198.51.100.17";
    await exhaust(ip);
    const url = query({ q: "quinn", size: 1, page: theirs.data.next });
    expect((await service.get(url, { ip })).statusCode).toBe(429);
  });

  it("counts a visitor once, whether through the site's instance or directly", async () => {
    const site = await service.api.buildApp(1);
    const ip = "198.51.100.19";
    const onSite = (url: string) =>
      site.inject({ url, headers: { "x-forwarded-for": ip }, remoteAddress: "127.0.0.1" });
    const found = (await onSite(query({ q: "quinn", size: 1 }))).json().data;
    const next = query({ q: "quinn", size: 1, page: found.next });
    expect((await service.get(next, { ip })).statusCode).toBe(200);
    for (let n = 0; n < 9; n += 1)
      expect((await (n % 2 ? search(n, ip) : onSite(query({ q: `word${n}` })))).statusCode).toBe(
        200,
      );
    expect((await search(10, ip)).statusCode).toBe(429);
    expect((await onSite(query({ q: "word11" }))).statusCode).toBe(429);
  });
});
