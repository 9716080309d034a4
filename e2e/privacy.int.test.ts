import { describe, expect, it } from "vitest";
import { fieldsWhere } from "#contracts/report/derive/fields.ts";
import { CANARIES } from "#test-kit/canaries.ts";
import { forFile } from "#test-kit/for-file.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import {
  badCheckWithCanaries,
  chargebackWithCanaries,
  everything,
  found,
  hiddenCanaries,
  NOTE,
  REASON,
} from "./support/canaries.ts";
import { type Role, startSystem } from "./support/in-process.ts";
import { copyKeys, type KeyCopy, restartProjector, restoreKeys } from "./support/old-keys.ts";
import { eraseReport, submit } from "./support/reports.ts";
import { leaks, mailsIn, rowsOf } from "./support/traces.ts";

const system = forFile(() => startSystem());
let ids: string[];

const rows = () => rowsOf(system.db);
const mails = () => mailsIn(system.mailFolder);

/** All replies of lists and public pages, for each role that may read them. */
async function answers(slugs: readonly string[]): Promise<Map<string, string>> {
  const asked: [string, Role][] = [
    ["/prod/api/reports/recent", "visitor"],
    [`/prod/api/reports/search?q=${CANARIES.first_name}`, "visitor"],
    [`/prod/api/reports/search?q=${CANARIES.email}`, "visitor"],
    [`/prod/api/reports/search?q=${CANARIES.phone.replace(/\D/g, "")}`, "user"],
    ["/prod/api/reports/search?q=zqnotescanary", "visitor"],
    ["/prod/api/habitual-offenders", "visitor"],
    ["/prod/api/reports/recent?admin_view=true", "admin"],
    ["/prod/api/reports/all", "admin"],
    ["/prod/api/admin/reports", "admin"],
    ["/prod/api/admin/queue", "admin"],
    ["/prod/admin/reports", "admin"],
    ["/prod/api/admin/audit-logs?limit=200", "auditor"],
    ["/prod/admin/audit-logs", "admin"],
    ...ids.flatMap((id): [string, Role][] => [
      [`/prod/admin/reports/${id}`, "admin"],
      [`/prod/api/admin/reports/${id}/history?at=0`, "auditor"],
      [`/prod/api/admin/reports/${id}/history?at=2`, "admin"],
    ]),
    ...slugs.map((slug): [string, Role] => [`/prod/api/reports/${slug}`, "visitor"]),
  ];
  const texts = new Map<string, string>();
  for (const [url, as] of asked) {
    const answer = await system.read(url, as);
    expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(500);
    // The caller sent this address itself, so the reply does not leak it.
    texts.set(`${url} as ${as}`, answer.body);
  }
  return texts;
}

describe("a canary in every personal field", () => {
  it("stays hidden through the whole life of both report types", async () => {
    ids = [
      await submit(system, chargebackWithCanaries),
      await submit(system, badCheckWithCanaries),
    ];
    for (const id of ids) {
      const admin = `/prod/api/admin/reports/${id}`;
      const send = async (
        method: "POST" | "PUT",
        url: string,
        body: object,
        as: Role = "admin",
      ) => {
        const answer = await system.call(method, url, { body, as });
        expect(answer.statusCode, answer.body).toBe(200);
      };
      await send(
        "POST",
        `/prod/api/reports/${id}/resend-verification`,
        { email: CANARIES.reporter_email },
        "visitor",
      );
      // A verified report needs no verification email.
      await expect.poll(async () => found(await mails(), everything).length).toBeGreaterThan(0);
      await send("POST", `${admin}/reject`, { reason: REASON });
      await send("PUT", admin, { notes: "Zqnotescanary, again", city: "Zqcitycanary Two" });
      await send("POST", `${admin}/verify`, {});
      await send("POST", `${admin}/approve`, {});
      await send("POST", `${admin}/note`, { note: NOTE });
      await send("POST", `${admin}/reveal`, {});
      await send("POST", `/prod/api/reports/${id}/view`, {}, "visitor");
    }
    const recent = (await system.read("/prod/api/reports/recent")).json().data;
    const slugs = recent.map((report: { seo_title: string }) => report.seo_title);
    expect(slugs).toHaveLength(2);

    const stored = await rows();
    const log = new Map([...stored].filter(([name]) => name.startsWith("event_log")));
    const jobs = new Map(
      [...stored].filter(
        ([name]) =>
          name.startsWith("jobs") || name.startsWith("outbox") || name.startsWith("command"),
      ),
    );
    expect(log.size).toBeGreaterThan(0);
    expect(jobs.size).toBeGreaterThan(3);
    expect(leaks(log, everything)).toEqual([]);
    expect(leaks(jobs, everything)).toEqual([]);
    expect(leaks(stored, hiddenCanaries)).toEqual([]);
    expect(found(system.logged(), everything)).toEqual([]);
    const note = NOTE.toLowerCase();
    expect(leaks(stored, [note])).toEqual([`reports.report: ${note}`]);
    const replies = await answers(slugs);
    expect(leaks(replies, hiddenCanaries)).toEqual([]);
    const records = ids.map((id) => `/prod/admin/reports/${id} as admin: ${note}`);
    expect(leaks(replies, [note])).toEqual(records);
    // Proves that the search for leaks works: public words are found where they belong.
    expect(leaks(stored, ["zqtitlecanary"])).not.toEqual([]);
  }, 60_000);

  it("appears in no table as a short value, except where it is shown", async () => {
    const { rows: report } = await system.db.query(
      "select to_jsonb(r) as row from reports.report r",
    );
    const kept: string[] = fieldsWhere(({ shown }) => shown !== "open");
    expect(kept).toContain("middle_initial");
    for (const { row } of report) {
      const columns = Object.keys(row);
      expect(columns.filter((column) => kept.includes(column))).toEqual([]);
    }
  });

  let oldKeys: KeyCopy = [];

  it("is gone after deletion: rows, indexes, emails, answers, a rebuild", async () => {
    oldKeys = await copyKeys(system.db);
    const recent = (await system.read("/prod/api/reports/recent")).json().data;
    const slugs = recent.map((report: { seo_title: string }) => report.seo_title);
    for (const id of ids) {
      const answer = await system.call("DELETE", `/prod/api/admin/reports/${id}`, {
        body: { reason_code: "subject_request" },
        as: "admin",
      });
      expect(answer.statusCode, answer.body).toBe(200);
      await eraseReport(system, id);
    }
    for (const slug of slugs) {
      expect((await system.read(`/prod/api/reports/${slug}`)).statusCode).toBe(410);
    }
    await expect.poll(async () => found(await mails(), everything)).toEqual([]);
    await expect.poll(async () => leaks(await rows(), everything)).toEqual([]);
    expect(leaks(await answers(slugs), everything)).toEqual([]);

    await system.rebuild();
    expect(leaks(await rows(), everything)).toEqual([]);
    expect(leaks(await answers(slugs), everything)).toEqual([]);
    expect(found(system.logged(), everything)).toEqual([]);
    for (const slug of slugs) {
      expect((await system.read(`/prod/api/reports/${slug}`)).statusCode).toBe(410);
    }
  }, 60_000);

  it("does not come back with an older copy of the keys: the shredder destroys them again", async () => {
    const live = oldKeys.flatMap(({ rows: copied }) => copied).length;
    expect(live).toBeGreaterThan(0);
    await restoreKeys(system.db, oldKeys);
    const keys = await openKeyStore({
      database: system.databaseUrl,
      masterKeys: [system.masterKey],
    });
    const names = ids.flatMap((id) => [`personal-${id}`, `reporter-${id}`]);
    const states = async () => [...(await keys.get(names)).values()].map(({ state }) => state);
    expect(await states()).toEqual(names.map(() => "present"));

    await restartProjector(system);
    expect(await states()).toEqual(names.map(() => "destroyed"));
    await system.rebuild();
    expect(leaks(await rows(), everything)).toEqual([]);
    await keys.close();
  }, 60_000);
});
