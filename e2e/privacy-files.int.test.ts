import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InquiryKind, inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import { openFileStore } from "#files/file-stores.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { CANARY, photo } from "#pictures/testing/made-files.ts";
import { newEnvelope, systemCaller } from "#services/command-api/kernel/envelope.ts";
import { ACCOUNT_CANARIES } from "#test-kit/canaries.ts";
import { noRedis, openTestRedis } from "#test-kit/redis-server.ts";
import { found, ofAccounts } from "./support/canaries.ts";
import { inquiryWithCanaries, inquiryWord, pdfWith, words } from "./support/file-canaries.ts";
import { type Role, type System, startSystem } from "./support/in-process.ts";
import { keysIn } from "./support/redis-texts.fixture.ts";
import { chargeback, eraseReport } from "./support/reports.ts";
import { decoded, filesIn, leaks, mailsIn, rowsOf, tokenMailedTo } from "./support/traces.ts";

const KINDS = Object.keys(inquiryForms) as InquiryKind[];
const ofInquiries = KINDS.flatMap((kind) =>
  Object.values(inquiryWithCanaries(kind)).flatMap(
    (value) => value.toLowerCase().match(/^zq[a-z]*canary/) ?? [],
  ),
);
const ofReports = Object.values(words).map((word) => word.toLowerCase());
const CORRECTED = `${words.corrected}@shop.example`;
const corrected = words.corrected.toLowerCase();
const all = [...ofReports, ...ofInquiries, CANARY, "9182734455"];

let redis: Awaited<ReturnType<typeof openTestRedis>> | undefined;
let system: System;
let files: string;
beforeAll(async () => {
  redis = noRedis ? undefined : await openTestRedis();
  system = await startSystem(redis ? { jobsUrl: redis.url, rateLimitUrl: redis.url } : {});
  files = path.join(system.mailFolder, "files");
});
afterAll(async () => {
  await system?.close();
  await redis?.dispose();
});

const now = () => new Date().toISOString();
const admin = (id: string, rest = "") => `/prod/api/admin/reports/${id}${rest}`;

async function send(
  url: string,
  body: object,
  as: Role = "admin",
  method: "POST" | "PUT" = "POST",
) {
  const answer = await system.call(method, url, { body, as });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200);
  return answer.json().data;
}

/** Uploads a file. @returns how a request refers to it. */
async function upload(content: Buffer, name: string) {
  const headers = { "content-type": "application/octet-stream" };
  const answer = await system.call("POST", "/prod/api/uploads", { raw: content, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  const { id, secret } = answer.json().data;
  return { id, secret, name };
}

async function publish(id: string, file: string): Promise<string> {
  const answer = await system.call("POST", admin(id, `/evidence/${file}/publish?boxes=1`), {
    raw: await photo("jpeg"),
    headers: { "content-type": "application/octet-stream" },
    as: "admin",
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const report = await system.commandApi.reports.load(id);
  return report?.copies.at(-1)?.copy_id ?? "";
}

const mails = () => mailsIn(system.mailFolder);
/** Returns the token of an emailed link, sent to the corrected address by default. */
async function mailedToken(kind: string, to = CORRECTED): Promise<string> {
  let token: string | undefined;
  const look = async () => {
    token = await tokenMailedTo(system.mailFolder, to, kind);
    return token;
  };
  await expect.poll(look, { timeout: 15_000 }).toBeDefined();
  return token ?? "";
}

/** Returns everything that is stored, logged or measured, except emails. */
async function places(): Promise<Map<string, string>> {
  const metrics = [system.commandApi.app, system.queryApi.app].map((app) =>
    app.metrics.registry.metrics(),
  );
  return new Map([
    ...(await rowsOf(system.db)),
    ...(redis ? await keysIn(redis.url) : []),
    ...(await filesIn(files)),
    ["logs", system.logged()],
    ["metrics", (await Promise.all(metrics)).join("\n")],
  ]);
}

/** Returns the answers to strangers, and to staff who look at lists and histories. */
async function answers(): Promise<Map<string, string>> {
  const slugs = (await system.read("/prod/api/reports/recent"))
    .json()
    .data.map((report: { seo_title: string }) => report.seo_title);
  const asked: [string, Role][] = [
    ["/prod/api/reports/recent", "visitor"],
    ["/prod/api/habitual-offenders", "visitor"],
    ["/prod/api/reports/all", "admin"],
    ["/prod/api/admin/reports", "admin"],
    ["/prod/api/admin/audit-logs?limit=200", "auditor"],
    ["/prod/api/admin/inquiries", "admin"],
    ["/prod/api/admin/mails", "admin"],
    ...all.slice(0, 8).map((q): [string, Role] => [`/prod/api/reports/search?q=${q}`, "visitor"]),
    ...slugs.map((slug: string): [string, Role] => [`/prod/api/reports/${slug}`, "visitor"]),
    ...slugs.map((slug: string): [string, Role] => [`/prod/api/reports/${slug}`, "user"]),
    ...[first.id, second.id].flatMap((id): [string, Role][] => [
      [admin(id), "auditor"],
      [admin(id, "/history"), "auditor"],
      [admin(id, "/history?at=3"), "auditor"],
    ]),
  ];
  const texts = new Map<string, string>();
  for (const [url, as] of asked) {
    const answer = await system.read(url, as);
    expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(500);
    // A search echoes its query.
    texts.set(
      `${url} as ${as}`,
      url.includes("?q=") ? JSON.stringify(answer.json().data) : answer.body,
    );
  }
  return texts;
}

const published = () => system.read(`/prod/api/reports/${first.id}/evidence/${first.copy}`);
const erase = (id: string) =>
  system.commandApi.reports.execute(
    id,
    { type: "EraseReporter" },
    newEnvelope(systemCaller(now())),
  );
const stateOf = async (subject: string) =>
  (await system.commandApi.keys.get([subject])).get(subject)?.state;

/** Expects emails to contain only what they are sent for, and to go only where it belongs. */
async function expectMails(): Promise<void> {
  const sent = [...(await filesIn(system.mailFolder))].filter(([name]) => name.endsWith(".eml"));
  const places = new Set<string>();
  for (const [, text] of sent) {
    const to = /^To: (.*)$/m.exec(text)?.[1] ?? "";
    for (const canary of leaks(new Map([["", decoded(text)]]), all)) places.add(`${to}${canary}`);
  }
  const inbox = (place: string) => /^support@registry\.example: /.test(place);
  const others = [...places].filter((place) => !inbox(place));
  const senders = KINDS.map((kind) => inquiryWord(kind, "email"));
  expect(others.map((place) => place.toLowerCase()).toSorted()).toEqual(
    [
      ...[words.corrected, words.question].map(
        (word) => `${words.corrected}@shop.example: ${word}`,
      ),
      ...senders.map((word) => `${word}@registry.example: ${word}`),
      ...inquiries.map(
        ({ kind }) => `${inquiryWord(kind, "email")}@registry.example: ${words.inquiryAnswer}`,
      ),
    ]
      .map((place) => place.toLowerCase())
      .toSorted(),
  );
  const ofInbox = [...places].filter(inbox).map((place) => place.replace(/^.*: /, ""));
  expect(ofInbox.filter((word) => ofReports.includes(word))).toEqual([
    words.orderName.toLowerCase(),
  ]);
}

/** A visitor's report with evidence, and the user's report with letters. */
const first = { id: "", pdf: "", photo: "", copy: "" };
const second = { id: "", letter: "" };
const numbers: string[] = [];
const inquiries: { readonly id: string; readonly number: string; readonly kind: InquiryKind }[] =
  [];
const inquiry = (id: string, rest = "") => `/prod/api/admin/inquiries/${id}${rest}`;
const NOTICES = "/prod/api/admin/notices";
const listedInquiries = async () =>
  (await system.read("/prod/api/admin/inquiries", "admin")).json().data.inquiries;

describe("a canary in everything that comes with a report, after it, or without one", () => {
  it("is never stored in plain text, logged, or shown to a stranger", async () => {
    const evidence = [
      await upload(pdfWith(words.pdf), `${words.pdfName}.pdf`),
      await upload(await photo("jpeg"), `${words.photoName}.jpg`),
      await upload(await photo("png"), `${words.photoName}.png`),
    ];
    [first.pdf, first.photo] = evidence.map(({ id }) => id) as [string, string];
    const submitted = await send(
      "/prod/api/reports/submit",
      { ...chargeback, evidence },
      "visitor",
    );
    first.id = submitted.id;
    const email = CORRECTED;
    await send(
      `/prod/api/reports/${first.id}/correct-address`,
      { token: submitted.correction_token, email },
      "visitor",
    );
    await send(`/prod/api/verify-email/${await mailedToken("verify-email")}`, {}, "visitor");
    await send(admin(first.id, "/question"), { question: `${words.question}?` });
    const question = await mailedToken("report-question");
    await send("/prod/api/report-question", { token: question }, "visitor");
    const answer = { token: question, answer: words.answer };
    await send("/prod/api/report-question/answer", answer, "visitor");
    await send("/prod/api/report-status", { token: await mailedToken("report-status") }, "visitor");
    await send(admin(first.id, "/approve"), {});
    await send(admin(first.id, "/reveal"), {});
    const opened = await system.call("POST", admin(first.id, `/evidence/${first.pdf}`), {
      body: {},
      as: "admin",
    });
    // Proves that the file has what the test searches for.
    expect(opened.rawPayload.includes(words.pdf)).toBe(true);
    expect(opened.headers["content-disposition"]).toContain(words.pdfName);
    const hidden = await publish(first.id, first.photo);
    await send(admin(first.id, `/evidence/${hidden}/hide`), { reason: words.hidden });
    first.copy = await publish(first.id, first.photo);

    second.id = (await send("/prod/api/reports/submit", chargeback, "user")).id;
    await send(admin(second.id, "/approve"), {});
    const ask = async () => {
      const letter = await upload(pdfWith(words.letter), `${words.letterName}.pdf`);
      second.letter = letter.id;
      const url = `/prod/api/account/reports/${second.id}/resolution`;
      const body = { letter, terms_version: TERMS_VERSION };
      return (await send(url, body, "user")).resolution.request_id as string;
    };
    const refused = { request_id: await ask(), reason: words.refusal };
    await send(admin(second.id, "/resolution/refuse"), refused);
    const request_id = await ask();
    await send(admin(second.id, "/resolution/accept"), { request_id });
    const payment = { request_id, method: "bank_transfer", reference: words.reference };
    await send(admin(second.id, "/resolution/payment"), payment);
    await send(admin(second.id, "/resolution/payment"), {
      ...payment,
      reference: `${words.reference} 2`,
      again: true,
    });
    const paid = (await system.commandApi.reports.load(second.id))?.resolution?.payments.at(-1);
    await send(admin(second.id, "/resolution/refund"), {
      payment_id: paid?.payment_id,
      reason_code: "double",
      reason: words.refund,
    });

    const order = await upload(pdfWith(words.order), `${words.orderName}.pdf`);
    for (const kind of KINDS) {
      const { path: url, attachment } = inquiryForms[kind];
      const file = attachment ? { document_file: order } : {};
      const { number } = await send(url, { ...inquiryWithCanaries(kind), ...file }, "visitor");
      numbers.push(number);
    }
    inquiries.push(...(await listedInquiries()));
    expect(inquiries).toHaveLength(2);
    for (const { id, kind } of inquiries) {
      await send(inquiry(id, "/notes"), { text: `${words.inquiryNote} rang` });
      await send(inquiry(id, "/status"), { status: "in_work", revision: 0 });
      await send(inquiry(id, "/answer"), { text: `${words.inquiryAnswer} yes`, revision: 1 });
      const to = `${inquiryWord(kind, "email")}@registry.example`;
      const token = await mailedToken("inquiry-answer", to);
      await send("/prod/api/inquiry-answer", { token }, "visitor");
      const reply = { token, reply: `${words.inquiryReply} thanks` };
      await send("/prod/api/inquiry-answer/reply", reply, "visitor");
      const told = JSON.stringify(await send(inquiry(id, "/reveal"), {}));
      expect(leaks(new Map([["revealed", told]]), ofInquiries)).not.toEqual([]);
      expect(told).toContain(words.inquiryReply);
      expect((await system.read(inquiry(id), "admin")).body).not.toContain(words.inquiryReply);
      // Proves that the note has what the test searches for.
      expect((await system.read(inquiry(id), "admin")).body).toContain(words.inquiryNote);
    }
    const notices = (await system.read(NOTICES, "admin")).json().data.notices;
    expect(notices).toHaveLength(2);
    for (const { id } of notices) {
      const url = `${NOTICES}/${id}`;
      await send(`${url}/notes`, { text: `${words.inquiryNote} rang` });
      const why = { reason_code: "other", reason: words.inquiryNote, revision: 0 };
      await send(`${url}/refuse`, why);
      const { steps } = (await system.read(url, "admin")).json().data;
      const told = steps.filter(({ text = "" }) => text.includes(words.inquiryNote));
      expect(told).toHaveLength(2);
    }
    await system.commandApi.background.finish();
    await expect
      .poll(async () => leaks(new Map([["mails", await mails()]]), ofInquiries).length, {
        timeout: 15_000,
      })
      .toBeGreaterThan(0);

    // What moderators read of reports is in their own table, as names and texts of reports are.
    const ofModerators = [words.question, words.answer, words.reference];
    const read = ofModerators.map((word) => `reports.report: ${word.toLowerCase()}`);
    expect(leaks(await places(), all).toSorted()).toEqual(read.toSorted());
    // Staff give their reasons in a history.
    const why = [words.hidden, words.refusal, words.refund].map((word) => word.toLowerCase());
    const told = all.filter((word) => !why.includes(word));
    expect(leaks(await answers(), told)).toEqual([]);
    const seen = leaks(await answers(), why).filter(
      (place) => !/\/history.* as auditor/.test(place),
    );
    expect(seen).toEqual([]);
    const picture = await published();
    expect(picture.statusCode, picture.body).toBe(200);
    expect(leaks(new Map([["picture", picture.rawPayload.toString("latin1")]]), all)).toEqual([]);
    await expectMails();
  }, 90_000);

  it("of an erased reporter is gone; evidence and its published copy stay, and reveal nothing of them", async () => {
    await erase(first.id);
    await expect
      .poll(async () => leaks(new Map([["mail", await mails()]]), [corrected]), { timeout: 15_000 })
      .toEqual([]);
    const gone = [words.answer, words.corrected].map((word) => word.toLowerCase());
    await expect.poll(async () => leaks(await places(), gone), { timeout: 15_000 }).toEqual([]);
    await system.rebuild();
    expect(leaks(await places(), gone)).toEqual([]);
    const shown = [admin(first.id), admin(first.id, "/history"), admin(first.id, "/history?at=0")];
    for (const url of shown)
      expect(leaks(new Map([[url, (await system.read(url, "admin")).body]]), gone)).toEqual([]);
    const reveal = await send(admin(first.id, "/reveal"), {});
    expect(leaks(new Map([["reveal", JSON.stringify(reveal)]]), gone)).toEqual([]);
    expect(reveal.evidence).toHaveLength(3);
    const picture = await published();
    expect(picture.statusCode).toBe(200);
    expect(leaks(new Map([["picture", picture.rawPayload.toString("latin1")]]), all)).toEqual([]);
    const { rows } = await system.db.query(
      "select network from command.upload where id = any($1)",
      [[first.pdf, first.photo, first.copy]],
    );
    expect(rows).toEqual([{ network: null }, { network: null }, { network: null }]);
  }, 60_000);

  it("of an erased account is gone, with the letters; what bookkeeping needs stays with the report", async () => {
    const [profile] = [(await system.read("/prod/api/auth/profile", "user")).json().data.user];
    const { email: _, ...fields } = ACCOUNT_CANARIES;
    await send("/prod/api/auth/profile", fields, "user", "PUT");
    expect((await system.read("/prod/api/auth/profile", "user")).body).toContain(fields.bio);
    const { first_name, last_name } = ACCOUNT_CANARIES;
    // Staff search accounts by name, so one table holds names in plain text.
    const names = found(`${first_name} ${last_name}`, ofAccounts).map(
      (name) => `users."user": ${name}`,
    );
    await expect.poll(async () => leaks(await places(), ofAccounts).sort()).toEqual(names.sort());
    const before = await filesIn(files);
    expect([...before.keys()].some((name) => name.includes(second.letter))).toBe(true);
    await system.commandApi.accountEraser.erase(profile.id, systemCaller(now()));
    expect([...(await filesIn(files)).keys()].some((name) => name.includes(second.letter))).toBe(
      false,
    );
    expect(await stateOf(subjects.file(second.letter))).toBe("destroyed");
    expect(await stateOf(subjects.account(profile.id))).toBe("destroyed");
    // Even the remaining keys reveal nothing of the letter.
    const opened = JSON.stringify(await system.commandApi.reports.load(second.id));
    const letter = [words.letter, words.letterName].map((word) => word.toLowerCase());
    expect(leaks(new Map([["report", opened]]), [...letter, ...ofAccounts])).toEqual([]);
    expect(opened).toContain(words.reference);
    const history = await system.read(admin(second.id, "/history"), "admin");
    expect(leaks(new Map([["history", history.body]]), [...letter, ...ofAccounts])).toEqual([]);
    await expect
      .poll(async () => leaks(await places(), ofAccounts), { timeout: 15_000 })
      .toEqual([]);
  }, 60_000);

  it("of an erased inquiry is gone, including from emails and its document", async () => {
    // One is erased at the end of its retention, the others on request.
    const [old] = inquiries;
    const others = numbers.filter((number) => number !== old?.number);
    const { rowCount } = await system.db.query(
      "update command.inquiry set received_at = now() - interval '10 years' where id = $1",
      [old?.id],
    );
    expect(rowCount).toBe(1);
    await system.commandApi.inquiries.eraseDue(Date.now());
    for (const number of others)
      expect(await system.commandApi.inquiries.eraseByNumber(number, systemCaller(now()))).toBe(
        true,
      );
    const { order, orderName, inquiryNote, inquiryAnswer, inquiryReply } = words;
    const gone = [order, orderName, inquiryNote, inquiryAnswer, inquiryReply].map((word) =>
      word.toLowerCase(),
    );
    gone.push(...ofInquiries);
    await expect.poll(listedInquiries, { timeout: 15_000 }).toEqual([]);
    for (const { id } of inquiries) {
      expect((await system.read(inquiry(id), "admin")).statusCode).toBe(404);
      expect(await stateOf(subjects.inquiry(id))).toBe("destroyed");
    }
    await expect
      .poll(async () => leaks(new Map([["mail", await mails()]]), gone), { timeout: 15_000 })
      .toEqual([]);
    expect(leaks(await places(), gone)).toEqual([]);
  }, 60_000);

  it("of an erased report is gone everywhere, and a backup of its files can't be decrypted", async () => {
    const backup = path.join(system.mailFolder, "backup");
    await cp(files, backup, { recursive: true });
    for (const { id } of [first, second]) {
      const body = { reason_code: "subject_request" };
      const answer = await system.call("DELETE", admin(id), { body, as: "admin" });
      expect(answer.statusCode, answer.body).toBe(200);
      await eraseReport(system, id);
    }
    await system.commandApi.background.finish();
    await expect.poll(async () => [...(await filesIn(files)).keys()]).toEqual([]);
    expect((await published()).statusCode).toBe(404);
    await expect
      .poll(async () => leaks(new Map([["mail", await mails()]]), all), { timeout: 15_000 })
      .toEqual([]);
    await expect.poll(async () => leaks(await places(), all), { timeout: 15_000 }).toEqual([]);
    await system.rebuild();
    expect(leaks(await places(), all)).toEqual([]);
    expect(leaks(await answers(), all)).toEqual([]);

    await rm(files, { recursive: true });
    await cp(backup, files, { recursive: true });
    const restored = [...(await filesIn(files)).keys()].map((name) => path.basename(name));
    expect(restored.length).toBeGreaterThan(3);
    const store = await openFileStore(pathToFileURL(files).href);
    const sealed = new SealedFiles({ files: store, keys: system.commandApi.keys });
    for (const id of [first.pdf, first.photo, first.copy]) {
      expect(await store.size(id)).toBeGreaterThan(0);
      expect((await sealed.get(id)).state).toBe("erased");
    }
    expect(leaks(await filesIn(files), all)).toEqual([]);
    await store.close();
    expect((await published()).statusCode).toBe(404);
  }, 60_000);
});
