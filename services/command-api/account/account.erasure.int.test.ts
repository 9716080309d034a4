import { describe, expect, it, onTestFinished, vi } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { chargeback, PASSWORD, startCommandApi } from "../testing/command-api.fixture.ts";

const fixture = forFile(() => startCommandApi());

const system = () => systemCaller(new Date().toISOString());
const login = (email: string) =>
  fixture.call("POST", "/prod/api/auth/login", { body: { email, password: PASSWORD } });

const member = async (email: string) => (await fixture.addAccount({ email })).id;

async function submitAs(token: string): Promise<string> {
  const answer = await fixture.call("POST", "/prod/api/reports/submit", {
    body: chargeback,
    token,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data.id;
}

const types = (stream: string) => fixture.types(stream);
const stateOf = (subject: string) => fixture.keyState(subject);

async function tablesWith(id: string): Promise<string[]> {
  const { rows } = await fixture.db.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'command'",
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const text = `select 1 from command.${name} t where t::text like '%' || $1 || '%'`;
    if ((await fixture.db.query(text, [id])).rowCount) found.push(name);
  }
  return found;
}

describe("erasing an account", () => {
  it("leaves its reports without a reporter, and removes keys, credentials and sessions", async () => {
    const email = "ann@shop.example";
    const id = await member(email);
    const { token, refreshToken } = (await login(email)).json().data;
    const [kept, gone] = [await submitAs(token), await submitAs(token)];
    await fixture.call("DELETE", `/prod/api/admin/reports/${gone}`, { as: "admin" });
    expect(await tablesWith(id)).not.toEqual([]);

    expect(await fixture.api.accountEraser.erase(id, system())).toBe(2);
    expect((await types(`user-${id}`)).at(-1)).toBe("AccountErased");
    expect(await types(`report-${kept}`)).toEqual(["ReportSubmitted", "ReporterErased"]);
    // Its deletion can still be undone.
    expect((await types(`report-${gone}`)).at(-1)).toBe("ReporterErased");
    expect(await stateOf(subjects.account(id))).toBe("destroyed");
    expect(await stateOf(subjects.reporter(kept))).toBe("destroyed");
    expect(await stateOf(subjects.personal(kept))).toBe("present");
    expect(await tablesWith(id)).toEqual([]);
    expect((await login(email)).statusCode).toBe(401);
    const refresh = { body: { refreshToken } };
    expect((await fixture.call("POST", "/prod/api/auth/refresh", refresh)).statusCode).toBe(401);
    // The address is available again, for an account unrelated to the erased one.
    expect(await member(email)).not.toBe(id);
    expect(await fixture.api.accountEraser.erase(id, system())).toBe(2);
    expect((await types(`user-${id}`)).filter((type) => type === "AccountErased")).toHaveLength(1);
    expect((await login(email)).statusCode).toBe(200);
  });

  it("erases the reporter of a report that is being submitted concurrently", async () => {
    const id = await member("gus@shop.example");
    const { token } = (await login("gus@shop.example")).json().data;
    const { store } = fixture.api;
    const append = store.append.bind(store);
    const [held, erased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const spy = vi.spyOn(store, "append").mockImplementation(async (stream, ...rest) => {
      if (stream.startsWith("report-")) {
        held.resolve();
        await erased.promise;
      }
      return append(stream, ...rest);
    });
    onTestFinished(() => spy.mockRestore());
    const submitted = submitAs(token);
    // The report's keys exist but its stream does not, so its reporter is not known yet.
    await held.promise;
    expect(await fixture.api.accountEraser.erase(id, system())).toBe(0);
    erased.resolve();
    const report = await submitted;
    expect(await types(`report-${report}`)).toEqual(["ReportSubmitted", "ReporterErased"]);
    expect(await stateOf(subjects.reporter(report))).toBe("destroyed");
    expect(await stateOf(subjects.personal(report))).toBe("present");
  });

  it("is completed by the next process if one crashed after the event", async () => {
    const email = "bea@shop.example";
    const id = await member(email);
    const report = await submitAs((await login(email)).json().data.token);
    await fixture.db.query("create table kept_account as select * from command.account");
    await fixture.api.accountEraser.erase(id, system());
    // Like a database restored from before the erasure, with a log that contains it.
    await fixture.db.query("insert into command.account select * from kept_account where id = $1", [
      id,
    ]);
    const next = await fixture.another();
    await next.start();
    await expect.poll(() => tablesWith(id)).toEqual([]);
    expect(await stateOf(subjects.reporter(report))).toBe("destroyed");
  });

  it("refuses staff and unknown accounts, and changes nothing", async () => {
    const erase = (id: string) => fixture.api.accountEraser.erase(id, system());
    for (const role of ["admin", "auditor"] as const) {
      const email = role === "admin" ? "dana@registry.example" : `${role}@registry.example`;
      const id = (await fixture.api.accounts.idOf(email)) ?? "";
      await expect(erase(id)).rejects.toMatchObject({ code: "staff_account" });
      expect(await types(`user-${id}`)).not.toContain("AccountErased");
      expect((await login(email)).statusCode).toBe(200);
    }
    const nobody = "00000000-0000-4000-8000-000000000000";
    await expect(erase(nobody)).rejects.toMatchObject({ code: "account_not_found" });
    expect(await stateOf(subjects.account(nobody))).toBe("missing");
  });
});
