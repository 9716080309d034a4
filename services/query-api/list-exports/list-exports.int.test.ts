import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Role } from "#contracts/http/account.ts";
import {
  type ExportAsk,
  exportHeader,
  LIST_EXPORT_COUNT,
  LIST_EXPORT_ROWS,
  X_EXPORT,
  X_EXPORT_TICKET,
} from "#contracts/http/list-exports.ts";
import { forFile } from "#test-kit/for-file.ts";
import {
  type ExportTicket,
  type ListExportSeals,
  listExportSeals,
} from "#vault/links/list-export.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());
let seals: ListExportSeals;
beforeAll(async () => {
  seals = listExportSeals(await service.keys.liveKey("positions"));
});

const count = (ask: ExportAsk, as: Role = "admin") =>
  service.get(LIST_EXPORT_COUNT, { as, headers: { [X_EXPORT]: exportHeader(ask) } });

/** The command side's ticket for a count. */
async function ticketFor(
  ask: ExportAsk,
  format: "csv" | "json",
  as: Role = "admin",
  change: Partial<ExportTicket> = {},
): Promise<string> {
  const { statement } = (await count(ask, as)).json().data;
  const counted = seals.count.open(statement, new Date().toISOString());
  if (!counted) throw new Error("the statement does not open");
  return seals.ticket.seal({ ...counted, exportId: randomUUID(), format, ...change });
}
const rowsFor = (ticket: string, as: Role = "admin") =>
  service.get(LIST_EXPORT_ROWS, { as, headers: { [X_EXPORT_TICKET]: ticket } });
const exported = async (ask: ExportAsk, as: Role = "admin") =>
  (await rowsFor(await ticketFor(ask, "json", as), as)).json();
const inConsole = async (resource: string, filter: object, sort: string) => {
  const query = new URLSearchParams({
    filter: JSON.stringify(filter),
    sort: JSON.stringify([sort, "DESC"]),
    range: "[0,999]",
  });
  return (await service.get(`/prod/admin/${resource}?${query}`, { as: "admin" })).json();
};
/** A word that only one test's rows contain. */
const mark = () => `Q${randomUUID().replaceAll("-", "").slice(0, 10)}`;

describe("an export of reports", () => {
  it("contains what the list shows with its filter, newest first, and nothing else", async () => {
    const last_name = mark();
    const days = ["2026-03-01", "2026-03-03", "2026-03-02"];
    for (const day of days)
      await service.addReport({ last_name, status: "pending", created_at: `${day}T00:00:00.000Z` });
    await service.addReport({ last_name, status: "approved" });
    const filter = { q: last_name, status: "pending" };
    const rows = await exported({ list: "reports", filter });
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(await inConsole("reports", filter, "created_at"));
  });

  it("reads all pages, whether few or all match", async () => {
    const last_name = mark();
    for (let n = 0; n < 520; n += 1) await service.addReport({ last_name });
    for (const filter of [{ q: last_name }, {}] as Record<string, string>[]) {
      const { rows } = (await count({ list: "reports", filter })).json().data;
      const found: { id: string; created_at: string }[] = await exported({
        list: "reports",
        filter,
      });
      expect(found).toHaveLength(rows);
      expect(rows).toBeGreaterThanOrEqual(520);
      expect(new Set(found.map(({ id }) => id)).size).toBe(rows);
      const order = found.map(({ created_at, id }) => `${created_at}${id}`);
      expect(order).toEqual(order.toSorted().toReversed());
    }
  });

  it("omits what is deleted or added after the count", async () => {
    const last_name = mark();
    const ids: string[] = [];
    for (const day of ["01", "02", "03"])
      ids.push(await service.addReport({ last_name, created_at: `2026-04-${day}T00:00:00.000Z` }));
    const ask: ExportAsk = { list: "reports", filter: { q: last_name } };
    const ticket = await ticketFor(ask, "json");
    await service.addReport({ last_name, created_at: "2026-04-04T00:00:00.000Z" });
    await service.db.query("delete from reports.report where id = $1", [ids[2]]);
    const rows: { id: string }[] = (await rowsFor(ticket)).json();
    expect(rows.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    // The event records the maximum number of rows.
    const fewer = (await rowsFor(await ticketFor(ask, "json", "admin", { rows: 1 }))).json();
    expect(fewer).toHaveLength(1);
  });
});

it("exports users as the list shows them, and by a full address that is never logged", async () => {
  const last_name = mark();
  for (const first_name of ["Ann", "Bob"]) await service.addUser({ first_name, last_name });
  const rows = await exported({ list: "users", filter: { search: last_name, status: "all" } });
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(await inConsole("users", { search: last_name }, "created_at"));
  const address = `${mark()}@canary.example`;
  const asked = await count({ list: "users", filter: { search: address } });
  expect(asked.json().data.rows).toBe(0);
  expect(service.logged.join("")).not.toContain("canary.example");
});

describe("an export of the audit log", () => {
  const entries = async (command: string, number: number) => {
    const report = await service.addReport();
    const event = { type: "ReportVerifiedByHand", data: {} } as const;
    const happened = { event, role: "admin", command } as const;
    const stored = await service.append(`report-${report}`, Array(number).fill(happened));
    for (const each of stored) await service.addEntry(each);
  };

  it("matches the list, for auditors too, with each filter", async () => {
    await entries("VerifyReport", 3);
    await entries("ClaimReport", 2);
    for (const filter of [{}, { action: "ClaimReport" }, { search: "verif" }, { status: "all" }]) {
      const ask: ExportAsk = { list: "audit", filter: filter as Record<string, string> };
      const rows = await exported(ask, "auditor");
      expect(rows.length).toBeGreaterThanOrEqual(2);
      expect(rows).toEqual(await inConsole("audit-logs", filter, "timestamp"));
    }
  });

  it("reads all pages", async () => {
    await entries("ResendVerification", 505);
    for (const filter of [{ action: "ResendVerification" }, {}] as Record<string, string>[]) {
      const { rows } = (await count({ list: "audit", filter })).json().data;
      const found: { id: string }[] = await exported({ list: "audit", filter });
      expect(new Set(found.map(({ id }) => id)).size).toBe(rows);
      expect(rows).toBeGreaterThanOrEqual(505);
    }
  });
});

describe("a list export", () => {
  const codeOf = (reply: { statusCode: number; json(): { error: { code: string } } }) => [
    reply.statusCode,
    reply.json().error.code,
  ];

  it("counts nothing that the caller may not see, or with an unknown filter", async () => {
    expect(codeOf(await count({ list: "reports", filter: {} }, "auditor"))).toEqual([
      403,
      "forbidden",
    ]);
    expect(codeOf(await count({ list: "users", filter: {} }, "user"))).toEqual([403, "forbidden"]);
    for (const ask of [
      { list: "reports", filter: { owner: "x" } },
      { list: "users", filter: { status: "gone" } },
      { list: "sessions", filter: {} },
      { list: "users" },
    ])
      expect(codeOf(await count(ask as unknown as ExportAsk))).toEqual([400, "invalid_request"]);
    for (const header of ["", "%", "{}", "x".repeat(9000)]) {
      const reply = await service.get(LIST_EXPORT_COUNT, {
        as: "admin",
        headers: { [X_EXPORT]: header },
      });
      expect(codeOf(reply)).toEqual([400, "invalid_request"]);
    }
  });

  it("returns no rows for another account's ticket, an expired one, a count, or none", async () => {
    const ask: ExportAsk = { list: "audit", filter: {} };
    const past = new Date(Date.now() - 1000).toISOString();
    const { statement } = (await count(ask)).json().data;
    for (const ticket of [
      await ticketFor(ask, "json", "auditor"),
      await ticketFor(ask, "json", "admin", { expiresAt: past }),
      statement,
      "",
    ])
      expect(codeOf(await rowsFor(ticket))).toEqual([400, "invalid_request"]);
    const taken = await ticketFor(ask, "json", "admin", { accountId: service.accounts.auditor });
    expect((await rowsFor(taken, "auditor")).statusCode).toBe(200);
    // The caller's current role counts.
    const users = { list: "users", accountId: service.accounts.auditor };
    const demoted = await ticketFor(ask, "json", "admin", users);
    expect(codeOf(await rowsFor(demoted, "auditor"))).toEqual([403, "forbidden"]);
  });
});

it("counts the analytics for the log, and has no rows for them", async () => {
  const ask: ExportAsk = { list: "analytics", filter: { period: "7days" } };
  expect((await count(ask)).json().data.rows).toBeGreaterThanOrEqual(7);
  expect((await rowsFor(await ticketFor(ask, "csv"))).statusCode).toBe(400);
});
