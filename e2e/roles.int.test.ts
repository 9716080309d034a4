import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_TEMPLATES } from "#contracts/http/admin-templates.ts";
import { LOG_CHECK } from "#contracts/http/audit.ts";
import { ADMIN_CONTENT } from "#contracts/http/content.ts";
import type { Upload } from "#contracts/http/evidence.ts";
import {
  exportHeader,
  LIST_EXPORT_COUNT,
  LIST_EXPORTS,
  SAVED_FILTERS,
  X_EXPORT,
  X_EXPORT_TICKET,
} from "#contracts/http/list-exports.ts";
import {
  ADMIN_REPORT,
  MODERATION_NAMES,
  type ModerationName,
  moderation,
} from "#contracts/http/moderation.ts";
import { X_MIN_POSITION, X_POSITION } from "#contracts/http/position-headers.ts";
import { ADMIN_USERS } from "#contracts/http/users.ts";
import { caseNumber, digitsOfCase } from "#contracts/inquiry/inquiry-forms.ts";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { UPLOAD_SECRET } from "#contracts/report/evidence-rules.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { isForStaff } from "#http/actor.ts";
import { inputBounds } from "#http/bounds.ts";
import { DEVICE_COOKIE } from "#services/command-api/account/device.store.ts";
import { newEnvelope, systemCaller } from "#services/command-api/kernel/envelope.ts";
import { StripeStandIn, signed } from "#services/command-api/testing/stripe.fixture.ts";
import { totpCode } from "#services/command-api/testing/two-factor.fixture.ts";
import { pdf, picture } from "#services/command-api/testing/uploads.fixture.ts";
import { MODERATION_BODIES } from "#test-kit/moderation-bodies.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  createOneTimeLinks,
  createReportLinks,
  createUnsubscribeLinks,
  type LinkPurpose,
} from "#vault/links/one-time-link.ts";
import { createBlindIndexer, SECRET_FIELD } from "#vault/sealing/hashes.ts";
import {
  type CallOptions,
  type Method,
  ROLES,
  type Role,
  type System,
  startSystem,
} from "./support/in-process.ts";
import { approve, chargeback, submit } from "./support/reports.ts";
import { routesOf } from "./support/routes.ts";

const WEBHOOK_SECRET = "whsec_roles";
const stripe = new StripeStandIn();
let system: System;
beforeAll(async () => {
  await stripe.start();
  system = await startSystem({
    cards: {
      secretKey: "sk_test_roles",
      webhookSecret: WEBHOOK_SECRET,
      publicUrl: "http://registry.example",
      apiUrl: stripe.origin,
    },
  });
});
afterAll(async () => {
  await system.close();
  await stripe.stop();
});

const LOGOUT = "/prod/api/auth/logout";
/** Password of every account in the system. */
const PASSWORD = "Correct-horse-9";
const notice = {
  name: "Ann Lee",
  email: "ann@press.example",
  address: "1 Main St, Denver",
  material: "https://registry.example/report/bob-doe",
  signature: "Ann Lee",
};
const LOGIN = "/prod/api/auth/login";
const TWO_FACTOR = "/prod/api/auth/two-factor";
const SESSIONS = "/prod/api/auth/sessions";
const CHANGE_PASSWORD = "/prod/api/auth/change-password";
const JOBS = "/prod/api/system/jobs/:id";
const ENDS_SESSION = [LOGOUT, CHANGE_PASSWORD, `${SESSIONS}/:id`];
const UPLOADS = "/prod/api/uploads";
const BYTES = { "content-type": "application/octet-stream" };
const SUBMIT = "POST /prod/api/reports/submit";
const REVEAL = `POST ${ADMIN_REPORT}/reveal`;
const LAW_ENFORCEMENT = "POST /prod/api/law-enforcement/requests";
const ALONE = [
  ...ENDS_SESSION,
  UPLOADS,
  LOG_CHECK,
  JOBS,
  `${JOBS}/stop`,
  "/prod/api/system/actions",
];
const SIDE_BY_SIDE = 24;

/** What a valid request contains beyond the route's method and path. */
interface Parts {
  /** Values of the path's parameters, in order. */
  readonly params?: readonly string[];
  readonly query?: string;
  /** Those of another account of the role, or of another browser. */
  readonly headers?: Record<string, string>;
  /** `{}` when absent, unless the request is a GET. */
  readonly body?: object;
  readonly raw?: string | Buffer;
}
type Make = (role: Role) => Promise<Parts>;

/** @param route a method and a path, for example "POST /prod/api/auth/login". */
async function sendTo(route: string, { params = [], ...parts }: Parts, as: Role) {
  const [method = "", path = ""] = route.split(" ");
  const values = [...params];
  const url = path.replace(/:\w+/g, () => values.shift() ?? "");
  const { query, headers = {}, raw, body = method === "GET" || raw ? undefined : {} } = parts;
  const options: CallOptions = { as, headers, ...omitUndefined({ body, raw }) };
  return system.call(method as Method, query ? `${url}?${query}` : url, options);
}

/** Submits a report as the role's account. */
async function ownReport(role: Role, more: object = {}): Promise<string> {
  const body = { ...chargeback, ...more };
  return (await sendTo(SUBMIT, { body }, role)).json().data.id;
}

/** The same, made public. */
async function ownPublicReport(role: Role): Promise<string> {
  const id = await ownReport(role);
  // No admin may approve a report of their own account.
  await system.commandApi.reports.execute(id, { type: "ApproveReport", body: {} }, ofSystem());
  return id;
}

async function bannerRequest() {
  return { letter: await namedUpload(), terms_version: TERMS_VERSION };
}

/** A report for which the role's account has requested the RESOLVED banner. */
async function askedForBanner(role: Role): Promise<{ id: string; request_id: string }> {
  const id = await ownPublicReport(role);
  const asked = { params: [id], body: await bannerRequest() };
  const answer = await sendTo("POST /prod/api/account/reports/:id/resolution", asked, role);
  return { id, request_id: answer.json().data.resolution.request_id };
}

/** Accepts a letter as the system, because no admin may do so on a report of their own account. */
async function acceptLetter(id: string, request_id: string): Promise<void> {
  const command = { type: "AcceptLetter", body: { request_id }, told: [] } as const;
  await system.commandApi.reports.execute(id, command, ofSystem());
}

/** What staff send about the banner, on a user's report. */
async function onBanner(more: object = {}) {
  const { id, request_id } = await askedForBanner("user");
  return { params: [id] as const, body: { request_id, ...more } };
}

/** A job that auditors may see. */
async function job(): Promise<string> {
  await system.commandApi.jobs.settled();
  return (await system.call("POST", LOG_CHECK, { body: {}, as: "admin" })).json().data.job_id;
}

/** ID of an event in the audit log. */
async function auditedEvent(): Promise<string> {
  await visible();
  const { rows } = await system.db.query("select event_id from audit.entry limit 1");
  return rows[0].event_id;
}

const filter = { list: "audit", name: "Failures", filter: { status: "failure" } };
const exported = (status: string) => ({
  headers: { [X_EXPORT]: exportHeader({ list: "audit", filter: { status } }) },
});

/** Statement of the audit log's rows, counted for the caller. */
async function countedAudit(role: Role): Promise<string> {
  const counted = await sendTo(`GET ${LIST_EXPORT_COUNT}`, exported("warning"), role);
  return counted.json().data.statement;
}

/** For each route that needs more than its URL, builds a request that succeeds for the permitted role. */
const good: Record<string, Make> = {
  "GET /prod/api/reports/:seoTitle": async () => ({ params: [await slug()] }),
  "POST /prod/api/account/reports/:id/answer": async (role) => {
    const { id, question_id } = await askedReport(role);
    return { params: [id], body: { question_id, answer: "The post." } };
  },
  "GET /prod/api/account/reports/same-order": async () => ({ query: "order=WB-1042" }),
  "POST /prod/api/account/reports/:id/claim": async (role) => ({
    params: [await claimableReport(role)],
  }),
  "POST /prod/api/account/reports/:id/open": async (role) => ({ params: [await ownReport(role)] }),
  "POST /prod/api/account/reports/:id/resolution": async (role) => ({
    params: [await ownPublicReport(role)],
    body: await bannerRequest(),
  }),
  "DELETE /prod/api/account/reports/:id/resolution": async (role) => {
    const { id, request_id } = await askedForBanner(role);
    return { params: [id], body: { request_id } };
  },
  "POST /prod/api/account/reports/:id/resolution/checkout": async (role) => {
    const { id, request_id } = await askedForBanner(role);
    await acceptLetter(id, request_id);
    return { params: [id], body: { request_id } };
  },
  "POST /prod/api/account/reports/:id/resolution/state": async (role) => ({
    params: [await ownReport(role)],
  }),
  "POST /prod/api/payments/stripe": async () => {
    const raw = JSON.stringify({
      id: "evt_1",
      object: "event",
      type: "ping",
      data: { object: {} },
    });
    const signature = signed(raw, WEBHOOK_SECRET);
    return { raw, headers: { "content-type": "application/json", "stripe-signature": signature } };
  },
  "POST /prod/api/admin/reports/:id/resolution/accept": () => onBanner(),
  "POST /prod/api/admin/reports/:id/resolution/refuse": () => onBanner({ reason: "No seal" }),
  "POST /prod/api/admin/reports/:id/resolution/payment": async () => {
    const asked = await onBanner();
    await sendTo("POST /prod/api/admin/reports/:id/resolution/accept", asked, "admin");
    return { ...asked, body: { ...asked.body, method: "check", reference: "Check 7" } };
  },
  "POST /prod/api/admin/reports/:id/resolution/refund": async (role) => {
    const pay = "POST /prod/api/admin/reports/:id/resolution/payment";
    const { params = [], ...paid } = await partsOf(pay)(role);
    await sendTo(pay, { params, ...paid }, "admin");
    const report = await system.commandApi.reports.load(params[0] ?? "");
    const payment_id = report?.resolution?.payments[0]?.payment_id;
    return { params, body: { payment_id, reason_code: "mistaken", reason: "Asked" } };
  },
  "POST /prod/api/auth/activity": nothing,
  "POST /prod/api/auth/prove": async () => ({ body: { password: PASSWORD } }),
  "POST /prod/api/auth/login/two-factor": async (role) => {
    const { login, code } = await protectedAccount(role);
    const first = await system.call("POST", LOGIN, { body: login });
    const device = first.cookies.find(({ name }) => name === DEVICE_COOKIE)?.value;
    return {
      body: { challenge: first.json().data.challenge, code },
      headers: { cookie: `${DEVICE_COOKIE}=${device}` },
    };
  },
  "POST /prod/api/auth/two-factor/setup": nothing,
  "POST /prod/api/auth/two-factor/confirm": async (role) => {
    const { headers, secret } = await accountWithSecret(role);
    return { body: { code: totpCode(secret) }, headers };
  },
  "POST /prod/api/auth/two-factor/recovery-codes": async (role) => {
    const { headers, code } = await protectedAccount(role);
    return { body: { code }, headers };
  },
  "POST /prod/api/admin/users/:id/two-factor/reset": async () => {
    const { login } = await protectedAccount("user");
    const id = (await system.commandApi.accounts.idOf(login.email)) ?? "";
    return { params: [id], body: { reason: "Lost", code: "123456" } };
  },
  "POST /prod/api/admin/reports/bulk": async () => ({
    body: { command: "approve", reports: [{ id: await submit(system), revision: 0 }] },
  }),
  "POST /prod/api/system/actions": async () => ({ body: { action: "clear-cache" } }),
  "GET /prod/api/system/jobs/:id": async () => ({ params: [await job()] }),
  "POST /prod/api/system/jobs/:id/stop": async () => ({ params: [await job()] }),
  "POST /prod/api/admin/queue/take": async () => ({ body: { reports: [await submit(system)] } }),
  "POST /prod/api/admin/queue/leave": async () => ({ body: { report: await submit(system) } }),
  "DELETE /prod/api/auth/account": async (role) => {
    const { headers, login, code } = await protectedAccount(role);
    return { body: { password: login.password, code }, headers };
  },
  "DELETE /prod/api/auth/two-factor": async (role) => {
    const { headers, code } = await protectedAccount(role);
    return { body: { code }, headers };
  },
  "DELETE /prod/api/auth/change-email": nothing,
  "POST /prod/api/auth/change-email": async (role) => {
    const { headers, code } = await protectedAccount(role);
    return { body: { email: `${randomUUID()}@registry.example`, code }, headers };
  },
  "POST /prod/api/auth/confirm-email-change": async (role) => {
    const { headers, token } = await askedForAddress(role);
    return { body: { token }, ...(role === "visitor" ? {} : { headers }) };
  },
  "POST /prod/api/auth/undo-email-change": async (role) => {
    const { headers, token, id } = await askedForAddress(role);
    const url = "/prod/api/auth/confirm-email-change";
    await system.call("POST", url, { headers, body: { token } });
    const undo = await linkOf(`user-${id}`, "EmailChanged", "undo_link", "undo-email-change");
    return { body: { token: undo } };
  },
  "POST /prod/api/auth/export": nothing,
  "POST /prod/api/auth/export/file": async (role) => {
    await sendTo(LAW_ENFORCEMENT, await lawEnforcement(), role);
    const answer = await system.call("POST", "/prod/api/auth/export", { body: {}, as: role });
    const { files, inquiries } = answer.json().data;
    return { body: { export: files, file: { inquiry_id: inquiries.at(-1).id } } };
  },
  "DELETE /prod/api/auth/sessions": nothing,
  "DELETE /prod/api/auth/sessions/:id": async (role) => ({ params: [await currentSession(role)] }),
  "GET /prod/api/admin/reports/:id": async () => ({ params: [await visible()] }),
  "GET /prod/api/admin/reports/:id/history": async () => ({
    params: [await visible()],
    query: "at=0",
  }),
  "GET /prod/api/admin/audit-logs/:id/event": async () => ({ params: [await auditedEvent()] }),
  "POST /prod/api/admin/audit-logs/check": async () => {
    await system.commandApi.jobs.settled();
    return {};
  },
  "GET /prod/api/content/:slug": async () => ({ params: ["terms"] }),
  "GET /prod/api/posts/:slug": async () => ({ params: [(await article("blog")).slug] }),
  "GET /prod/api/pages/:slug": async () => ({ params: [(await article("page")).slug] }),
  "GET /prod/admin/users/:id": () => onUser(),
  "GET /prod/api/admin/users/:id": () => onUser(),
  "POST /prod/api/admin/users": async () => ({
    body: {
      email: `${randomUUID()}@registry.example`,
      first_name: "A",
      last_name: "B",
      role: "user",
    },
  }),
  "PUT /prod/api/admin/users/:id": () => onUser({ first_name: "Ida" }),
  "DELETE /prod/api/admin/users/:id": () => onUser(),
  "POST /prod/api/admin/users/:id/ban": () => onUser({ reason: "Spam" }),
  "POST /prod/api/admin/users/:id/reopen": () => onUser(),
  "POST /prod/api/admin/users/:id/unban": () => onUser(),
  "PUT /prod/api/admin/users/:id/role": () => onUser({ role: "auditor" }),
  "POST /prod/api/admin/users/:id/reveal": () => onUser(),
  "GET /prod/api/admin/content/:id": () => onArticle(),
  "GET /prod/api/admin/content/:id/versions/:revision": async () => ({
    params: [(await article("page")).id, "0"],
  }),
  "POST /prod/api/admin/content": async () => ({ body: draft("page") }),
  "POST /prod/api/admin/content/preview": async () => ({ body: { body: "*a*" } }),
  "PUT /prod/api/admin/content/:id": async () => {
    const { kind: _, slug: __, ...words } = draft("page");
    return onArticle({ ...words, revision: 1 });
  },
  "POST /prod/api/admin/content/:id/publish": () => onArticle({ revision: 1 }),
  "POST /prod/api/admin/content/:id/unpublish": () => onArticle({ revision: 1 }),
  "POST /prod/api/admin/content/:id/restore": () => onArticle({ revision: 1, version: 0 }),
  "DELETE /prod/api/admin/content/:id": () => onArticle({ revision: 1 }),
  "GET /prod/api/admin/templates/:kind/:id": async () => ({ params: ["approved", "shipped"] }),
  "GET /prod/api/admin/templates/:kind/:id/versions/:revision": async () => {
    const { params, body } = await onTemplate("verification");
    return { params: [...params, `${body.revision}`] };
  },
  "POST /prod/api/admin/templates/:kind": async () => ({
    params: ["pending"],
    body: { name: "Own" },
  }),
  "POST /prod/api/admin/templates/:kind/preview": async () => ({
    params: ["approved"],
    body: ownWords,
  }),
  "PUT /prod/api/admin/templates/:kind/:id": () =>
    onTemplate("rejected", { name: "Own", ...ownWords }),
  "POST /prod/api/admin/templates/:kind/:id/activate": () => onTemplate("approved"),
  "POST /prod/api/admin/templates/:kind/:id/deactivate": () => onTemplate("under_review"),
  "POST /prod/api/admin/templates/:kind/:id/restore": async () => {
    const { params, body } = await onTemplate("resolved");
    return { params, body: { ...body, version: body.revision } };
  },
  "POST /prod/api/admin/templates/:kind/:id/test": () => onTemplate("question"),
  "DELETE /prod/api/admin/templates/:kind/:id": () => onTemplate("new_device"),
  "POST /prod/api/content/:id/view": () => onArticle(),
  "GET /prod/admin/reports": async () => ({ query: `range=${encodeURIComponent("[0,9]")}` }),
  "GET /prod/admin/reports/:id": async () => ({ params: [await visible()] }),
  "GET /prod/admin/audit-logs/:id": async () => ({ params: [await auditedEvent()] }),
  "POST /prod/api/uploads": async () => ({ raw: pdf, headers: BYTES }),
  "DELETE /prod/api/uploads/:id": async () => {
    const { id, secret } = await upload();
    return { params: [id], headers: { [UPLOAD_SECRET]: secret } };
  },
  "POST /prod/api/admin/reports/:id/evidence/:fileId": async () => {
    const { id, file } = await reportWithFile();
    return { params: [id, file] };
  },
  "POST /prod/api/admin/reports/:id/reveals/:revealId/files/:fileId": async () => {
    const { id, file } = await reportWithFile();
    const shown = await sendTo(REVEAL, { params: [id] }, "admin");
    return { params: [id, shown.json().data.reveal_id, file] };
  },
  "POST /prod/api/admin/reports/:id/evidence/:fileId/publish": publishing,
  "POST /prod/api/admin/reports/:id/evidence/:fileId/hide": publishedPicture,
  "POST /prod/api/admin/reports/:id/evidence/:fileId/delete": async () => {
    const { id, file } = await publicReportWithFile();
    return { params: [id, file], body: { reason_code: "unrelated" } };
  },
  "GET /prod/api/admin/inquiries/:id": () => onInquiry(),
  "POST /prod/api/admin/inquiries/:id/status": () => onInquiry({ status: "in_work", revision: 0 }),
  "POST /prod/api/admin/inquiries/:id/notes": () => onInquiry({ text: "Called" }),
  "POST /prod/api/admin/inquiries/:id/answer": () => onInquiry({ text: "Yes.", revision: 0 }),
  "POST /prod/api/inquiry-answer": async () => ({ body: { token: await answerToken() } }),
  "POST /prod/api/inquiry-answer/reply": async () => ({
    body: { token: await answerToken(), reply: "Thank you." },
  }),
  "POST /prod/api/admin/inquiries/:id/reveal": () => onInquiry(),
  "POST /prod/api/admin/inquiries/:id/disclose": async () =>
    onInquiry({ report_id: await submit(system) }),
  "POST /prod/api/admin/inquiries/:id/document": () => onInquiry(),
  "GET /prod/api/admin/notices/:id": async () => {
    const id = await dmca("takedown");
    // The notice was sent without a call, so no read knows the position to wait for.
    await eventually("the notice is listed", async () => {
      const { rows } = await system.db.query("select 1 from inquiries.notice where id = $1", [id]);
      return rows.length === 1;
    });
    return { params: [id] };
  },
  "POST /prod/api/admin/notices/:id/link": async () => ({
    params: [await dmca("takedown")],
    body: { report_id: await submit(system), revision: 0 },
  }),
  "POST /prod/api/admin/notices/:id/unlink": async () => ({
    params: [await dmca("takedown")],
    body: { report_id: randomUUID(), revision: 0 },
  }),
  "POST /prod/api/admin/notices/:id/refuse": async () => ({
    params: [await dmca("takedown")],
    body: { reason_code: "unfounded", revision: 0 },
  }),
  "POST /prod/api/admin/notices/:id/take-down": async () => ({
    params: [await linkedNotice()],
    body: { revision: 1 },
  }),
  "POST /prod/api/admin/notices/:id/lift": async () => ({
    params: [await grantedNotice()],
    body: { reason_code: "withdrawn", revision: 2 },
  }),
  "POST /prod/api/admin/notices/:id/pass-on": async () => ({
    params: [await dmca("counter_notice")],
    body: { notice: caseNumber("takedown", await grantedNotice()), revision: 0 },
  }),
  "POST /prod/api/admin/notices/:id/restore": async () => {
    const id = await dmca("counter_notice", 40);
    const body = { notice: caseNumber("takedown", await grantedNotice()), revision: 0 };
    await system.commandApi.noticeModeration.passOn(id, body, ofSystem());
    return { params: [id], body: { revision: 1 } };
  },
  "POST /prod/api/admin/notices/:id/delete": async () => {
    const id = await dmca("takedown");
    const refusal = { reason_code: "unfounded", revision: 0 } as const;
    await system.commandApi.noticeModeration.refuse(id, refusal, ofSystem());
    return { params: [id], body: { reason_code: "spam", revision: 1 } };
  },
  "POST /prod/api/admin/notices/:id/notes": async () => ({
    params: [await dmca("takedown")],
    body: { text: "Called" },
  }),
  "POST /prod/api/admin/notices/:id/reveal": async () => ({ params: [await dmca("takedown")] }),
  "POST /prod/api/admin/mails/:id/read": onFailedMail,
  "POST /prod/api/admin/mails/:id/resend": onFailedMail,
  "GET /prod/api/admin/exports/count": async () => exported("success"),
  "POST /prod/api/admin/exports": async (role) => ({
    body: { statement: await countedAudit(role), format: "csv" },
  }),
  "GET /prod/api/admin/exports/rows": async (role) => {
    const body = { statement: await countedAudit(role), format: "json" };
    const started = await system.call("POST", LIST_EXPORTS, { body, as: role });
    return { headers: { [X_EXPORT_TICKET]: started.json().data.ticket } };
  },
  "POST /prod/api/admin/saved-filters": async () => ({ body: filter }),
  "DELETE /prod/api/admin/saved-filters/:id": async (role) => {
    const saved = await system.call("POST", SAVED_FILTERS, { body: filter, as: role });
    return { params: [saved.json().data.id] };
  },
  "GET /prod/api/reports/:id/evidence/:copyId": publishedPicture,
  "POST /prod/api/reports/submit": async () => ({
    body: { ...chargeback, evidence: [await namedUpload()] },
  }),
  "POST /prod/api/report-question": async () => ({ body: { token: (await askedReport()).token } }),
  "POST /prod/api/report-question/answer": async () => ({
    body: { token: (await askedReport()).token, answer: "The post." },
  }),
  "POST /prod/api/report-status": async () => ({
    body: { token: await statusToken(await submit(system)) },
  }),
  "POST /prod/api/reports/:id/correct-address": async () => {
    const body = { ...chargeback, reporter_email: "rae@shpo.example" };
    const { data } = (await sendTo(SUBMIT, { body }, "visitor")).json();
    return {
      params: [data.id],
      body: { token: data.correction_token, email: "rae@shop.example" },
    };
  },
  "POST /prod/api/reports/:id/resend-verification": async () => ({
    params: [await submit(system)],
    body: { email: chargeback.reporter_email },
  }),
  "POST /prod/api/verify-email/:token": async () => ({
    params: [await tokenOf(await submit(system))],
    body: { password: PASSWORD },
  }),
  "POST /prod/api/reports/:id/view": async () => ({ params: [await visible()] }),
  ...Object.fromEntries(
    MODERATION_NAMES.map((name): [string, Make] => {
      const { method, path } = moderation(name);
      const make = async () => ({
        params: [await reportFor(name)],
        body: MODERATION_BODIES[name],
      });
      return [`${method} ${ADMIN_REPORT}${path}`, make];
    }),
  ),
  [REVEAL]: async () => ({ params: [await submit(system)] }),
  "POST /prod/api/auth/login": async (role) => ({ body: await newAccount(role) }),
  "POST /prod/api/enterprise/contact": async () => ({
    body: { company: "Acme", name: "Ann", email: "ann@acme.example", useCase: "Orders" },
  }),
  [LAW_ENFORCEMENT]: lawEnforcement,
  "POST /prod/api/dmca/notices": async () => ({
    body: { ...notice, work: "A photograph", good_faith: "yes", accuracy: "yes" },
  }),
  "POST /prod/api/dmca/counter-notices": async () => ({
    body: {
      ...notice,
      phone: "+1 303 555 0142",
      reason: "It is mine",
      mistake: "yes",
      jurisdiction: "yes",
    },
  }),
  "POST /prod/api/auth/register": async () => ({
    body: {
      first_name: "A",
      last_name: "B",
      email: `${randomUUID()}@registry.example`,
      password: PASSWORD,
      confirmPassword: PASSWORD,
    },
  }),
  "POST /prod/api/auth/resend-verification": nothing,
  "POST /prod/api/auth/forgot-password": async () => ({
    body: { email: "nobody@registry.example" },
  }),
  "POST /prod/api/auth/reset-password": async (role) => ({
    body: { token: await resetToken(role), password: PASSWORD, confirmPassword: PASSWORD },
  }),
  "POST /prod/api/auth/change-password": async () => ({
    body: { currentPassword: PASSWORD, password: PASSWORD, confirmPassword: PASSWORD },
  }),
  "PUT /prod/api/auth/profile": async () => ({ body: { company: `Company ${randomUUID()}` } }),
  // The current value, so that the other routes of this file are not affected.
  "PUT /prod/api/system/settings": async () => ({ body: { emailNotifications: true } }),
  "GET /prod/api/unsubscribe/:token": async () => ({ params: ["x"] }),
  "POST /prod/api/unsubscribe/:token": async () => ({
    params: [await unsubscribeToken()],
    body: { wanted: false },
  }),
  "PUT /prod/api/auth/preferences": async () => ({ body: { decisions: true } }),
  "POST /prod/api/auth/sign-in-link/:token": async () => ({ params: [await signInToken()] }),
  "POST /prod/api/auth/refresh": async (role) => ({
    body: { refreshToken: await refreshToken(role) },
  }),
  "POST /prod/api/auth/logout": nothing,
};

/** The two services answer this route differently: the read side lists, the command side acts. */
const twofold: Record<"query-api" | "command-api", Make> = {
  "query-api": async () => ({ query: "limit=5" }),
  "command-api": async () => ({
    query: `emergency_verify=true&report_id=${await submit(system)}`,
  }),
};

async function nothing(): Promise<Parts> {
  return {};
}

async function lawEnforcement() {
  return {
    body: {
      agency: "Denver PD",
      name: "Sgt. Lee",
      email: "lee@police.example",
      legal_basis: "Subpoena",
      cases: "Zoe Ames",
      document_file: await namedUpload(),
    },
  };
}

/** ID of the session that the role's account uses. */
async function currentSession(as: Role): Promise<string> {
  const listed = await system.call("GET", SESSIONS, { as });
  return listed.json().data.sessions[0].id;
}

/** What an admin must send about a report before another command applies to it. */
const SENT_BEFORE: { readonly [N in ModerationName]?: ModerationName } = {
  undo: "approve",
  undoDelete: "delete",
  restore: "edit",
};

/** A report to which the command applies. */
async function reportFor(name: ModerationName): Promise<string> {
  if (name === "ask") return confirmedReport();
  if (name === "withdrawQuestion") return (await askedReport()).id;
  const before = SENT_BEFORE[name];
  if (!before) return submit(system);
  const { method, path } = moderation(before);
  const id = await submit(system);
  const body = MODERATION_BODIES[before];
  await system.call(method, `/prod/api/admin/reports/${id}${path}`, { body, as: "admin" });
  return id;
}

/** A new text with its own slug. */
const draft = (kind: "blog" | "page") => ({
  kind,
  slug: `text-${randomUUID()}`,
  title: "About us",
  description: "Who we are",
  body: "A *text*",
});

/** A published text; its last event has revision 1. */
async function article(kind: "blog" | "page"): Promise<{ id: string; slug: string }> {
  const body = draft(kind);
  const begun = await system.call("POST", ADMIN_CONTENT, { as: "admin", body });
  const { id } = begun.json().data;
  const publish = { as: "admin", body: { revision: 0 } } as const;
  await readAfter(
    await system.call("POST", `${ADMIN_CONTENT}/${id}/publish`, publish),
    `${ADMIN_CONTENT}/${id}`,
  );
  return { id, slug: body.slug };
}

async function onArticle(body?: object) {
  return { params: [(await article("page")).id], ...omitUndefined({ body }) };
}

const ownWords = { subject: "Own", body: "Own words" };

/** A new template of this kind; each kind has at most twenty. */
async function onTemplate(kind: TemplateKind, body: object = {}) {
  const url = `${ADMIN_TEMPLATES}/${kind}`;
  const added = await system.call("POST", url, { as: "admin", body: { name: "Own" } });
  const { id, revision } = added.json().data as { id: string; revision: number };
  return { params: [kind, id], body: { revision, ...body } };
}

let approved: Promise<string> | undefined;
/** An approved report that all read models show. */
function visible(): Promise<string> {
  const make = async () => {
    const id = await submit(system);
    await approve(system, id);
    await system.read("/prod/api/reports/recent");
    return id;
  };
  approved ??= make();
  return approved;
}

/** Waits until an admin's reads include what was written. */
async function readAfter(written: Awaited<ReturnType<System["call"]>>, url: string) {
  const headers = { [X_MIN_POSITION]: `${written.headers[X_POSITION]}` };
  return system.call("GET", url, { as: "admin", headers });
}

async function slug(): Promise<string> {
  const id = await visible();
  const recent = (await system.read("/prod/api/reports/recent")).json().data;
  return recent.find((report: { id: string }) => report.id === id).seo_title;
}

/** A confirmed report from the account's address. */
async function claimableReport(role: Role): Promise<string> {
  const profile = await system.call("GET", "/prod/api/auth/profile", { as: role });
  const { email } = profile.json().data.user;
  const id = await submit(system, { ...chargeback, reporter_email: email });
  await system.call("POST", `/prod/api/verify-email/${await tokenOf(id)}`, { body: {} });
  return id;
}

/** Token that confirms the address of a report's reporter. */
const tokenOf = (id: string) => linkOf(`report-${id}`, "ReportSubmitted", "link", "verify-email");

/**
 * A report whose reporter has opened the link.
 * @param of role whose account submits it; a visitor when absent.
 */
async function confirmedReport(of?: Role): Promise<string> {
  const id = of ? await ownReport(of) : await submit(system);
  await system.call("POST", `/prod/api/verify-email/${await tokenOf(id)}`, { body: {} });
  return id;
}

/** A report whose reporter was asked a question, and the token to answer it. */
async function askedReport(of?: Role): Promise<{ id: string; question_id: string; token: string }> {
  const id = await confirmedReport(of);
  // No admin may ask about a report of their own account.
  const ask = { type: "AskReporter", body: { question: "Which carrier?" } } as const;
  await system.commandApi.reports.execute(id, ask, ofSystem());
  const { rows } = await system.db.query(
    "select data->'link' as link from event_log.event where stream = $1 and type = 'ReporterAsked'",
    [`report-${id}`],
  );
  const links = await reportLinks();
  const [{ link }] = rows;
  return { id, question_id: link.link_id, token: links.questionToken(id, link) };
}

async function reportLinks() {
  const { keys } = system.commandApi;
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  return createReportLinks(await keys.liveKey("unsubscribe"), blind);
}

/** Token of a report's status page. */
async function statusToken(id: string): Promise<string> {
  const links = await reportLinks();
  return links.statusToken(id, chargeback.reporter_email, new Date().toISOString());
}

async function unsubscribeToken(): Promise<string> {
  const { keys } = system.commandApi;
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  const links = createUnsubscribeLinks(await keys.liveKey("unsubscribe"), blind);
  const now = new Date().toISOString();
  return links.makeToken("report", await submit(system), "rae@shop.example", now);
}

/** Token of an unused sign-in link, for a new account. */
async function signInToken(): Promise<string> {
  const { accounts, signInLinks } = system.commandApi;
  const id = (await accounts.idOf((await newAccount("user")).email)) ?? "";
  await signInLinks.request(id, systemCaller(new Date().toISOString()));
  return linkOf(`user-${id}`, "DeviceConfirmationRequested", "link", "sign-in");
}

/** ID of an account that admins may act on. */
async function otherUser(): Promise<string> {
  const { email } = await newAccount("user");
  const id = (await system.commandApi.accounts.idOf(email)) ?? "";
  // The reply names the position from which reads know the account, and this waits for it.
  const body = { last_name: "Other" };
  const edited = await system.call("PUT", `${ADMIN_USERS}/${id}`, { as: "admin", body });
  await readAfter(edited, `${ADMIN_USERS}/${id}`);
  return id;
}

async function onUser(body?: object) {
  return { params: [await otherUser()], ...omitUndefined({ body }) };
}

let accounts = 0;
async function newAccount(role: Role): Promise<{ email: string; password: string }> {
  accounts += 1;
  const login = { email: `account-${accounts}@registry.example`, password: PASSWORD };
  await system.commandApi.accounts.add(
    { ...login, role: role === "visitor" ? "user" : role, firstName: "A", lastName: "B" },
    systemCaller(new Date().toISOString()),
  );
  return login;
}

/** A new account that has set up an authenticator. */
async function accountWithSecret(role: Role) {
  const login = await newAccount(role);
  const { token } = (await system.call("POST", LOGIN, { body: login })).json().data;
  const headers = { authorization: `Bearer ${token}` };
  const setUp = await system.call("POST", `${TWO_FACTOR}/setup`, { headers, body: {} });
  return { login, headers, secret: setUp.json().data.secret as string };
}

/** A new account that requested another address, and the emailed token. */
async function askedForAddress(role: Role) {
  const login = await newAccount(role);
  const { token: access, user } = (await system.call("POST", LOGIN, { body: login })).json().data;
  const headers = { authorization: `Bearer ${access}` };
  const body = { email: `${randomUUID()}@registry.example` };
  await system.call("POST", "/prod/api/auth/change-email", { headers, body });
  const token = await linkOf(`user-${user.id}`, "EmailChangeRequested", "link", "change-email");
  return { id: user.id as string, headers, token };
}

/** Token of the link in a stream's last event of this type. */
async function linkOf(stream: string, type: string, field: string, purpose: LinkPurpose) {
  const { rows } = await system.db.query(
    "select data->$3::text as link from event_log.event where stream = $1 and type = $2 order by revision desc limit 1",
    [stream, type, field],
  );
  const { link_id: linkId, expires_at: expiresAt } = rows[0].link;
  const links = createOneTimeLinks(await system.commandApi.keys.liveKey("links"));
  const aggregateId = stream.slice(stream.indexOf("-") + 1);
  return links.makeToken(purpose, { aggregateId, linkId, expiresAt });
}

/** A new account with two-factor authentication, and a valid code for it. */
async function protectedAccount(role: Role) {
  const { login, headers, secret } = await accountWithSecret(role);
  const body = { code: totpCode(secret) };
  const confirmed = await system.call("POST", `${TWO_FACTOR}/confirm`, { headers, body });
  const { token } = confirmed.json().data;
  return { login, headers: { authorization: `Bearer ${token}` }, code: totpCode(secret, 1) };
}

async function refreshToken(role: Role): Promise<string> {
  const body = await newAccount(role);
  const login = await system.call("POST", "/prod/api/auth/login", { body });
  return login.json().data.refreshToken;
}

/** Token to set the password of a new account. */
async function resetToken(role: Role): Promise<string> {
  const { accounts, background } = system.commandApi;
  const { email } = await newAccount(role);
  await system.call("POST", "/prod/api/auth/forgot-password", { body: { email } });
  await background.finish();
  const id = (await accounts.idOf(email)) ?? "";
  return linkOf(`user-${id}`, "PasswordResetRequested", "link", "reset-password");
}

const routes = () => routesOf(system);
type Route = ReturnType<typeof routes>[number];

/** Batches of routes that are called concurrently. Routes whose calls disturb others get their own batch. */
function batches(): Route[][] {
  const others = routes().filter(({ url }) => !ALONE.includes(url));
  const alone = routes().filter(({ url }) => ALONE.includes(url));
  const firsts = others.keys().filter((n) => n % SIDE_BY_SIDE === 0);
  return [...firsts.map((n) => others.slice(n, n + SIDE_BY_SIDE)), ...alone.map((one) => [one])];
}

function requestFor({ method, url, service }: Route): Make {
  if (url === "/prod/api/reports/all") return twofold[service];
  return method === "GET" && !url.includes(":")
    ? (good[`GET ${url}`] ?? nothing)
    : partsOf(`${method} ${url}`);
}

function partsOf(route: string): Make {
  const make = good[route];
  if (!make) throw new Error(`${route} has no good request in this test`);
  return make;
}

let uploads: Promise<unknown> = Promise.resolve();
/** Uploads one file at a time, because a network may have only a few in progress. */
function upload(): Promise<Upload> {
  const sent = uploads.then(() => system.call("POST", UPLOADS, { raw: pdf, headers: BYTES }));
  uploads = sent;
  return sent.then((answer) => answer.json().data);
}

/** Uploads a new file. @returns how a form refers to it. */
async function namedUpload() {
  const { id, secret } = await upload();
  return { id, secret, name: "order.pdf" };
}

/** Names of the properties of a JSON schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === "properties" ? Object.keys(inner) : []),
    ...fieldsOf(inner),
  ]);
}

/** The passwords, codes and tokens in a command's body, of which no MAC may be kept. */
function secretsOf({ method, url }: Route): string[] {
  const { paths = {} } = system.commandApi.app.swagger() as {
    paths?: Record<string, Record<string, { requestBody?: unknown }>>;
  };
  const { requestBody } = paths[url.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()] ?? {};
  return fieldsOf(requestBody).filter((name) => SECRET_FIELD.test(name));
}

async function onFailedMail() {
  const id = `mail-${randomUUID()}`;
  await system.db.query(
    `insert into outbox.mail (id, kind, account_id, event_id, revision, position, epoch, state, dropped_reason)
     values ($1, 'account_confirmation', $2, $2, 0, '1',
       (select id::text from event_log.event where type = 'LogStarted'), 'dropped', 'undeliverable')`,
    [id, randomUUID()],
  );
  return { params: [id] };
}

const ofSystem = (daysAgo = 0) =>
  newEnvelope(systemCaller(new Date(Date.now() - daysAgo * 86_400_000).toISOString()));

/** A DMCA notice or counter-notice. @returns its id. */
async function dmca(kind: "takedown" | "counter_notice", daysAgo = 0): Promise<string> {
  const answers = { name: "Ann Lee", email: "ann@owner.example" };
  const sent = await system.commandApi.inquiries.send(kind, answers, ofSystem(daysAgo));
  return inquiryId(sent.number);
}

async function inquiryId(number: string): Promise<string> {
  const { rows } = await system.db.query(
    "select id from command.inquiry where starts_with(replace(id::text, '-', ''), $1)",
    [digitsOfCase(number)],
  );
  return rows[0].id;
}

async function linkedNotice(): Promise<string> {
  const id = await dmca("takedown");
  const { id: report_id } = await publicReportWithFile();
  await system.commandApi.noticeModeration.link(id, { report_id, revision: 0 }, ofSystem());
  return id;
}

async function grantedNotice(): Promise<string> {
  const id = await linkedNotice();
  await system.commandApi.noticeModeration.takeDown(id, { revision: 1 }, ofSystem());
  return id;
}

/** Sends a law enforcement request, and waits until the console shows it. */
async function onInquiry(body?: object) {
  const sent = await sendTo(LAW_ENFORCEMENT, await lawEnforcement(), "visitor");
  await readAfter(sent, "/prod/api/admin/inquiries");
  return { params: [await inquiryId(sent.json().data.number)], ...omitUndefined({ body }) };
}

/** Token of the link in an answer to an inquiry. */
async function answerToken(): Promise<string> {
  const answer = await onInquiry({ text: "Yes.", revision: 0 });
  const answered = await sendTo("POST /prod/api/admin/inquiries/:id/answer", answer, "admin");
  expect(answered.statusCode, answered.body).toBe(200);
  const { id } = answered.json().data;
  const { rows } = await system.db.query(
    "select data->'link' as link from event_log.event where stream = $1 and type = 'InquiryAnswered'",
    [`inquiry-${id}`],
  );
  return (await reportLinks()).answerToken(id, rows[0].link);
}

async function reportWithFile() {
  const file = await namedUpload();
  return { id: await submit(system, { ...chargeback, evidence: [file] }), file: file.id };
}

async function publicReportWithFile() {
  const made = await reportWithFile();
  await approve(system, made.id);
  return made;
}

/** A request that publishes the first page of a PDF. */
async function publishing() {
  const { id, file } = await publicReportWithFile();
  return { params: [id, file], query: "page=1&boxes=0", raw: await picture(), headers: BYTES };
}

/** A published copy of evidence, with the IDs of its report and of itself. */
async function publishedPicture() {
  const publish = "POST /prod/api/admin/reports/:id/evidence/:fileId/publish";
  const request = await publishing();
  const answer = await sendTo(publish, request, "admin");
  if (answer.statusCode !== 200) throw new Error(`publish answered ${answer.body}`);
  await readAfter(answer, "/prod/api/reports/recent");
  const [id = ""] = request.params;
  const copy = (await system.commandApi.reports.load(id))?.copies[0]?.copy_id ?? "";
  return { params: [id, copy] };
}

describe("every route of the running services", () => {
  it("accepts a valid request from each permitted role, and refuses every other role", async () => {
    const wrong: string[] = [];
    const answers = async (request: Parts, { method, url, roles }: Route, role: Role) => {
      const { statusCode } = await sendTo(`${method} ${url}`, request, role);
      const served = url.includes("/unsubscribe/") && method === "GET" ? 303 : 200;
      const expected = roles.includes(role) ? served : role === "visitor" ? 401 : 403;
      if (statusCode !== expected) wrong.push(`${method} ${url} as ${role}: ${statusCode}`);
    };
    for (const batch of batches()) {
      const tried = await Promise.all(
        batch.map(async (route) => {
          const [first, ...others] = route.roles as [Role, ...Role[]];
          const request = await requestFor(route)(first);
          const sent = JSON.stringify(request.body ?? {});
          const missing = secretsOf(route).filter((name) => !sent.includes(`"${name}":`));
          if (missing.length > 0) wrong.push(`${route.method} ${route.url} without ${missing}`);
          const { authorization: _, ...headers } = request.headers ?? {};
          return { route, first, others, request, ofOthers: { ...request, headers } };
        }),
      );
      // Work that continues after its reply belongs to an earlier call.
      await system.commandApi.background.finish();
      await system.commandApi.jobs.settled();
      const before = await lastPosition();
      await Promise.all(
        tried.flatMap(({ route, ofOthers }) =>
          ROLES.filter((role) => !route.roles.includes(role)).map((role) =>
            answers(ofOthers, route, role),
          ),
        ),
      );
      const urls = batch.map(({ url }) => url).join();
      for (const type of await appended(before)) wrong.push(`${type} after ${urls}`);
      await Promise.all(tried.map(({ route, first, request }) => answers(request, route, first)));
      await Promise.all(
        tried.map(async ({ route, others }) => {
          for (const role of others) {
            const request = await requestFor(route)(role);
            await system.commandApi.jobs.settled();
            await answers(request, route, role);
          }
        }),
      );
      // Their own requests signed them out.
      if (batch.some(({ url }) => ENDS_SESSION.includes(url)))
        await Promise.all((["user", "admin", "auditor"] as const).map(system.signIn));
    }
    expect(wrong).toEqual([]);
    expect(routes().filter((route) => secretsOf(route).length > 0).length).toBeGreaterThanOrEqual(
      25,
    );
  }, 300_000);

  it("has the roles and bounds of docs/routes.md, which `npm run docs` writes", async () => {
    const groups = Map.groupBy(routes(), ({ service, roles, proof, limit, bounds }) => {
      const named = ROLES.filter((role) => roles.includes(role));
      const who = named.length === ROLES.length ? "everyone" : named.join(", ");
      const { bodyBytes, values, rows } = bounds;
      const asked = [isForStaff(roles) ? "2FA" : [], proof ? "proof" : []].flat().join(", ");
      return [service, who, asked, limit, bodyBytes, values, rows].join(" | ");
    });
    const rows = [...groups].map(([cells, group]) => {
      const names = group.map(({ method, url }) => `\`${method} ${url}\``);
      return `| ${cells} | ${names.toSorted().join("<br>")} |`.replaceAll(/ {2}(?=\|)/g, " ");
    });
    const text = [
      "<!-- Written by `npm run docs`; do not edit. -->",
      "# Routes",
      "",
      "[roles.md](roles.md) explains roles, 2FA and proof; [limits.md](limits.md) explains limits and bounds.",
      "",
      "| service | who | asked for | limit | body | values | rows | routes |",
      "|---|---|---|---|---|---|---|---|",
      ...rows.toSorted(),
      "",
      "Every route:",
      "",
      "| bound | value |",
      "|---|---|",
      ...Object.entries(inputBounds).map(([name, value]) => `| ${name} | ${value} |`),
      "",
    ];
    await expect(text.join("\n")).toMatchFileSnapshot("../docs/routes.md");
  });

  it("refuses a forged, expired or foreign token instead of treating the caller as a visitor", async () => {
    const expired = system.commandApi.app.jwt.sign(
      {
        sub: "00000000-0000-4000-8000-000000000000",
        role: "admin",
        tokenVersion: 1,
        sid: randomUUID(),
      },
      { expiresIn: -1000 },
    );
    const none = `${btoa('{"alg":"none","typ":"JWT"}')}.${btoa('{"sub":"x","role":"admin"}')}.`;
    for (const bad of ["x", none.replaceAll("=", ""), expired, `${expired}x`]) {
      for (const url of ["/prod/api/reports/recent", "/prod/api/admin/reports"]) {
        const answer = await system.call("GET", url, {
          headers: { authorization: `Bearer ${bad}` },
        });
        expect(answer.statusCode).toBe(401);
        expect(answer.json()).toMatchObject({ success: false, error: { code: "invalid_token" } });
      }
    }
  });
});

/** Returns the types of the events since, without those that count an account's refused calls. */
async function appended(after: number): Promise<string[]> {
  const { rows } = await system.db.query(
    "select type from event_log.event where position > $1 and type <> 'CallRefused'",
    [after],
  );
  return rows.map(({ type }) => type);
}

async function lastPosition(): Promise<number> {
  const { rows } = await system.db.query(
    "select coalesce(max(position), 0)::int as p from event_log.event",
  );
  return rows[0].p;
}
