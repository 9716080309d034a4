import { setTimeout } from "node:timers/promises";
import { exportHeader, LIST_EXPORT_COUNT, X_EXPORT } from "#contracts/http/list-exports.ts";
import { ADMIN_USERS } from "#contracts/http/users.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { pdf, photo } from "#pictures/testing/made-files.ts";
import { totpCode } from "#services/command-api/testing/two-factor.fixture.ts";
import { badCheck, chargeback } from "../../e2e/support/reports.ts";
import { ADMIN, openSession, type StoredSession } from "../../e2e/support/sessions.ts";
import { listMails } from "../../launcher/outbox/mail-folder.ts";

/** A registry, and who acts in it. */
export interface Teller {
  readonly url: string;
  readonly mailFolder: string;
  readonly admin: StoredSession;
}

/** What the story needs of answers; each holds some of it. */
interface Answer {
  readonly id: string;
  readonly secret: string;
  readonly token: string;
  readonly user: { readonly id: string };
  readonly recovery_codes: readonly string[];
  readonly statement: string;
  readonly job_id: string;
  readonly state: string;
  readonly evidence: readonly { readonly id: string }[];
}
type Send = (request: string, body?: object, headers?: object) => Promise<Answer>;

/** Sends calls for an account, with the newest token of its session, or for a visitor. */
function sender({ url }: Teller, token?: string): Send {
  let newest = token;
  return async (request, body = {}, headers = {}) => {
    const [method = "", route = ""] = request.split(" ");
    const isFile = body instanceof Uint8Array;
    const reply = await fetch(`${url}${route.startsWith("/prod") ? "" : "/prod/api"}${route}`, {
      method,
      headers: {
        ...(method !== "GET" && {
          "content-type": isFile ? "application/octet-stream" : "application/json",
        }),
        ...(token && { authorization: `Bearer ${newest}` }),
        ...headers,
      },
      ...(method !== "GET" && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${request} answered ${reply.status}: ${await reply.text()}`);
    const isJson = reply.headers.get("content-type")?.startsWith("application/json");
    const { data } = isJson ? await reply.json() : {};
    newest = data?.token ?? newest;
    return data;
  };
}

/** The token of the newest link to a page that was mailed about a report or an account. */
async function mailed({ mailFolder }: Teller, id: string, page: string): Promise<string> {
  for (let waited = 0; waited < 30_000; waited += 100) {
    for (const mail of await listMails(mailFolder)) {
      const token = new RegExp(`/${page}/([\\w.-]+)`).exec(mail.text)?.[1];
      if (mail.file.startsWith(id) && token) return token;
    }
    await setTimeout(100);
  }
  throw new Error(`No mail about ${id} has a link to /${page}`);
}

type Pages = Readonly<Record<"question" | "evidence" | "moderated", string>>;

const report = { ...chargeback, terms_version: TERMS_VERSION };

/** Reports that are confirmed, decided, undone, asked about, changed, masked, hidden, deleted and claimed. */
export async function actOfReports(
  teller: Teller,
  { question, evidence: page, moderated }: Pages,
): Promise<void> {
  const visitor = sender(teller);
  const admin = sender(teller, teller.admin.token);
  const token = question.split("/").pop();
  await visitor("POST /report-question/answer", { token, answer: "The post, signed by Q. Harper" });

  const { evidence: pictures } = await visitor(`GET /reports/${page.split("/").pop()}`);
  await admin(`POST /admin/reports/${moderated}/evidence/${pictures[0]?.id}/hide`);
  const evidence = [];
  for (const name of ["receipt.png", "letter.pdf"]) {
    const { id, secret } = await visitor(
      "POST /uploads",
      await (name.endsWith("pdf") ? pdf() : photo("png")),
    );
    evidence.push({ id, secret, name });
  }
  const description =
    "Signed for the parcel, then disputed. Call +1 303 555 0100 or quinn@home.example.";
  const { id } = await visitor("POST /reports/submit", { ...report, description, evidence });
  await visitor(`POST /verify-email/${await mailed(teller, id, "verify-email")}`);
  const on = (command: string, body?: object) =>
    admin(`POST /admin/reports/${id}/${command}`, body);
  await on("status", { status: "under_review" });
  await on("note", { note: "Same wording as another report" });
  await on("approve");
  await on("undo");
  await on("question", { question: "Which carrier?" });
  await on("question/withdraw");
  await admin(`PUT /admin/reports/${id}`, {
    city: "Boulder",
    amount: 420,
    email: "quinn@home.example",
  });
  await on("restore", { revision: 1 });
  await on("mask", { revision: 0 });
  await on("reveal");
  await on(`evidence/${evidence[1]?.id}/delete`, { reason_code: "private", reason: "A letter" });
  await on("approve");
  const picture = `evidence/${evidence[0]?.id}`;
  await on(picture);
  await on(`${picture}/publish?boxes=0`, await photo("png"));
  await admin(`DELETE /admin/reports/${id}`, { reason_code: "court_order" });
  await on("undo-deletion");
  const other = await visitor("POST /reports/submit", {
    ...badCheck,
    terms_version: TERMS_VERSION,
  });
  await admin(`POST /admin/reports/${other.id}/verify`);
  await admin(`POST /admin/reports/${other.id}/reject`, {
    reason_code: "other",
    reason: "Not a check",
  });
}

/** An account that changes everything of itself, deletes itself and comes back. */
export async function actOfAccounts(teller: Teller): Promise<void> {
  const visitor = sender(teller);
  const { password } = ADMIN;
  const email = "mo@shop.example";
  const sent = { ...report, reporter_email: email, tracking_number: "WB-1042" };
  const earlier = await visitor("POST /reports/submit", sent);
  await visitor(`POST /verify-email/${await mailed(teller, earlier.id, "verify-email")}`);
  const names = { first_name: "Mo", last_name: "Reyes", company_name: "Reyes Audio" };
  const { token, user } = await visitor("POST /auth/register", {
    ...names,
    email,
    password,
    confirmPassword: password,
  });
  const own = sender(teller, token);
  const { id } = user;
  await own(`POST /verify-email/${await mailed(teller, id, "verify-email")}`);
  await own(`POST /account/reports/${earlier.id}/claim`);
  await own(`POST /account/reports/${earlier.id}/open`);
  await own("PUT /auth/profile", {
    first_name: "Moe",
    phone: "+1 303 555 0101",
    bio: "Sells audio",
  });
  await own("PUT /auth/preferences", { weekly_summary: true });
  await own("POST /auth/export");
  await own("POST /auth/change-email", { email: "moe@shop.example" });
  await own("POST /auth/confirm-email-change", {
    token: await mailed(teller, id, "change-email"),
  });
  await visitor("POST /auth/undo-email-change", {
    token: await mailed(teller, id, "undo-email-change"),
  });
  await visitor("POST /auth/forgot-password", { email });
  const proof = await mailed(teller, id, "reset-password");
  await visitor("POST /auth/reset-password", { token: proof, password, confirmPassword: password });
  await visitor("POST /auth/login", { email, password: "Wrong-horse-1" }).catch(() => undefined);
  const again = sender(teller, (await openSession(teller.url, { email, password })).token);
  const { secret } = await again("POST /auth/two-factor/setup");
  const first = await again("POST /auth/two-factor/confirm", { code: totpCode(secret) });
  const second = await again("POST /auth/two-factor/recovery-codes", {
    code: first.recovery_codes[0],
  });
  await again("DELETE /auth/two-factor", { code: second.recovery_codes[0] });
  await again("DELETE /auth/sessions");
  const changed = `${password}1`;
  await again("POST /auth/change-password", {
    currentPassword: password,
    password: changed,
    confirmPassword: changed,
  });
  await again("DELETE /auth/account", { password: changed });
  const login = { email, password: changed };
  const back = sender(teller, (await openSession(teller.url, login)).token);
  await back("POST /auth/logout", { all: true });
}

/** What staff do about accounts, cases and the system. */
export async function actOfStaff(
  teller: Teller,
  { notice, inquiry }: Readonly<Record<"notice" | "inquiry", string>>,
): Promise<void> {
  const admin = sender(teller, teller.admin.token);
  const invited = await admin(`POST ${ADMIN_USERS}`, {
    email: "kit@registry.example",
    first_name: "Kit",
    last_name: "Lund",
    role: "user",
  });
  const user = `${ADMIN_USERS}/${invited.id}`;
  await admin(`PUT ${user}`, { last_name: "Lunde" });
  await admin(`PUT ${user}/role`, { role: "auditor" });
  await admin(`POST ${user}/ban`, { reason: "Left" });
  await admin(`POST ${user}/unban`);
  await admin(`POST ${user}/reveal`);
  await admin(`DELETE ${user}`);
  await admin("PUT /system/settings", {
    sessionTimeout: 30,
    supportEmail: "help@registry.example",
  });
  const { job_id } = await admin("POST /system/actions", { action: "clear-cache" });
  while ((await admin(`GET /system/jobs/${job_id}`)).state !== "done") await setTimeout(200);
  await admin(`POST /admin/inquiries/${inquiry}/reveal`);
  await admin(`POST /admin/inquiries/${inquiry}/document`);
  await admin(`POST /admin/notices/${notice}/reveal`);
  const ask = { [X_EXPORT]: exportHeader({ list: "users", filter: {} }) };
  const { statement } = await admin(`GET ${LIST_EXPORT_COUNT}`, {}, ask);
  await admin("POST /admin/exports", { statement, format: "csv" });
}
