import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { Installation } from "#ops/backup/source.ts";
import { PROCESSORS } from "#read-model/tables/processor.ts";
import { newEnvelope, systemCaller } from "#services/command-api/kernel/envelope.ts";
import { freshDatabase } from "#test-kit/database.ts";
import { reachedPosition } from "#test-kit/reached-position.ts";
import { openErasureLedger } from "#vault/erasures/erasure-ledger.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { type Role, type System, startSystem } from "./support/in-process.ts";
import { approve, chargeback, submit } from "./support/reports.ts";
import {
  installationOf,
  makeBackup,
  placesIn,
  type Restored,
  readModelsOf,
  restoreInto,
  startRestored,
} from "./support/restored.ts";
import { leaks, mailsIn, rowsOf } from "./support/traces.ts";

const CANARY = "zqmaskedcanary";
const DESCRIPTION = `Write to ${CANARY} about the parcel.`;

/** The first note has nothing private and keeps its key. */
const WITH_TEXT = [
  "ReportSubmitted",
  "ModeratorNoteWritten",
  "ReporterAsked",
  "ReporterAnswered",
  "ReportRejected",
];

const closing: (() => Promise<unknown>)[] = [];
let folder = "";
let system: System;
let source: Installation;
let id = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-masked-"));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const erasuresUrl = pathToFileURL(path.join(folder, "erasures")).href;
  system = await startSystem({ erasuresUrl });
  closing.push(() => system.close());
  source = installationOf(system, { eventStoreUrl: undefined, erasuresUrl });
  id = await submit(system, {
    ...chargeback,
    title: `About ${CANARY}`,
    description: DESCRIPTION,
    chargebacks: [{ order_id: "A-1", amount: 5, notes: `Also ${CANARY}` }],
  });
  await writeAround(id);
  await approve(system, id);
}, 120_000);
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function moderate(report: string, name: string, body: object): Promise<void> {
  const url = `/prod/api/admin/reports/${report}/${name}`;
  const answer = await system.call("POST", url, { as: "admin", body });
  expect(answer.statusCode, answer.body).toBe(200);
}

/** Puts the private text into the free texts around an undecided report. */
async function writeAround(report: string): Promise<void> {
  const { reports } = system.commandApi;
  const visitor = () => newEnvelope(systemCaller(new Date().toISOString()));
  const [link] = (await reports.load(report))?.links ?? [];
  await reports.execute(report, { type: "VerifyReport", linkId: link?.link_id ?? "" }, visitor());
  await moderate(report, "note", { note: "Nothing private" });
  await moderate(report, "note", { note: `Ask ${CANARY} first` });
  await moderate(report, "question", { question: `Is ${CANARY} yours?` });
  const questionId = (await reports.load(report))?.questions[0]?.question_id ?? "";
  const answer = `No, ${CANARY} is not ours.`;
  await reports.execute(report, { type: "AnswerQuestion", questionId, answer }, visitor());
  await moderate(report, "reject", { reason_code: "private_data", reason: `Take ${CANARY} out.` });
}

type Services = Pick<Restored, "commandApi" | "queryApi" | "db">;

/** Returns everything that a registry holds and answers, opened with its own keys. */
async function traces({ commandApi, queryApi, db }: Services): Promise<Map<string, string>> {
  const { store, keys } = commandApi;
  await reachedPosition(db, PROCESSORS, await store.head());
  const events: StoredEvent[] = [];
  for await (const event of store.readAll()) events.push(event);
  const known = await keys.get(registryCodec.subjectsOf(events));
  const opened = events.map((event) => registryCodec.openEvent(event, known));
  const models = await readModelsOf(db, keys);
  const texts = new Map([...(await rowsOf(db)), ["events", JSON.stringify(opened)]]);
  for (const [table, rows] of models) texts.set(`${table}, opened`, rows.join("\n"));
  for (const url of ["/prod/api/reports/recent", "/prod/api/reports/search?q=parcel"])
    texts.set(url, (await queryApi.app.inject(url)).body);
  return texts;
}

async function restored(name: string, backup: string): Promise<Restored> {
  const database = await freshDatabase();
  closing.push(() => database.drop());
  const { url } = database;
  const installation = {
    ...source,
    ...{ databaseUrl: url, keysUrl: url, eventStoreUrl: url },
    filesUrl: pathToFileURL(path.join(folder, name)).href,
  };
  await restoreInto(installation, backup, placesIn(folder));
  const services = await startRestored(installation);
  closing.push(() => services.close());
  return services;
}

/** Returns the reports as the site lists them. */
async function published({ queryApi }: Pick<Services, "queryApi">) {
  const { data } = (await queryApi.app.inject("/prod/api/reports/recent")).json();
  return data as { title: string; description: string; last_name: string }[];
}

it("masked text can't be recovered from tables, events, emails, answers or any backup, old or new", async () => {
  expect(leaks(await traces(system), [CANARY])).not.toEqual([]);
  const earlier = await makeBackup(source, placesIn(folder));

  const start = DESCRIPTION.indexOf(CANARY);
  const place = { field: "description", start, end: start + CANARY.length };
  const masked = await system.call("POST", `/prod/api/admin/reports/${id}/mask`, {
    as: "admin",
    body: { revision: 0, places: [place] },
  });
  expect(masked.statusCode, masked.body).toBe(200);

  await expect.poll(async () => leaks(await traces(system), [CANARY])).toEqual([]);
  await expect.poll(async () => await mailsIn(system.mailFolder)).not.toContain(CANARY);
  expect(system.logged()).not.toContain(CANARY);
  const [report] = await published(system);
  expect(report).toMatchObject({
    title: "About ****",
    description: "Write to **** about the parcel.",
    last_name: chargeback.last_name,
  });
  const one = `/prod/api/admin/reports/${id}`;
  const record = (await system.read(one, "admin")).json().data;
  expect(record.moderator_notes).toMatchObject([
    { note: "Nothing private" },
    { note: "Ask **** first" },
  ]);
  expect(record.questions).toMatchObject([
    { question: "Is **** yours?", answer: "No, **** is not ours." },
  ]);
  for (const as of ["admin", "auditor"] satisfies Role[])
    for (const url of [`${one}/history`, `${one}/history?at=0`, `${one}/history?at=2`]) {
      const answer = await system.read(url, as);
      expect(answer.statusCode, url).toBe(200);
      expect(answer.body, url).not.toContain(CANARY);
    }
  await system.rebuild();
  expect(leaks(await traces(system), [CANARY])).toEqual([]);

  const ledger: string[] = [];
  for await (const { subject } of openErasureLedger(source.erasuresUrl ?? "").read())
    ledger.push(subject);
  const written: string[] = [];
  for await (const { type, revision } of system.commandApi.store.readStream(streams.report(id)))
    if (WITH_TEXT.includes(type)) written.push(subjects.text(id, revision));
  expect(written).toHaveLength(WITH_TEXT.length + 1);
  const clean = written.splice(1, 1);
  expect(ledger).toEqual(expect.arrayContaining(written));
  expect(ledger).not.toEqual(expect.arrayContaining(clean));

  const later = await makeBackup(source, placesIn(folder));
  const fromLater = await restored("later", later.name);
  expect(leaks(await traces(fromLater), [CANARY])).toEqual([]);
  expect(await published(fromLater)).toEqual(await published(system));

  // That backup has the key and no record of the masking: the ledger alone keeps the text closed.
  const fromEarlier = await restored("earlier", earlier.name);
  expect(leaks(await traces(fromEarlier), [CANARY])).toEqual([]);
  expect(await published(fromEarlier)).toEqual([
    expect.objectContaining({ title: "[masked]", description: "[masked]", last_name: "Ames" }),
  ]);
}, 180_000);

it("a rejection's reason is masked for the reporter, the console and its history", async () => {
  const reason = `Take ${CANARY} out.`;
  const rejected = await submit(system, { ...chargeback, last_name: "Rejected" });
  await moderate(rejected, "reject", { reason_code: "private_data", reason });
  const one = `/prod/api/admin/reports/${rejected}`;
  const shown = async () => {
    await reachedPosition(system.db, PROCESSORS, await system.commandApi.store.head());
    return (await system.read(one, "admin")).json().data;
  };
  const before = await shown();
  const start = before.rejection_reason.indexOf(CANARY);
  const place = { field: "rejection_reason", start, end: start + CANARY.length };
  await moderate(rejected, "mask", { revision: before.revision, places: [place] });
  expect((await shown()).rejection_reason).toBe(before.rejection_reason.replace(CANARY, "****"));
  await system.rebuild();
  expect((await shown()).rejection_reason).toBe(before.rejection_reason.replace(CANARY, "****"));
  expect((await system.read(`${one}/history`, "auditor")).body).not.toContain(CANARY);
  expect(leaks(await traces(system), [CANARY])).toEqual([]);
}, 60_000);
