import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import type { ExportPage } from "#contracts/http/account-export.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { forFile } from "#test-kit/for-file.ts";
import { exportPlaces } from "#vault/links/list-export.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { CommandHandler } from "../kernel/handler.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { emailChangeCalls } from "../testing/email-changes.fixture.ts";
import { submit, verificationToken } from "../testing/reports.fixture.ts";
import { resolutionCalls } from "../testing/resolutions.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";
import { named, pdf, upload } from "../testing/uploads.fixture.ts";
import { AccountStreams } from "./account-streams.ts";

const fixture = forFile(() => startCommandApi());

const calls = emailChangeCalls(() => fixture);
const { member, signIn, change, undo, undoOf, setPassword } = calls;
const OTHER = "Better-stapler-8";

const system = () => systemCaller(new Date().toISOString());
const post = (url: string, token: string | undefined, payload: object = {}) =>
  fixture.api.app.inject({
    method: "POST",
    url,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    payload,
  });

/** All pages of an export, put together as the site does. */
async function exported(token: string) {
  const pages: ExportPage[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const reply = await post("/prod/api/auth/export", token, next === "" ? {} : { next });
    expect(reply.statusCode, reply.body).toBe(200);
    const page: ExportPage = reply.json().data;
    pages.push(page);
    next = page.next;
  }
  const all = <P extends "history" | "sessions" | "claims" | "inquiries" | "reports">(part: P) =>
    pages.flatMap((page) => page[part] as ExportPage[P][number][]);
  return {
    pages: pages.length,
    about: pages[0]?.about,
    files: pages[0]?.files ?? "",
    history: all("history"),
    sessions: all("sessions"),
    claims: all("claims"),
    inquiries: all("inquiries"),
    reports: all("reports"),
  };
}
const download = (token: string, from: string, file: object) =>
  post("/prod/api/auth/export/file", token, { export: from, file });
const inquiry = (email: string, company = "Canary-company") => ({
  company,
  name: "Ann Bo",
  email,
  useCase: "We check orders",
});
const kindsOf = async (id: string): Promise<string[]> => {
  const { rows } = await fixture.db.query(
    "select kind from command.account_stream where account_id = $1 order by position",
    [id],
  );
  return rows.map(({ kind }) => kind);
};
/** A page token, which opens no files. */
async function pageToken(accountId: string): Promise<string> {
  const places = exportPlaces(await fixture.api.keys.liveKey("positions"));
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  return places.seal({ accountId, part: "reports", after: "", expiresAt });
}
async function submitterOf(id: string): Promise<string | undefined> {
  const first = { limit: 1 };
  for await (const { metadata } of fixture.api.store.readStream(streams.report(id), 0, first))
    return metadata.actor.id;
  return undefined;
}
const viewed = async (type: string) =>
  (await fixture.db.query("select metadata from event_log.event where type = $1", [type])).rows.map(
    ({ metadata }) => metadata.actor.id,
  );

describe("exporting everything about an account", () => {
  it("includes more events than a page holds, each once", async () => {
    const ann = await member();
    const { store, keys } = fixture.api;
    const handler = new CommandHandler({ store, keys, codec: registryCodec });
    const many = {
      ...accountAggregate(ann.id),
      decide: () =>
        Array.from({ length: 400 }, () => ({
          type: "SessionsEnded" as const,
          data: { cause: "signed_out" as const },
        })),
    };
    for (let n = 0; n < 6; n += 1)
      await handler.execute(many, { type: "SignOutEverywhere" }, newEnvelope(system()));
    const { history, pages } = await exported(await signIn(ann.email));
    expect(pages).toBe(3);
    expect(history.filter(({ event }) => event === "SessionsEnded")).toHaveLength(2400);
    expect(history.at(0)?.event).toBe("AccountAdded");
    expect(history.at(-1)?.event).toBe("AccountDataExported");
  });

  it("includes sessions whose rows were deleted long ago, with the places they were used from", async () => {
    const ann = await member();
    await post("/prod/api/auth/logout", ann.token);
    const second = await signIn(ann.email);
    await fixture.db.query(
      "update command.session set ended_at = now() - interval '2 days' where account_id = $1 and ended_at is not null",
      [ann.id],
    );
    await fixture.api.sessions.sweep(Date.now());
    const { rows } = await fixture.db.query(
      "select id from command.session where account_id = $1",
      [ann.id],
    );
    expect(rows).toHaveLength(1);
    const { sessions } = await exported(second);
    expect(sessions).toMatchObject([
      { current: false, ended_at: expect.any(String), uses: [{ ip: "127.0.0.1" }] },
      { current: true, uses: [{ ip: "127.0.0.1" }] },
    ]);
    expect(sessions[1]).not.toHaveProperty("ended_at");
  });

  it("includes previous addresses, but not the address of an undone change", async () => {
    const ann = await member();
    const moved = await change(ann);
    const { about, sessions } = await exported(moved.token);
    expect(about?.account.email).toBe(moved.email);
    expect(about?.former_emails).toEqual([{ email: ann.email, until: expect.any(String) }]);
    // The address change ended no session except this one's predecessor.
    expect(sessions.every(({ uses }) => uses.every(({ ip }) => ip === "127.0.0.1"))).toBe(true);
    const theirs = await signIn(moved.email);
    expect(theirs).toBeTruthy();
    const undone = await undo(await undoOf(ann.id));
    await setPassword(undone.json().data.reset_token, OTHER);
    const back = await exported(await signIn(ann.email, OTHER));
    expect(back.about?.former_emails).toEqual([]);
    expect(JSON.stringify(back)).not.toContain(moved.email);
    // Whoever signed in during the change may have been someone else, so only the network is shown.
    const [first, meanwhile, last] = back.sessions;
    expect(first?.uses).toMatchObject([{ ip: "127.0.0.1" }]);
    expect(meanwhile?.uses).toEqual([
      { at: expect.any(String), network: "127.0.x.x", device: expect.any(String) },
    ]);
    expect(last?.uses).toMatchObject([{ ip: "127.0.0.1" }]);
  });

  it("includes claimed reports, but not where a visitor submitted them from", async () => {
    const ann = await member();
    const id = await submit(fixture, { ...chargeback, reporter_email: ann.email });
    await fixture.call("POST", `/prod/api/verify-email/${await verificationToken(fixture, id)}`, {
      body: {},
    });
    expect((await post(`/prod/api/account/reports/${id}/claim`, ann.token)).statusCode).toBe(200);
    const own = (await post("/prod/api/reports/submit", ann.token, chargeback)).json().data.id;
    const { claims, reports } = await exported(ann.token);
    expect(claims).toEqual([
      { report_id: id, at: expect.any(String), ip: "127.0.0.1", device: expect.any(String) },
    ]);
    const of = (which: string) => reports.find((report) => report.id === which);
    expect(of(id)).not.toHaveProperty("submitted_from");
    expect(of(own)?.submitted_from).toMatchObject({ ip: "127.0.0.1" });
    await fixture.api.reports.disown(id, ann.id, "address_change_undone", system());
    const after = await exported(ann.token);
    expect(after.claims).toMatchObject([{ report_id: id, taken_back_at: expect.any(String) }]);
    expect(after.reports.map((report) => report.id)).toEqual([own]);
  });

  it("includes forms sent while signed in, until they are erased", async () => {
    const [ann, bea] = [await member(), await member()];
    await post("/prod/api/enterprise/contact", bea.token, inquiry(bea.email, "Canary-of-Bea"));
    await post(
      "/prod/api/enterprise/contact",
      undefined,
      inquiry(ann.email, "Canary-of-a-visitor"),
    );
    const sent = await post("/prod/api/enterprise/contact", ann.token, inquiry(ann.email));
    expect(sent.statusCode, sent.body).toBe(200);
    const { number } = sent.json().data;
    const { inquiries } = await exported(ann.token);
    expect(inquiries).toMatchObject([{ number, ip: "127.0.0.1", sent_at: expect.any(String) }]);
    expect(inquiries[0]?.answers).toContainEqual({ label: "Email", text: ann.email });
    expect(JSON.stringify(inquiries)).toContain("Canary-company");
    expect(JSON.stringify(inquiries)).not.toMatch(/Canary-of/);
    await fixture.api.inquiries.eraseByNumber(number, system());
    expect((await exported(ann.token)).inquiries).toEqual([]);
    expect(await kindsOf(ann.id)).toEqual(["session"]);
  });
});

describe("the files of an export", () => {
  it("are the ones that the account added itself: evidence, letters and documents", async () => {
    const resolution = resolutionCalls(() => fixture);
    const token = fixture.tokens.user;
    const content = Buffer.concat([pdf.subarray(0, -6), Buffer.from("% of the owner\n%%EOF\n")]);
    const evidence = await upload(fixture, content);
    const sent = await post("/prod/api/reports/submit", token, {
      ...chargeback,
      evidence: [named(evidence, "Quinn's invoice.pdf")],
    });
    const id = sent.json().data.id;
    await resolution.staff(id, "/approve", {});
    const letter = await upload(fixture);
    await resolution.ask(id, letter);
    const order = await upload(fixture);
    const request = {
      agency: "Denver Police",
      name: "Det. Ann Lee",
      email: "ann@police.example",
      legal_basis: "Subpoena 12",
      cases: "Quinn Ames",
      document_file: named(order, "order.pdf"),
    };
    expect((await post("/prod/api/law-enforcement/requests", token, request)).statusCode).toBe(200);
    const { reports, inquiries, files } = await exported(token);
    const report = reports.find((each) => each.id === id);
    expect(report?.files).toMatchObject([
      {
        file_id: evidence.id,
        kind: "evidence",
        name: "Quinn's invoice.pdf",
        bytes: content.length,
      },
      { file_id: letter.id, kind: "letter", name: "Notarized letter.pdf" },
    ]);
    expect(inquiries).toMatchObject([{ document: { name: "order.pdf", type: "application/pdf" } }]);

    const first = await download(token, files, { report_id: id, file_id: evidence.id });
    expect(first.statusCode, first.body).toBe(200);
    expect(first.rawPayload).toEqual(content);
    expect(first.headers["content-disposition"]).toBe(
      "attachment; filename*=UTF-8''Quinn%27s%20invoice.pdf",
    );
    const owner = await submitterOf(id);
    expect(await viewed("EvidenceViewed")).toEqual([owner]);
    expect((await download(token, files, { report_id: id, file_id: letter.id })).statusCode).toBe(
      200,
    );
    const document = await download(token, files, { inquiry_id: inquiries[0]?.id ?? "" });
    expect([document.statusCode, document.rawPayload]).toEqual([200, pdf]);
    expect(await viewed("InquiryDocumentViewed")).toEqual([owner]);
  });

  it("need their own account, an export in progress and a recently entered password", async () => {
    const [ann, bea] = [await member(), await member()];
    const [theirs, own] = [await upload(fixture), await upload(fixture)];
    const visitors = await submit(fixture, {
      ...chargeback,
      reporter_email: ann.email,
      evidence: [named(theirs)],
    });
    const link = await verificationToken(fixture, visitors);
    await fixture.call("POST", `/prod/api/verify-email/${link}`, { body: {} });
    await post(`/prod/api/account/reports/${visitors}/claim`, ann.token);
    const sent = await post("/prod/api/reports/submit", ann.token, {
      ...chargeback,
      evidence: [named(own)],
    });
    const file = { report_id: sent.json().data.id as string, file_id: own.id };
    const { files, reports } = await exported(ann.token);
    // The file of the claimed report was added by a visitor.
    expect(reports.find(({ id }) => id === visitors)?.files).toEqual([]);
    const before = (await viewed("EvidenceViewed")).length;
    for (const other of [
      { report_id: visitors, file_id: theirs.id },
      { report_id: visitors, file_id: own.id },
      { report_id: randomUUID(), file_id: own.id },
      { inquiry_id: randomUUID() },
    ])
      expect(refusal(await download(ann.token, files, other))).toEqual([404, "not_found"]);
    const beas = await exported(bea.token);
    expect(refusal(await download(bea.token, beas.files, file))).toEqual([404, "not_found"]);
    for (const [token, from] of [
      [bea.token, files],
      [ann.token, "x"],
      [ann.token, await pageToken(ann.id)],
      [ann.token, `${files.slice(0, -4)}AAAA`],
    ] as const)
      expect(refusal(await download(token, from, file))).toEqual([400, "link_invalid"]);
    await fixture.db.query(
      "update command.session set proved_at = now() - interval '16 minutes' where account_id = $1",
      [ann.id],
    );
    expect(refusal(await download(ann.token, files, file))).toEqual([403, "proof_required"]);
    expect(await viewed("EvidenceViewed")).toHaveLength(before);
    await post("/prod/api/auth/prove", ann.token, { password: PASSWORD });
    expect((await download(ann.token, files, file)).statusCode).toBe(200);
    await fixture.api.reports.disown(file.report_id, ann.id, "session_over", system());
    expect(refusal(await download(ann.token, files, file))).toEqual([404, "not_found"]);
  });
});

describe("the list of an account's streams", () => {
  const following = async (epoch?: string) => {
    const { store } = fixture.api;
    const of = epoch ?? (await readEpoch(store)) ?? "";
    return new AccountStreams({ pool: fixture.db, store, epoch: of });
  };

  it("is deleted with the account, even if read again from the start of the log", async () => {
    const [ann, bea] = [await member(), await member()];
    await (await following()).run();
    expect([(await kindsOf(ann.id)).length, (await kindsOf(bea.id)).length]).toEqual([1, 1]);
    await fixture.api.accountEraser.erase(ann.id, system());
    expect((await kindsOf(ann.id)).length).toBe(0);
    await fixture.db.query("delete from command.account_stream");
    // A log of another epoch is read from its start.
    await (await following(randomUUID())).run();
    expect([(await kindsOf(ann.id)).length, (await kindsOf(bea.id)).length]).toEqual([0, 1]);
    await (await following()).run();
    expect([(await kindsOf(ann.id)).length, (await kindsOf(bea.id)).length]).toEqual([0, 1]);
  });

  it("is the same however many processes read the log", async () => {
    const ann = await member();
    await signIn(ann.email);
    await fixture.db.query(
      "update command.account_stream_position set position = '00000000000000000000'",
    );
    await fixture.db.query("delete from command.account_stream");
    const both = [await following(), await following()];
    await Promise.all(both.map((each) => each.run()));
    expect((await kindsOf(ann.id)).length).toBe(2);
  });
});
