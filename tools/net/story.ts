import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pino from "pino";
import { stringify } from "yaml";
import { exportHeader, X_EXPORT } from "#contracts/http/list-exports.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import { databaseName } from "#local-servers/postgres/open.ts";
import { readPostmaster, serverUrl } from "#local-servers/postgres/server.ts";
import { pdf, photo } from "#pictures/testing/made-files.ts";
import { totpCode } from "#services/command-api/testing/two-factor.fixture.ts";
import { parseMasterKey } from "#vault/keys/master-ring.ts";
import { openKeysAndLog } from "#vault/open-keys-and-log.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { send } from "../../e2e/support/calls.ts";
import { startRegistry } from "../../e2e/support/registry.ts";
import { badCheck, chargeback } from "../../e2e/support/reports.ts";
import { ADMIN, openSession } from "../../e2e/support/sessions.ts";
import { sendSampleCases } from "../pictures/sample-cases.ts";
import { publishSampleEvidence, type SampleEvidence } from "../pictures/sample-evidence.ts";
import { openCardPayments, requestSampleBanners } from "../pictures/sample-payments.ts";
import { linkOf, submitSampleReport } from "../pictures/sample-report.ts";
import { addSampleStaff, addSampleTemplate, publishSampleTexts } from "../pictures/sample-texts.ts";
import { IDS, withPlaceholders } from "./screens.ts";

const { password } = ADMIN;

/** Writes every event of a story that takes place in its own registry. */
export async function writeStory(file: string): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-story-"));
  const cards = await openCardPayments();
  const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: password };
  const env = { RATE_LIMIT: "off", ...admin, ...cards.env };
  const registry = await startRegistry({ dataDir, env });
  const { url } = registry;
  try {
    const admin = await openSession(url, ADMIN);
    const owner = await openSession(url);
    await publishSampleTexts(url, admin.token);
    await addSampleTemplate(url, admin.token);
    const { plainReport } = await requestSampleBanners(url, cards, owner, admin);
    const { notice, inquiry } = await sendSampleCases(url, dataDir, admin, plainReport);
    const { question } = await submitSampleReport(url, dataDir, owner, admin);
    const published = await publishSampleEvidence(url, admin.token);
    await addSampleStaff(url, dataDir);
    const scene = new Scene(url, path.join(dataDir, "mail"));
    await actOnReports(scene, scene.as(admin.token), published, question.split("/").pop());
    await actOnAccount(scene);
    await actOfStaff(scene.as(admin.token), notice, inquiry);
    await writeFile(file, await logAsText(dataDir));
  } finally {
    await registry.stop();
    await cards.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The parts of replies that the story needs; each reply has some of them. */
type Reply = Readonly<
  Record<"id" | "secret" | "token" | "statement" | "job_id" | "state", string>
> & {
  readonly user: { readonly id: string };
  readonly recovery_codes: readonly string[];
  readonly evidence: readonly { readonly id: string }[];
};
type Send = (request: string, body?: object, headers?: Record<string, string>) => Promise<Reply>;

class Scene {
  readonly #url: string;
  readonly #mailFolder: string;
  readonly visitor: Send = this.as();

  constructor(url: string, mailFolder: string) {
    this.#url = url;
    this.#mailFolder = mailFolder;
  }

  /** Returns a sender that uses the session's newest token. */
  as(token?: string): Send {
    let newest = token;
    return async (request, body = {}, headers = {}) => {
      const reply = await send<Reply>(this.#url, request, body, newest, headers);
      if (token) newest = reply?.token ?? newest;
      return reply;
    };
  }

  async signIn(email: string, password: string): Promise<Send> {
    return this.as((await openSession(this.#url, { email, password })).token);
  }

  /** The token of a link that was emailed about a report or account. */
  async mailed(id: string, page: string): Promise<string> {
    return (await linkOf(this.#mailFolder, id, page)).split("/").pop() ?? "";
  }

  /** Submits a report. @returns its ID. */
  async submit(report: object): Promise<string> {
    const { id } = await this.visitor("POST /reports/submit", {
      ...report,
      terms_version: TERMS_VERSION,
    });
    return id;
  }
}

/** Reports that are confirmed, decided, undone, questioned, changed, masked, deleted and rejected. */
async function actOnReports(scene: Scene, admin: Send, published: SampleEvidence, token?: string) {
  const { visitor } = scene;
  await visitor("POST /report-question/answer", { token, answer: "The post, signed by Q. Harper" });
  const page = await visitor(`GET /reports/${published.evidence.split("/").pop()}`);
  await admin(`POST /admin/reports/${published.moderated}/evidence/${page.evidence[0]?.id}/hide`);
  const picture = await visitor("POST /uploads", await photo("png"));
  const letter = await visitor("POST /uploads", pdf());
  const evidence = [
    { id: picture.id, secret: picture.secret, name: "receipt.png" },
    { id: letter.id, secret: letter.secret, name: "letter.pdf" },
  ];
  const description = "Signed, then disputed. Call +1 303 555 0100 or quinn@home.example.";
  const id = await scene.submit({ ...chargeback, description, evidence });
  await visitor(`POST /verify-email/${await scene.mailed(id, "verify-email")}`);
  const report = `/admin/reports/${id}`;
  await admin(`POST ${report}/status`, { status: "under_review" });
  await admin(`POST ${report}/note`, { note: "Same wording as another report" });
  await admin(`POST ${report}/approve`);
  await admin(`POST ${report}/undo`);
  await admin(`POST ${report}/question`, { question: "Which carrier?" });
  await admin(`POST ${report}/question/withdraw`);
  await admin(`PUT ${report}`, { city: "Boulder", amount: 420, email: "quinn@home.example" });
  await admin(`POST ${report}/restore`, { revision: 1 });
  await admin(`POST ${report}/mask`, { revision: 0 });
  await admin(`POST ${report}/reveal`);
  await admin(`POST ${report}/evidence/${picture.id}`);
  await admin(`POST ${report}/evidence/${picture.id}/publish?boxes=0`, await photo("png"));
  await admin(`POST ${report}/evidence/${letter.id}/delete`, { reason_code: "private" });
  await admin(`POST ${report}/approve`);
  await admin(`DELETE ${report}`, { reason_code: "court_order" });
  await admin(`POST ${report}/undo-deletion`);
  const other = `/admin/reports/${await scene.submit(badCheck)}`;
  await admin(`POST ${other}/verify`);
  await admin(`POST ${other}/reject`, { reason_code: "other", reason: "Not a check" });
}

/** An account that claims a report, changes everything about itself, deletes itself and is restored. */
async function actOnAccount(scene: Scene): Promise<void> {
  const { visitor } = scene;
  const email = "mo@shop.example";
  const report = await scene.submit({ ...chargeback, reporter_email: email });
  await visitor(`POST /verify-email/${await scene.mailed(report, "verify-email")}`);
  const same = { password, confirmPassword: password };
  const names = { first_name: "Mo", last_name: "Reyes", company_name: "Reyes Audio" };
  const { token, user } = await visitor("POST /auth/register", { ...names, email, ...same });
  const mailed = (page: string) => scene.mailed(user.id, page);
  const own = scene.as(token);
  await own(`POST /verify-email/${await mailed("verify-email")}`);
  await own(`POST /account/reports/${report}/claim`);
  await own(`POST /account/reports/${report}/open`);
  await own("PUT /auth/profile", { first_name: "Moe", phone: "+1 303 555 0101", bio: "Audio" });
  await own("PUT /auth/preferences", { weekly_summary: true });
  await own("POST /auth/export");
  await own("POST /auth/change-email", { email: "moe@shop.example" });
  await own("POST /auth/confirm-email-change", { token: await mailed("change-email") });
  await visitor("POST /auth/undo-email-change", { token: await mailed("undo-email-change") });
  await visitor("POST /auth/forgot-password", { email });
  await visitor("POST /auth/reset-password", { token: await mailed("reset-password"), ...same });
  await visitor("POST /auth/login", { email, password: "Wrong-horse-1" }).catch(() => undefined);
  const again = await scene.signIn(email, password);
  const { secret } = await again("POST /auth/two-factor/setup");
  const first = await again("POST /auth/two-factor/confirm", { code: totpCode(secret) });
  const [code] = first.recovery_codes;
  const second = await again("POST /auth/two-factor/recovery-codes", { code });
  await again("DELETE /auth/two-factor", { code: second.recovery_codes[0] });
  await again("DELETE /auth/sessions");
  const other = { password: `${password}1`, confirmPassword: `${password}1` };
  await again("POST /auth/change-password", { currentPassword: password, ...other });
  await again("DELETE /auth/account", { password: other.password });
  const back = await scene.signIn(email, other.password);
  await back("POST /auth/logout", { all: true });
}

/** Staff actions on accounts, cases and the system. */
async function actOfStaff(admin: Send, notice: string, inquiry: string): Promise<void> {
  const kit = { email: "kit@registry.example", first_name: "Kit", last_name: "Lund" };
  const user = `/admin/users/${(await admin("POST /admin/users", { ...kit, role: "user" })).id}`;
  await admin(`PUT ${user}`, { last_name: "Lunde" });
  await admin(`PUT ${user}/role`, { role: "auditor" });
  await admin(`POST ${user}/ban`, { reason: "Left" });
  await admin(`POST ${user}/unban`);
  await admin(`POST ${user}/reveal`);
  await admin(`DELETE ${user}`);
  await admin("PUT /system/settings", { sessionTimeout: 30, supportEmail: "help@shop.example" });
  const { job_id } = await admin("POST /system/actions", { action: "clear-cache" });
  while ((await admin(`GET /system/jobs/${job_id}`)).state !== "done") await setTimeout(200);
  await admin(`POST /admin/inquiries/${inquiry}/reveal`);
  await admin(`POST /admin/inquiries/${inquiry}/document`);
  await admin(`POST /admin/notices/${notice}/reveal`);
  const ask = { [X_EXPORT]: exportHeader({ list: "users", filter: {} }) };
  const { statement } = await admin("GET /admin/exports/count", {}, ask);
  await admin("POST /admin/exports", { statement, format: "csv" });
}

/** Writes out every event of a running registry's log, decrypted, stream by stream. */
async function logAsText(dataDir: string): Promise<string> {
  const { cluster, databasePassword, masterKey } = dataPaths(dataDir);
  const { port } = await readPostmaster(cluster);
  const password = (await readFile(databasePassword, "utf8")).trim();
  const url = serverUrl(port as number, password, databaseName);
  const masterKeys = [parseMasterKey((await readFile(masterKey, "utf8")).trim())];
  const stores = { keysUrl: url, eventStoreUrl: url, masterKeys };
  const { keys, store } = await openKeysAndLog(
    stores,
    "net",
    { keys: 1, log: 1 },
    { log: pino({ level: "silent" }) },
  );
  try {
    // Events that processes append by themselves arrive a moment later.
    for (let head = ""; head !== (await store.head()); await setTimeout(2000))
      head = await store.head();
    const streams = new Map<string, string[]>();
    for await (const event of store.readAll()) {
      const found = await keys.get(registryCodec.subjectsOf([event]));
      const { data } = registryCodec.openEvent(event, found);
      const lines = streams.get(event.stream) ?? [];
      streams.set(event.stream, [...lines, eventAsText(event, data)]);
    }
    return withNames(streams);
  } finally {
    await store.close();
    await keys.close();
  }
}

function eventAsText({ type, revision, metadata }: StoredEvent, data: object): string {
  const { schemaVersion, command, actor, origin, client, bodyMac } = metadata;
  const from = [actor.role, origin, ...(client ? ["client"] : []), ...(bodyMac ? ["mac"] : [])];
  const head = `${revision} ${type} ${schemaVersion}: ${command} (${from.join(", ")})`;
  const text = stringify({ by: actor.id, ...data }, { sortMapEntries: true, lineWidth: 0 });
  return `${head}\n${text.replaceAll(/^/gm, "  ").trimEnd()}\n`;
}

/** Replaces stream IDs with names wherever they occur. */
function withNames(streams: ReadonlyMap<string, readonly string[]>): string {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  for (const stream of streams.keys()) {
    const [kind = "", id] = stream.split(/-(.+)/s);
    if (!id) continue;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(id, `<${kind} ${count}>`);
  }
  const sections = [...streams].map(([stream, events]) => {
    // Other IDs are numbered per stream, so that one more does not change other streams.
    const others = new Map<string, string>();
    const named = [`# ${stream}`, ...events].join("\n").replaceAll(IDS, (id) => {
      const name = names.get(id) ?? others.get(id) ?? `<id ${others.size + 1}>`;
      if (!names.has(id)) others.set(id, name);
      return name;
    });
    return withPlaceholders(named);
  });
  return sections.join("\n");
}
