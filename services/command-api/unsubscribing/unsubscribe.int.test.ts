import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createUnsubscribeLinks, type UnsubscribeLinks } from "#vault/links/one-time-link.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";

const EMAIL = "rae@shop.example";
const PASSWORD = "Lamp-light-42";
const FORM = "application/x-www-form-urlencoded";

const fixture = forFile(() => startCommandApi());
let links: UnsubscribeLinks;
let account = "";
let report = "";
const now = new Date().toISOString();
beforeAll(async () => {
  const { keys } = fixture.api;
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  links = createUnsubscribeLinks(await keys.liveKey("unsubscribe"), blind);
  report = (await fixture.call("POST", "/prod/api/reports/submit", { body: chargeback })).json()
    .data.id;
  const names = { first_name: "Rae", last_name: "Holt" };
  const body = { ...names, email: EMAIL, password: PASSWORD, confirmPassword: PASSWORD };
  account = (await fixture.call("POST", "/prod/api/auth/register", { body })).json().data.user.id;
});

const post = (token: string, payload: string | object, contentType = "application/json") =>
  fixture.api.app.inject({
    method: "POST",
    url: `/prod/api/unsubscribe/${token}`,
    headers: { "content-type": contentType },
    payload,
  });
async function events(stream: string, type: string) {
  const { rows } = await fixture.db.query(
    "select type, data, metadata from event_log.event where stream = $1 and type = $2 order by revision",
    [stream, type],
  );
  return rows;
}
const ofReport = () => events(streams.report(report), "ReporterNotificationsSet");
const ofAccount = () => events(streams.user(account), "NotificationsSet");
const reporterAddress = async () =>
  (await fixture.api.reports.load(report))?.reporter?.reporter_email ?? "";

it("one click turns a report's emails off, once, and its page turns them on again", async () => {
  const token = links.makeToken("report", report, await reporterAddress(), now);
  for (const _ of [1, 2]) {
    const answer = await post(token, "List-Unsubscribe=One-Click", FORM);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ success: true, data: { scope: "report", wanted: false } });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  }
  expect(await ofReport()).toMatchObject([
    {
      data: { by: "unsubscribe_link", decisions: false },
      metadata: { command: "SetReporterNotifications", actor: { role: "visitor" } },
    },
  ]);
  expect((await post(token, { wanted: true })).json().data.wanted).toBe(true);
  expect((await ofReport()).map(({ data }) => data.decisions)).toEqual([false, true]);
});

it("one click turns off an account's setting, without a sign-in", async () => {
  const token = links.makeToken("decisions", account, EMAIL, now);
  const boundary =
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
  const answer = await post(token, boundary, "multipart/form-data; boundary=x");
  expect(answer.json()).toEqual({ success: true, data: { scope: "decisions", wanted: false } });
  expect(await ofAccount()).toMatchObject([{ data: { by: "unsubscribe_link", decisions: false } }]);
});

it.each(["same_person", "weekly_summary"] as const)(
  "one click turns off only the kind of the link: %s",
  async (scope) => {
    const token = links.makeToken(scope, account, EMAIL, now);
    expect((await post(token, { wanted: true })).json().data).toEqual({ scope, wanted: true });
    const answer = await post(token, "List-Unsubscribe=One-Click", FORM);
    expect(answer.json()).toEqual({ success: true, data: { scope, wanted: false } });
    const [on, off] = (await ofAccount()).slice(-2);
    expect([on.data, off.data]).toEqual([
      { by: "unsubscribe_link", [scope]: true },
      { by: "unsubscribe_link", [scope]: false },
    ]);
  },
);

it("a link for another address, or for something unknown, changes nothing and gets the same answer", async () => {
  const before = [await ofReport(), await ofAccount()];
  for (const [scope, id] of [
    ["report", report],
    ["report", randomUUID()],
    ["decisions", account],
    ["decisions", randomUUID()],
  ] as const) {
    const answer = await post(links.makeToken(scope, id, "former@shop.example", now), {
      wanted: false,
    });
    expect(answer.json()).toEqual({ success: true, data: { scope, wanted: false } });
    // The response has a position, just as if something had changed.
    expect(answer.headers).toHaveProperty("x-position");
  }
  expect([await ofReport(), await ofAccount()]).toEqual(before);
});

it("forged or expired tokens, other bodies and oversized ones are rejected", async () => {
  const address = await reporterAddress();
  const token = links.makeToken("report", report, address, now);
  const before = await ofReport();
  const expired = links.makeToken("report", report, address, "2020-01-01T00:00:00.000Z");
  for (const bad of [expired, `${token.slice(0, -2)}AA`, "x"]) {
    const answer = await post(bad, { wanted: false });
    expect(refusal(answer)).toEqual([400, "link_invalid"]);
  }
  for (const body of [{}, { wanted: "no" }, { wanted: false, id: report }])
    expect((await post(token, body)).statusCode).toBe(400);
  expect((await post(token, "wanted=false", FORM)).statusCode).toBe(400);
  expect((await post(token, "a".repeat(3000), FORM)).statusCode).toBe(413);
  expect((await post(token, "One-Click", "text/plain")).statusCode).toBe(415);
  expect(await ofReport()).toEqual(before);
});

it("other routes do not accept forms", async () => {
  const answer = await fixture.api.app.inject({
    method: "POST",
    url: "/prod/api/auth/login",
    headers: { "content-type": FORM },
    payload: "email=a",
  });
  expect(answer.statusCode).toBe(415);
});
