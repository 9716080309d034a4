import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { Compile } from "typebox/compile";
import { beforeAll, describe, expect, it } from "vitest";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import { ErrorReply } from "#contracts/http/envelope.ts";
import {
  exportHeader,
  LIST_EXPORT_COUNT,
  LIST_EXPORT_ROWS,
  X_EXPORT,
  X_EXPORT_TICKET,
} from "#contracts/http/list-exports.ts";
import { type Audience, visibility } from "#contracts/report/derive/visibility.ts";
import { maskAccount, maskEmail, maskPhone } from "#contracts/report/masks.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { ROLES } from "#http/actor.ts";
import type { RouteInfo } from "#http/route-policy.ts";
import { CANARIES, CANARY_FIELDS, ITEM_CANARIES } from "#test-kit/canaries.ts";
import { forFile } from "#test-kit/for-file.ts";
import { type ListExportSeals, listExportSeals } from "#vault/links/list-export.ts";
import { canarySubmission } from "./testing/canary-report.ts";
import { addContentItem, contentIdIn, contentText } from "./testing/content-item.ts";
import { at, type Caller, startQueryApi } from "./testing/query-api.fixture.ts";
import { searchDocument } from "./testing/search-document.ts";

const service = forFile(() => startQueryApi());
let seals: ListExportSeals;
/** Precedes all reports. */
const NEWEST = "2999-01-01T00:00:00.000Z~ffffffff-ffff-4fff-8fff-ffffffffffff";
/** One public report of each type, and a pending one. */
const reports = { approved: "", badCheck: "", pending: "" };
let auditedEvent: string;
/** A published page with its first event. */
let contentItem: string;
const templateId = randomUUID();
/** A published picture of the approved report. */
const picture = randomUUID();
/** The account that submitted the reports; not one of the callers. */
const OWNER = randomUUID();

/** Appends a report to the log and adds it to the tables and the index, as the projections would. */
async function addCanary(type: ReportType, slug: string, approved: boolean): Promise<string> {
  const id = randomUUID();
  const submitted = canarySubmission(type) as Extract<ReportEvent, { type: "ReportSubmitted" }>;
  const events = await service.append(streams.report(id), [
    { command: "SubmitReport", role: "visitor", event: submitted },
    ...(approved
      ? [
          {
            command: "ApproveReport",
            role: "admin" as const,
            event: { type: "ReportApproved", data: { from: "pending", verified: true } } as const,
          },
        ]
      : []),
  ]);
  for (const event of events) await service.addEntry(event);
  auditedEvent = events[0]?.id ?? "";
  const wire = toWire(evolveReport(undefined, submitted));
  await service.addReport({
    id,
    slug,
    status: approved ? "approved" : "pending",
    report_type: type,
    first_name: wire.first_name,
    last_name: wire.last_name,
    title: wire.title,
    description: wire.description,
    city: wire.city,
    email_mask: maskEmail(CANARIES.email),
    phone_mask: maskPhone(CANARIES.phone),
    bank_name: wire.bank_name ?? null,
    bank_account_mask: wire.bank_account ? maskAccount(wire.bank_account) : null,
    tracking_number: wire.tracking_number,
    public_username: wire.public_username,
    reporter_email_mask: maskEmail(CANARIES.reporter_email),
    owner_id: OWNER,
    owned_since: at(1),
    chargebacks: JSON.stringify([{ amount_cents: 1000, total_due_cents: 1050, last_4: "9876" }]),
  });
  if (approved)
    await service.index.apply(
      [
        {
          op: "upsert",
          position: at(50),
          document: searchDocument(id, {
            first_name: CANARIES.first_name,
            last_name: CANARIES.last_name,
            title: CANARIES.title,
            description: CANARIES.description,
            city: CANARIES.city,
            reasons: [],
          }),
        },
      ],
      at(50),
    );
  return id;
}

beforeAll(async () => {
  seals = listExportSeals(await service.keys.liveKey("positions"));
  await service.moveTo(60);
  reports.pending = await addCanary("chargeback", "waiting-one", false);
  reports.approved = await addCanary("chargeback", "approved-one", true);
  reports.badCheck = await addCanary("bad_check", "approved-two", true);
  await service.addPerson([reports.approved, reports.badCheck]);
  const bytes = (async function* () {
    yield Buffer.from("a picture");
  })();
  await service.files.put(picture, bytes, 100);
  const copy = { copy_id: picture, file_id: picture, kind: "evidence", width: 8, height: 8 };
  await service.db.query("update reports.report set copies = $2 where id = $1", [
    reports.approved,
    JSON.stringify([{ ...copy, bytes: 9, published_at: "2026-11-23T10:00:00.000Z" }]),
  ]);
  for (const kind of ["blog", "page"] as const)
    await addContentItem(service, kind, "terms-of-use", "published");
  const template = { name: "Own", subject: "Own subject", body: "Own words" };
  await service.append(streams.template("approved"), [
    {
      event: { type: "TemplateCreated", data: { template_id: templateId, template } },
      role: "admin",
      command: "CreateTemplate",
    },
  ]);
  contentItem = await contentIdIn(service, "page", "terms-of-use");
  const content = contentText("terms-of-use");
  await service.append(streams.content(contentItem), [
    {
      event: { type: "ContentCreated", data: { kind: "page", content } },
      role: "admin",
      command: "CreateContent",
    },
  ]);
});

const INQUIRY_ID = "1a9c1e5a-0000-4000-8000-000000000000";
const NOTICE_ID = "1a9c1e5b-0000-4000-8000-000000000000";
const JOB_ID = randomUUID();
beforeAll(async () => {
  await service.db.query(
    `insert into command.job (id, kind, account_id, state, body_mac)
     values ($1, 'log_check', $2, 'running', '')`,
    [JOB_ID, service.accounts.admin],
  );
  await service.db.query(
    `insert into inquiries.inquiry values ($1, 'enterprise', 'new', 0, 'x***@***', false, 0, 0, now(), now(), null)`,
    [INQUIRY_ID],
  );
  await service.db.query(
    `insert into inquiries.notice values
       ($1, 'takedown', 'new', 0, 'x***@***', false, 0, now(), null, now(), null, '[]', null)`,
    [NOTICE_ID],
  );
});

/** Headers for exporting a list that the caller may see: all reports, or the audit log. */
function headersFor(url: string, role: Caller): Record<string, string> {
  const [list, first] =
    role === "admin" ? (["reports", NEWEST] as const) : (["audit", at(1e6)] as const);
  if (url === LIST_EXPORT_COUNT) return { [X_EXPORT]: exportHeader({ list, filter: {} }) };
  if (url !== LIST_EXPORT_ROWS) return {};
  const accountId = role === "visitor" ? "visitor" : service.accounts[role];
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const counted = { accountId, list, filter: {}, rows: 1000, first, expiresAt };
  const ticket = seals.ticket.seal({ ...counted, exportId: randomUUID(), format: "csv" });
  return { [X_EXPORT_TICKET]: ticket };
}

/** Requests to a route that must succeed for every permitted caller. */
function goodRequests({ url }: RouteInfo): string[] {
  if (url.includes("audit-logs/:id")) return [url.replace(":id", auditedEvent)];
  if (url.includes(":copyId"))
    return [url.replace(":id", reports.approved).replace(":copyId", picture)];
  if (url.includes("/inquiries/:id")) return [url.replace(":id", INQUIRY_ID)];
  if (url.includes("/notices/:id")) return [url.replace(":id", NOTICE_ID)];
  if (url.includes("/jobs/:id")) return [url.replace(":id", JOB_ID)];
  if (url.includes("/admin/users/:id")) return [url.replace(":id", service.accounts.user)];
  if (url.includes("/admin/content/"))
    return [url.replace(":id", contentItem).replace(":revision", "0")];
  if (url.includes("/admin/templates/") && url.includes(":revision"))
    return [url.replace(":kind", "approved").replace(":id", templateId).replace(":revision", "0")];
  if (url.includes("/admin/templates/:kind"))
    return [url.replace(":kind", "approved").replace(":id", "shipped")];
  if (/(?:posts|pages)\/:slug/.test(url)) return [url.replace(":slug", "terms-of-use")];
  if (url.includes(":id")) {
    const paths = Object.values(reports).map((id) => url.replace(":id", id));
    return url.endsWith("/history") ? paths.flatMap((path) => [path, `${path}?at=0`]) : paths;
  }
  if (url.includes(":seoTitle"))
    return ["approved-one", "approved-two"].map((slug) => url.replace(":seoTitle", slug));
  if (url.includes(":slug")) return [url.replace(":slug", "terms")];
  if (url.includes(":token")) return [url.replace(":token", "x")];
  if (url.endsWith("/same-order")) return [`${url}?order=WB-1042`];
  if (url.endsWith("/search"))
    return [url, `${url}?q=${CANARIES.first_name}`, `${url}?q=${CANARIES.email}`];
  return [url];
}

const apiRoutes = () => service.api.app.routeTable.filter(({ url }) => url.startsWith("/prod/"));

/** Routes that return data; the others redirect to a page or return a picture. */
const answering = () => apiRoutes().filter(({ url }) => !/\/unsubscribe\/|:copyId/.test(url));

describe("every route", () => {
  it("serves the permitted roles and refuses the others", async () => {
    for (const route of apiRoutes())
      for (const role of ROLES) {
        const [url = ""] = goodRequests(route);
        const { statusCode } = await service.get(url, { as: role, headers: headersFor(url, role) });
        const refusal = role === "visitor" ? 401 : 403;
        const served = url.includes("/unsubscribe/") ? 303 : 200;
        const expected = route.roles.includes(role) ? served : refusal;
        expect([route.url, role, statusCode]).toEqual([route.url, role, expected]);
      }
    // Each refusal of an account writes a row that command-api turns into `CallRefused`.
    for (const role of ["user", "auditor"] as const) {
      const { rows } = await service.db.query<{ route: string }>(
        "select route from ops.observed where account_id = $1 and code = 'forbidden'",
        [service.accounts[role]],
      );
      const refused = apiRoutes().filter(({ roles }) => !roles.includes(role));
      expect(rows.map(({ route }) => route).sort()).toEqual(refused.map(({ url }) => url).sort());
    }
  });

  it("answers an invalid, expired or foreign token with 401, and logs none of it", async () => {
    for (const route of apiRoutes()) {
      const [url = ""] = goodRequests(route);
      for (const authorization of ["Bearer x", "Bearer a.b.c", "Basic YTpi", ""]) {
        const reply = await service.get(url, { headers: { authorization } });
        expect([route.url, authorization, reply.statusCode]).toEqual([
          route.url,
          authorization,
          401,
        ]);
        expect(reply.headers["cache-control"]).toBe("no-store");
      }
    }
  });
});

describe("hidden data", () => {
  const audiences: Readonly<Record<Caller, Audience>> = {
    visitor: "public",
    user: "public",
    auditor: "auditor",
    admin: "moderator",
  };

  it.each(ROLES)("is in no reply to a %s, on any route", async (role) => {
    const kept = CANARY_FIELDS.filter((field) => visibility[field][audiences[role]] !== "clear");
    expect(kept.length).toBeGreaterThan(10);
    let read = 0;
    for (const route of answering().filter(({ roles }) => roles.includes(role)))
      for (const url of goodRequests(route)) {
        const headers = headersFor(url, role);
        const { body, statusCode } = await service.get(url, { as: role, headers });
        // Searching by email requires an account.
        const isRefused = role === "visitor" && url.includes(CANARIES.email);
        expect([url, statusCode]).toEqual([url, isRefused ? 403 : 200]);
        read += body.includes(CANARIES.last_name) ? 1 : 0;
        for (const field of kept) expect([url, field, body]).not.toSatisfy(holds(CANARIES[field]));
        for (const value of Object.values(ITEM_CANARIES)) expect(body).not.toContain(value);
        expect(body).not.toContain("203.0.113.77");
        expect(body).not.toContain(OWNER);
      }
    expect(read).toBeGreaterThan(3);
  });

  it.each(["visitor", "user"] as const)(
    "includes all of a pending report for a %s",
    async (role) => {
      for (const route of answering().filter(({ roles }) => roles.includes(role)))
        for (const url of goodRequests(route)) {
          const { body } = await service.get(url, { as: role });
          expect(body).not.toContain(reports.pending);
          expect(body).not.toContain("waiting-one");
        }
    },
  );

  it("is not in the log either, nor is any other personal data or address", async () => {
    await service.get(`/prod/api/reports/search?q=${CANARIES.email}`);
    await service.get(`/prod/api/reports/${CANARIES.last_name}`);
    const log = service.logged.join("");
    expect(log).toContain("/prod/api/reports/search");
    for (const value of [...Object.values(CANARIES), "203.0.113.77", "198.51.100.1"])
      expect(log).not.toContain(value);
  });
});

/** Whether a value occurs; asserting on the text itself would print the whole reply. */
const holds =
  (value: string) =>
  ([, , body]: [string, string, string]) =>
    body.includes(value);

describe("any query string", () => {
  const isError = Compile(ErrorReply);
  const NAMES = [
    ...["q", "state", "min", "max", "reason", "sort", "page", "size", "limit", "admin_view"],
    ...["status", "verified", "report_type", "order", "search", "action", "range", "filter", "at"],
    ...["place", "_cb", "emergency_approve", "report_id", "__proto__", "constructor", "id", "a[b]"],
  ];
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("\0", "'; drop table reports.report; --", "<script>", "%", "_", "\\", "‮"),
  );
  const value = fc.oneof(
    { weight: 3, arbitrary: text },
    fc.integer().map(String),
    fc.double().map(String),
    fc.json(),
    fc.uuid(),
    fc.constantFrom("true", "false", "asc", "ASC", "newest", "all", "pending", "Fraud", "[0,9]"),
    fc.constantFrom(
      'after~["reports created_at","0000-01-01T00:00:00.000Z","7f3a9c21-b0aa-4111-8111-111111111111"]',
    ),
    fc.constantFrom('["id","ASC"]', '{"id":[]}', '{"status":"pending"}', '{"__proto__":1}'),
  );
  const encoded = (raw: string) => encodeURIComponent(raw.toWellFormed());
  const pair = fc
    .tuple(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NAMES) }, text), value)
    .map(([name, given]) => `${encoded(name)}=${encoded(given)}`);
  const raw = fc.stringMatching(/^[!$%&'()*+,./0-9:;=?@A-Za-z[\]_~-]{0,40}$/);
  const query = fc.oneof(
    { weight: 4, arbitrary: fc.array(pair, { maxLength: 5 }).map((pairs) => pairs.join("&")) },
    raw,
  );
  const segment = fc.oneof(
    fc.constantFrom(...["approved-one", "recent", "..", "%2e%2e", "%00", "%ff", "a".repeat(600)]),
    fc.uuid(),
    text.map(encoded).filter((part) => part !== "" && part !== "." && part !== ".."),
  );

  it("is answered or rejected in the contract's error format, and never fails", async () => {
    const route = fc.constantFrom(...answering().map(({ url }) => url));
    await fc.assert(
      fc.asyncProperty(
        route,
        query,
        segment,
        fc.option(text),
        async (to, search, part, position) => {
          const url = `${to.replace(/:\w+/, part)}?${search}`;
          const headers: Record<string, string> =
            position === null ? {} : { "x-min-position": position.replace(/[^\x20-\x7e]/g, "") };
          const reply = await service.get(url, { as: "admin", headers });
          expect(reply.statusCode).not.toBe(429);
          expect(reply.statusCode).toBeLessThan(500);
          if (reply.statusCode < 300) return;
          expect(isError.Check(reply.json())).toBe(true);
          for (const sentence of Object.values(reply.json().error.fields ?? {}))
            expect(sentence).not.toBe("");
        },
      ),
      { numRuns: 250 },
    );
  });
});
