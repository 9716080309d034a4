import { expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createReportLinks } from "#vault/links/one-time-link.ts";
import { createBlindIndexer, SECRET_FIELD } from "#vault/sealing/hashes.ts";
import { DEVICE_COOKIE } from "../account/device.store.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { emailChangeCalls } from "../testing/email-changes.fixture.ts";
import { registrationCalls } from "../testing/registrations.fixture.ts";
import { resolutionCalls } from "../testing/resolutions.fixture.ts";
import { EMAIL, PASSWORD } from "../testing/sessions.fixture.ts";
import {
  newAccount,
  newBrowser,
  newProtectedAccount,
  totpCode,
} from "../testing/two-factor.fixture.ts";
import { named, upload } from "../testing/uploads.fixture.ts";
import { newEnvelope, systemCaller } from "./envelope.ts";

const fixture = forFile(() => startCommandApi());

const NEW_PASSWORD = { password: "Violet-Kettle-42", confirmPassword: "Violet-Kettle-42" };

/** Names of the properties of a JSON schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === "properties" ? Object.keys(inner) : []),
    ...fieldsOf(inner),
  ]);
}

interface Call {
  /** The parameter in the address. */
  readonly id?: string;
  readonly body: object;
  readonly token?: string;
  /** The browser's device cookie. */
  readonly cookie?: string;
}

/** Routes whose body holds a secret, each with a call that succeeds. */
const calls: Record<string, () => Promise<Call>> = {
  // First: a later call ends the admin's session.
  "post /prod/api/inquiry-answer": async () => ({ body: { token: await answeredToken() } }),
  "post /prod/api/inquiry-answer/reply": async () => ({
    body: { token: await answeredToken(), reply: "Thank you." },
  }),
  "post /prod/api/admin/users/{id}/two-factor/reset": async () => {
    const { id, codes } = await newProtectedAccount(fixture);
    return { id, body: { reason: "Lost", code: codes[0] }, token: fixture.tokens.admin };
  },
  "post /prod/api/account/reports/{id}/resolution": async () => {
    const { ownReport, body } = resolutionCalls(() => fixture);
    return { body: await body(), token: fixture.tokens.user, id: await ownReport() };
  },
  "post /prod/api/auth/login": async () => ({ body: { email: EMAIL, password: PASSWORD } }),
  "post /prod/api/auth/refresh": async () => ({
    body: { refreshToken: await refreshToken() },
  }),
  "post /prod/api/auth/register": async () => ({
    body: { first_name: "Rae", last_name: "Ruiz", email: "rae@b.example", ...NEW_PASSWORD },
  }),
  "post /prod/api/auth/reset-password": async () => ({
    body: { token: await resetToken(), ...NEW_PASSWORD },
  }),
  "post /prod/api/auth/change-password": async () => ({
    body: { currentPassword: PASSWORD, ...NEW_PASSWORD },
    token: (await newAccount(fixture)).home.token,
  }),
  "post /prod/api/auth/prove": async () => ({
    body: { password: PASSWORD },
    token: (await newAccount(fixture)).home.token,
  }),
  "post /prod/api/auth/two-factor/confirm": async () => {
    const { home } = await newAccount(fixture);
    const { secret } = (await home.send("POST", "two-factor/setup")).json().data;
    return { body: { code: totpCode(secret) }, token: home.token };
  },
  "delete /prod/api/auth/account": async () => {
    const { home } = await newAccount(fixture);
    return { body: { password: PASSWORD }, token: home.token };
  },
  "delete /prod/api/auth/two-factor": async () => {
    const { home, codes } = await newProtectedAccount(fixture);
    return { body: { code: codes[0] }, token: home.token };
  },
  "post /prod/api/auth/two-factor/recovery-codes": async () => {
    const { home, codes } = await newProtectedAccount(fixture);
    return { body: { code: codes[0] }, token: home.token };
  },
  "post /prod/api/auth/change-email": async () => {
    const { home, codes } = await newProtectedAccount(fixture);
    return { body: { email: "new@b.example", code: codes[0] }, token: home.token };
  },
  "post /prod/api/auth/login/two-factor": async () => {
    const { email, secret } = await newProtectedAccount(fixture);
    const away = newBrowser(fixture);
    const { challenge } = await away.login(email);
    return { body: { challenge, code: totpCode(secret, 1) }, cookie: away.cookie };
  },
  "post /prod/api/auth/confirm-email-change": async () => {
    const { body, token } = await requestedChange();
    return { body, token };
  },
  "post /prod/api/auth/undo-email-change": async () => {
    const { id } = await changes.change(await changes.member());
    return { body: { token: await changes.undoOf(id) } };
  },
  "post /prod/api/verify-email/{token}": async () => {
    const { user } = await register(PASSWORD);
    return { id: await confirmLink(user.id), body: { password: PASSWORD } };
  },
  "post /prod/api/report-question": async () => ({ body: { token: await askedToken() } }),
  "post /prod/api/report-question/answer": async () => ({
    body: { token: await askedToken(), answer: "The post." },
  }),
  "post /prod/api/report-status": async () => {
    const { id } = await submitted();
    const { keys } = fixture.api;
    const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
    const reportLinks = createReportLinks(await keys.liveKey("unsubscribe"), blind);
    const now = new Date().toISOString();
    return { body: { token: reportLinks.statusToken(id, chargeback.reporter_email, now) } };
  },
  "post /prod/api/reports/{id}/correct-address": async () => {
    const { id, correction_token: token } = await submitted();
    return { id, body: { token, email: "rae@right.example" } };
  },
  "post /prod/api/reports/submit": async () => ({
    body: { ...chargeback, evidence: [named(await upload(fixture))] },
  }),
  "post /prod/api/law-enforcement/requests": async () => ({
    body: {
      agency: "Denver Police",
      name: "Det. Ann Lee",
      email: "ann@police.example",
      legal_basis: "Subpoena 12",
      cases: "Quinn Ames",
      document_file: named(await upload(fixture)),
    },
  }),
};

const { register, confirmLink } = registrationCalls(
  () => fixture,
  () => "kim@b.example",
);
const changes = emailChangeCalls(() => fixture);
/** An account whose new address waits for its link to be opened. */
async function requestedChange() {
  const { id, token } = await changes.member();
  await changes.ask(token, changes.someAddress());
  return { id, token, body: { token: await changes.linkOf(id) } };
}

async function submitted(): Promise<{ id: string; correction_token: string }> {
  const answer = await fixture.call("POST", "/prod/api/reports/submit", { body: chargeback });
  return answer.json().data;
}

/** The link of an email that asks the reporter something. */
async function askedToken(): Promise<string> {
  const { id } = await submitted();
  const { keys } = fixture.api;
  const linkOf = async (type: string) => {
    const { rows } = await fixture.db.query(
      "select data->'link' as link from event_log.event where stream = $1 and type = $2",
      [streams.report(id), type],
    );
    return rows[0].link;
  };
  const confirms = await fixture.linkOf(streams.report(id), "verify-email");
  await fixture.call("POST", `/prod/api/verify-email/${confirms}`, { body: {} });
  // Not by the admin's token: another call of this test ends its session.
  const ask = { type: "AskReporter", body: { question: "Which carrier?" } } as const;
  const staff = systemCaller(new Date().toISOString());
  await fixture.api.reports.execute(id, ask, newEnvelope(staff));
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  const reportLinks = createReportLinks(await keys.liveKey("unsubscribe"), blind);
  return reportLinks.questionToken(id, await linkOf("ReporterAsked"));
}

/** The link of an email with an answer to an inquiry. */
async function answeredToken(): Promise<string> {
  const body = { company: "Acme", name: "Ann", email: "ann@acme.example", useCase: "Checks" };
  await fixture.call("POST", "/prod/api/enterprise/contact", { body });
  const { rows: inquiries } = await fixture.db.query<{ id: string }>(
    "select id from command.inquiry order by received_at desc limit 1",
  );
  const id = inquiries[0]?.id ?? "";
  const answer = { text: "Yes.", revision: 0 };
  const url = `/prod/api/admin/inquiries/${id}/answer`;
  expect((await fixture.call("POST", url, { body: answer, as: "admin" })).statusCode).toBe(200);
  const { rows } = await fixture.db.query(
    "select data->'link' as link from event_log.event where stream = $1 and type = 'InquiryAnswered'",
    [streams.inquiry(id)],
  );
  const { keys } = fixture.api;
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  const reportLinks = createReportLinks(await keys.liveKey("unsubscribe"), blind);
  return reportLinks.answerToken(id, rows[0].link);
}

async function refreshToken(): Promise<string> {
  const answer = await fixture.call("POST", "/prod/api/auth/login", {
    body: { email: EMAIL, password: PASSWORD },
  });
  return answer.json().data.refreshToken;
}

/** A link by which an account may set a new password. */
async function resetToken(): Promise<string> {
  const { id, email, home } = await newAccount(fixture);
  await home.send("POST", "forgot-password", { email });
  await fixture.api.background.finish();
  return fixture.linkOf(streams.user(id), "reset-password");
}

it("no command with a password, a code or a token in its body has its MAC in the log", async () => {
  const { paths = {} } = JSON.parse(JSON.stringify(fixture.api.app.swagger()));
  const secret = Object.entries<Record<string, { requestBody?: unknown }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, { requestBody }]) => fieldsOf(requestBody).some((f) => SECRET_FIELD.test(f)))
        .map(([method]) => `${method} ${path}`),
  );
  expect(secret.toSorted(), "each such route needs a call here").toEqual(
    Object.keys(calls).toSorted(),
  );
  for (const [route, call] of Object.entries(calls)) {
    const [method = "", url = ""] = route.split(" ");
    const { id = "", body, token, cookie } = await call();
    const answer = await fixture.api.app.inject({
      method: method.toUpperCase() as "POST" | "DELETE",
      url: url.replace(/\{\w+\}/, id),
      payload: body,
      headers: {
        "idempotency-key": `key-of-${url.replaceAll(/\W/g, "-")}`,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(cookie ? { cookie: `${DEVICE_COOKIE}=${cookie}` } : {}),
      },
    });
    expect(answer.statusCode, `${route}: ${answer.body}`).toBe(200);
  }
});
