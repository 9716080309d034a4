import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { EXPORTED } from "#contracts/http/account-export.ts";
import { forFile } from "#test-kit/for-file.ts";
import { exportPlaces } from "#vault/links/list-export.ts";
import { systemCaller } from "../kernel/envelope.ts";
import {
  badCheck,
  chargeback,
  PASSWORD,
  refusal,
  registration,
  startCommandApi,
} from "../testing/command-api.fixture.ts";
import { admin, eraseReporter, SUBMIT } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

const EXPORT = "/prod/api/auth/export";

async function member(lastName = "Bo") {
  const added = await fixture.addAccount({ lastName });
  return { ...added, ...(await signIn(added.email)) };
}
async function signIn(email: string, agent = "Mozilla/5.0 (X11; Linux) Firefox/140.0") {
  const reply = await fixture.api.app.inject({
    method: "POST",
    url: "/prod/api/auth/login",
    headers: { "user-agent": agent },
    payload: { email, password: PASSWORD },
  });
  return { token: reply.json().data.token as string };
}
const send = (url: string, token: string, payload: object = {}) =>
  fixture.call("POST", url, { body: payload, token });
async function submit(token: string, body: object = chargeback): Promise<string> {
  const sent = await send(SUBMIT, token, body);
  expect(sent.statusCode, sent.body).toBe(200);
  return sent.json().data.id;
}
async function exported(token: string) {
  const reply = await send(EXPORT, token);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data;
}
const typesOf = (id: string) => fixture.types(streams.user(id));
const decide = (id: string, command: string, body: object = {}) =>
  fixture.call("POST", admin(id, `/${command}`), { as: "admin", body });

describe("exporting one's own data", () => {
  it("includes the profile, preferences, sessions and history of an account without reports", async () => {
    const ann = await member();
    const { about, history, sessions, claims, inquiries, reports, next } = await exported(
      ann.token,
    );
    expect([claims, inquiries, reports, next]).toEqual([[], [], [], null]);
    expect(about.former_emails).toEqual([]);
    expect(about.account).toMatchObject({
      id: ann.id,
      email: ann.email,
      first_name: "Ann",
      last_name: "Bo",
      role: "user",
      confirmed: true,
      two_factor: false,
      preferences: { decisions: true, same_person: false, weekly_summary: false },
    });
    expect(sessions).toMatchObject([
      { current: true, uses: [{ device: "Firefox on Linux", ip: "127.0.0.1" }] },
    ]);
    expect(history.map(({ event }: { event: string }) => event)).toEqual([
      "AccountAdded",
      "AccountDataExported",
    ]);
    // The operator added it; only the account's own actions show a place.
    expect(history[0]).not.toHaveProperty("ip");
    expect(history[1]).toMatchObject({ ip: "127.0.0.1" });
  });

  it("shows who caused each event: the account, someone using its address, staff or the registry", async () => {
    const ann = await member();
    const url = `/prod/api/admin/users/${ann.id}`;
    const edited = await fixture.call("PUT", url, { as: "admin", body: { first_name: "Anna" } });
    expect(edited.statusCode, edited.body).toBe(200);
    const caller = systemCaller(new Date().toISOString());
    const visitor = { ...caller, actor: { id: "visitor", role: "visitor" } } as const;
    fixture.api.passwords.requestReset(ann.email, [], visitor, async () => undefined);
    await fixture.api.background.finish();
    const { history } = await exported(ann.token);
    expect(history.map(({ event, by }: Record<string, string>) => [event, by])).toEqual([
      ["AccountAdded", "system"],
      ["ProfileEdited", "staff"],
      ["PasswordResetRequested", "anybody"],
      ["AccountDataExported", "you"],
    ]);
    expect(JSON.stringify(history[1])).not.toContain("127.0.0.1");
  });

  it("includes each report as submitted, with its outcome", async () => {
    const ann = await member();
    const approved = await submit(ann.token, { ...chargeback, notes: "As submitted" });
    const rejected = await submit(ann.token, badCheck);
    await decide(approved, "verify");
    await fixture.call("PUT", admin(approved), { as: "admin", body: { notes: "As edited" } });
    expect((await decide(approved, "note", { note: "As edited" })).statusCode).toBe(200);
    expect((await decide(approved, "approve")).statusCode).toBe(200);
    await decide(rejected, "verify");
    expect((await decide(rejected, "reject", { reason: "No proof" })).statusCode).toBe(200);
    const { reports } = await exported(ann.token);
    const of = (id: string) => reports.find((report: { id: string }) => report.id === id);
    expect(reports).toHaveLength(2);
    expect(of(approved)).toMatchObject({
      status: "approved",
      verified: true,
      decisions: [{ status: "approved" }],
      report: {
        first_name: "Quinn",
        email: "quinn@example.net",
        reporter_email: "rae@shop.example",
        notes: "As submitted",
        amount: 412.5,
      },
    });
    expect(of(rejected)).toMatchObject({
      status: "rejected",
      rejection_reason: "No proof",
      report: { bank_name: "First Example Bank" },
    });
    expect(JSON.stringify(reports)).not.toContain("As edited");
  });

  it("includes no content of a deleted report, and nothing of one whose reporter was erased", async () => {
    const ann = await member();
    const [deleted, erased] = [await submit(ann.token), await submit(ann.token)];
    const removed = await fixture.call("DELETE", admin(deleted), {
      as: "admin",
      body: { reason_code: "spam" },
    });
    expect(removed.statusCode).toBe(200);
    await eraseReporter(fixture, erased);
    const { reports } = await exported(ann.token);
    expect(reports).toMatchObject([{ id: deleted, status: "deleted" }]);
    expect(JSON.stringify(reports)).not.toMatch(/Quinn|Ames|rae@shop/);
  });

  it("never includes another account's data", async () => {
    const bea = await member("Canary-of-Bea");
    const theirs = await submit(bea.token, { ...chargeback, last_name: "Canary-of-Beas-report" });
    const ann = await member();
    const own = await submit(ann.token);
    const before = await exported(ann.token);
    expect(before.reports.map(({ id }: { id: string }) => id)).toEqual([own]);
    expect(JSON.stringify(before)).not.toMatch(
      new RegExp(`Canary|${bea.id}|${theirs}|${bea.email}`),
    );
  });

  it("includes nothing from before a confirmation that dropped everything, whatever a crash left behind", async () => {
    const email = `${randomUUID()}@shop.example`;
    const registered = await fixture.call("POST", "/prod/api/auth/register", {
      body: registration(email, { first_name: "Canary-Eve" }),
    });
    const { token, user } = registered.json().data;
    const report = await submit(token, { ...chargeback, last_name: "Canary-Ames" });
    const link = await fixture.linkOf(streams.user(user.id), "confirm-account");
    const body = { start_over: true };
    const confirmed = await fixture.call("POST", `/prod/api/verify-email/${link}`, { body });
    const set = { token: confirmed.json().data.reset_token, password: PASSWORD };
    const reset = await fixture.call("POST", "/prod/api/auth/reset-password", {
      body: { ...set, confirmPassword: PASSWORD },
    });
    expect(reset.statusCode, reset.body).toBe(200);
    // As if the process had died before the report was disowned.
    await fixture.db.query("update keys.subject_key set owner = $1 where subject = $2", [
      user.id,
      `reporter-${report}`,
    ]);
    const data = await exported((await signIn(email)).token);
    expect(data.reports).toEqual([]);
    // The person who opened the link.
    expect(data.history[0]).toMatchObject({ event: "EmailConfirmed", by: "you" });
    expect(data.sessions).toHaveLength(1);
    expect(data.sessions).toMatchObject([{ current: true }]);
    expect(JSON.stringify(data)).not.toContain("Canary");
  });

  it("continues page by page, for its account only and for an hour", async () => {
    const [ann, bea] = [await member(), await member()];
    const ids: string[] = [];
    for (let n = 0; n < EXPORTED.reports + 2; n += 1) ids.push(await submit(ann.token));
    const first = await exported(ann.token);
    expect(first.reports).toHaveLength(EXPORTED.reports);
    const second = await send(EXPORT, ann.token, { next: first.next });
    expect(second.json().data).toMatchObject({ next: null });
    expect(second.json().data).not.toHaveProperty("about");
    const all = [...first.reports, ...second.json().data.reports].map(({ id }) => id);
    expect(all.sort()).toEqual(ids.sort());
    // One event for the whole export.
    expect((await typesOf(ann.id)).filter((type) => type === "AccountDataExported")).toHaveLength(
      1,
    );
    const places = exportPlaces(await fixture.api.keys.liveKey("positions"));
    const place = { accountId: ann.id, part: "reports", after: ids[0] as string };
    const late = places.seal({ ...place, expiresAt: new Date(Date.now() - 1).toISOString() });
    for (const [token, next] of [
      [bea.token, first.next],
      [ann.token, late],
      [ann.token, `${first.next.slice(0, -4)}AAAA`],
      // Another kind of token from the same export.
      [ann.token, first.files],
    ]) {
      const refused = await send(EXPORT, token, { next });
      expect(refusal(refused)).toEqual([400, "link_invalid"]);
    }
  }, 60_000);

  it("ends a page of long reports early, without losing any", async () => {
    const ann = await member();
    const long = { ...chargeback, description: "é".repeat(10_000), notes: "n".repeat(10_000) };
    const item = {
      order_id: "1",
      amount: 1,
      date: "2026-05-02",
      last_4: "4242",
      notes: "m".repeat(3000),
    };
    const chargebacks = Array.from({ length: 40 }, () => item);
    for (let n = 0; n < 9; n += 1) await submit(ann.token, { ...long, chargebacks });
    const first = await exported(ann.token);
    expect(first.reports.length).toBeLessThan(9);
    const second = await send(EXPORT, ann.token, { next: first.next });
    expect(first.reports.length + second.json().data.reports.length).toBe(9);
  }, 60_000);

  it("requires a recently entered password, and returns nothing before it is logged", async () => {
    const ann = await member();
    await fixture.db.query(
      "update command.session set proved_at = now() - interval '16 minutes' where account_id = $1",
      [ann.id],
    );
    const refused = await send(EXPORT, ann.token);
    expect(refusal(refused)).toEqual([403, "proof_required"]);
    expect(await typesOf(ann.id)).not.toContain("AccountDataExported");
    await send("/prod/api/auth/prove", ann.token, { password: PASSWORD });
    const { history } = await exported(ann.token);
    expect(history.at(-1)).toMatchObject({ event: "AccountDataExported" });
  });

  it("is limited to five a day", async () => {
    const limited = await startCommandApi({ limits: "on" });
    onTestFinished(() => limited.close());
    const ask = () => limited.call("POST", EXPORT, { as: "user", body: {} });
    for (let n = 0; n < 5; n += 1) expect((await ask()).statusCode).toBe(200);
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3600);
  });
});
