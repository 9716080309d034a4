import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { startSystem } from "./support/in-process.ts";
import { approve, chargeback, submit } from "./support/reports.ts";

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
});
