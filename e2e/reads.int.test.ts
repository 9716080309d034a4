import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "#contracts/http/admin-reports.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startSystem } from "./support/in-process.ts";
import { approve, badCheck, chargeback, submit } from "./support/reports.ts";

const system = forFile(() => startSystem());

const data = async (url: string, as?: "admin" | "auditor" | "user") => {
  const reply = await system.read(url, as);
  expect([url, reply.statusCode, reply.headers["x-stale"]]).toEqual([url, 200, undefined]);
  return reply.json().data;
};
const command = async (method: "POST" | "PUT" | "DELETE", url: string, body: object) => {
  const reply = await system.call(method, url, { as: "admin", body });
  expect([url, reply.statusCode]).toEqual([url, 200]);
};

describe("a recent write", () => {
  it("is visible to a read that names its position, through a report's whole life", async () => {
    const id = await submit(system, {
      ...chargeback,
      first_name: "Ottilie",
      last_name: "Quast",
      email: "ottilie.quast@mail-host.example",
      phone: "+1 303 555 0142",
      chargeback_fee: 15,
      chargebacks: [{ amount: 10.01, other_fees: 1, last_4: "9876", notes: "an item's note" }],
    });
    const page = "/prod/api/reports/ottilie-quast";
    const search = (q: string) => `/prod/api/reports/search?q=${encodeURIComponent(q)}`;
    expect((await data(`/prod/api/admin/reports?q=Quast`, "admin")).reports).toMatchObject([
      { id, status: "pending", email: "o***@***", reporter_email: "r***@***" },
    ]);
    expect((await data(search("Ottilie Quast"))).total).toBe(0);
    expect((await system.read(page)).statusCode).toBe(404);

    await approve(system, id);
    for (const q of ["quast ottilie", "Otilie Quast"])
      expect((await data(search(q))).reports).toMatchObject([{ id, seo_title: "ottilie-quast" }]);
    expect((await data(search("ottilie.quast@mail"))).total).toBe(0);
    for (const q of ["ottilie.quast@mail-host.example", "(303) 555-0142"])
      expect((await data(search(q), "user")).reports).toMatchObject([{ id }]);
    expect(await data(page)).toMatchObject({
      phone: "(***) ***-****",
      amount: 412.5,
      chargeback_fee: 15,
      total_due: 438.51,
      chargebacks: [{ amount: 10.01, other_fees: 1, last_4: "9876", total_due: 11.01 }],
    });
    expect((await data("/prod/api/reports/recent"))[0]).toMatchObject({ id });

    await command("PUT", `/prod/api/admin/reports/${id}`, {
      last_name: "Quist",
      amount: 480,
      notes: "a note of moderators",
    });
    const renamed = "/prod/api/reports/ottilie-quist";
    expect(await data(renamed)).toMatchObject({ id, amount: 480, total_due: 506.01 });
    expect((await system.read(page)).statusCode).toBe(410);

    await command("DELETE", `/prod/api/admin/reports/${id}`, { reason_code: "subject_request" });
    expect((await system.read(renamed)).statusCode).toBe(410);
    expect((await data(search("Quist"))).total).toBe(0);
    expect((await system.read(`/prod/admin/reports/${id}`, "admin")).statusCode).toBe(410);

    await command("POST", `/prod/api/admin/reports/${id}/undo-deletion`, {});
    expect(await data(renamed)).toMatchObject({ id, amount: 480, total_due: 506.01 });
    expect((await data(search("Quist"))).total).toBe(1);
  });

  it("appears in the history and the audit log, with who did it and what changed", async () => {
    const id = await submit(system, { ...badCheck, last_name: "Historia" });
    const admin = `/prod/api/admin/reports/${id}`;
    await command("POST", `${admin}/verify`, {});
    await command("PUT", admin, { title: "Another title", check_amount: 99.5, notes: "a note" });
    await command("POST", `${admin}/reject`, { reason: "No evidence" });
    await command("POST", `${admin}/reveal`, {});
    const history = await data(`${admin}/history?at=1`, "auditor");
    expect(
      history.events.map(({ command: name, changes }: HistoryEntry) => [name, changes.slice(-3)]),
    ).toMatchObject([
      [expect.any(String), expect.any(Array)],
      [expect.any(String), [{ field: "verified", from: false, to: true }]],
      [
        expect.any(String),
        [
          { field: "title", from: badCheck.title, to: "Another title" },
          { field: "notes", hidden: true },
          { field: "check_amount", from: 80, to: 99.5 },
        ],
      ],
      [expect.any(String), [{ field: "status", from: "pending", to: "rejected" }]],
    ]);
    expect(history.events[3]).toMatchObject({
      actor: { name: "Dana Ruiz" },
      reason: "No evidence",
    });
    expect(history.reveals).toMatchObject([{ actor: { role: "admin", name: "Dana Ruiz" } }]);
    expect(history.report).toMatchObject({ title: badCheck.title, verified: true, amount: 80 });

    const { logs, total } = await data(`/prod/api/admin/audit-logs?search=${id}`, "auditor");
    expect(total).toBe(5);
    expect(logs[0]).toMatchObject({ user: "Dana Ruiz", role: "admin", status: "success" });
    expect(logs.at(-1)).toMatchObject({ user: "Visitor", ipAddress: "127.0.x.x" });
  });

  it("joins reports about one person by name and identifier, and never by name alone", async () => {
    const person = { ...chargeback, first_name: "Robin", last_name: "Zweig" };
    const first = await submit(system, { ...person, email: "robin@zweig.example" });
    const second = await submit(system, {
      ...person,
      email: "ROBIN@zweig.example",
      last_4: "1111",
    });
    const namesake = await submit(system, { ...person, email: "other@zweig.example" });
    const { possible_matches } = await data(`/prod/api/admin/reports/${first}`, "admin");
    expect(possible_matches).toMatchObject([
      {
        id: second,
        shares: ["email"],
        first_name_differs: { kind: "same" },
        last_name_differs: { kind: "same" },
      },
    ]);
    for (const id of [first, second, namesake]) await approve(system, id);
    const offenders = await data("/prod/api/habitual-offenders");
    expect(offenders).toMatchObject([
      { first_name: "Robin", report_count: 2, total_amount: 825, shares: ["email"] },
    ]);
    const found = (await data("/prod/api/reports/search?q=zweig")).reports as {
      id: string;
      report_count: number;
      is_habitual_offender: boolean;
    }[];
    const flags = found.map((report) => [
      report.id,
      report.report_count,
      report.is_habitual_offender,
    ]);
    expect(flags.sort()).toEqual(
      [
        [first, 2, true],
        [second, 2, true],
        [namesake, 1, false],
      ].sort(),
    );
  });

  it("shows in the account's own profile at once", async () => {
    const { user } = await data("/prod/api/auth/profile", "auditor");
    expect(user).toMatchObject({ first_name: "Dana", last_name: "Ruiz", role: "auditor" });
    expect(user.last_login).toMatch(/^20/);
  });

  it("is in the list and in the profile of the account that sent a report, until the report is deleted", async () => {
    const count = async () => (await data("/prod/api/auth/profile", "user")).user.reports_count;
    const before = await count();
    await submit(system);
    expect(await count()).toBe(before);
    const url = "/prod/api/reports/submit";
    const sent = await system.call("POST", url, { as: "user", body: chargeback });
    expect(await count()).toBe(before + 1);
    const { id } = sent.json().data;
    const own = async () => {
      const { reports } = await data("/prod/api/account/reports", "user");
      expect(JSON.stringify(reports)).not.toContain("a note of moderators");
      return reports;
    };
    expect((await own())[0]).toMatchObject({ id, status: "pending", title: chargeback.title });
    const notes = "a note of moderators";
    await command("PUT", `/prod/api/admin/reports/${id}`, { notes, city: "Boulder" });
    await command("POST", `/prod/api/admin/reports/${id}/reject`, { reason: "No proof" });
    const decided = { status: "rejected", rejection_reason: "No proof" };
    expect((await own())[0]).toMatchObject({ id, ...decided, decided_at: expect.any(String) });
    expect((await data("/prod/api/account/reports", "admin")).reports).toEqual([]);
    await command("DELETE", `/prod/api/admin/reports/${id}`, { reason_code: "spam" });
    expect(await count()).toBe(before);
    expect(await own()).not.toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
  });
});
