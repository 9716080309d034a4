import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { pino } from "pino";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventDefinitions, type ReportEvent } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { chainEvents, GENESIS_HASH } from "#event-store/chain.ts";
import type { StoredEvent } from "#event-store/port.ts";
import {
  createPostgresEventStore,
  installEventStore,
  type PostgresEventStore,
} from "#event-store/postgres/postgres-event-store.ts";
import type { KeyStore } from "#kit/keys/key-store.ts";
import { openKeyStore } from "#kit/keys/postgres-key-store.ts";
import { createOneTimeLinks } from "#kit/links/one-time-link.ts";
import { createEventCodec } from "#kit/sealing/event-codec.ts";
import { installReadModel } from "#read-model/install.ts";
import { freshDatabase } from "#test-kit/database.ts";
import { composeMailer, type Mailer } from "./composition.ts";

const codec = createEventCodec(eventDefinitions);
const masterKey = randomBytes(32);
const NOW = "2026-11-21T10:00:00.000Z";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: pg.Pool;
let store: PostgresEventStore;
let keys: KeyStore;
let folder: string;
let mailer: Mailer;

beforeAll(async () => {
  database = await freshDatabase();
  db = new pg.Pool({ connectionString: database.url, max: 3 });
  await installEventStore(database.url);
  await installReadModel(db);
  store = createPostgresEventStore({ connectionString: database.url });
  keys = await openKeyStore({ database: database.url, masterKeys: [masterKey] });
  folder = await mkdtemp(join(tmpdir(), "mailer-"));
  await append("log", [{ type: "LogStarted", data: {} }]);
  mailer = await composeMailer(config(), pino({ level: "silent" }));
  await mailer.start();
});
afterAll(async () => {
  await mailer.stop();
  await store.close();
  await keys.close();
  await db.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function config() {
  return {
    databaseUrl: database.url,
    eventStoreUrl: database.url,
    keysUrl: database.url,
    masterKeys: [masterKey],
    jobsUrl: database.url,
    smtpUrl: pathToFileURL(folder).href,
    publicUrl: "http://registry.example/",
    productName: "The Registry",
    supportEmail: "support@registry.example",
  };
}

/** Appends to a stream what the command side would. */
async function append(
  stream: string,
  events: readonly { type: string; data: object }[],
): Promise<StoredEvent[]> {
  const before: StoredEvent[] = [];
  for await (const event of store.readStream(stream)) before.push(event);
  const reportId = stream.slice("report-".length);
  const names = [subjects.personal(reportId), subjects.reporter(reportId)];
  if (stream !== "log") await keys.ensure(names.map((subject) => ({ subject })));
  const lookups = await keys.get(names);
  const drafts = events.map((event) => {
    const id = randomUUID();
    const subjectOf = (part: string) => `${part}-${reportId}`;
    return {
      id,
      type: event.type,
      data: codec.sealEvent(event as ReportEvent, { id, stream, subjectOf }, lookups),
      metadata: {
        actor: { id: "system", role: "system" as const },
        origin: "live" as const,
        command: "Test",
        commandId: randomBytes(32).toString("hex"),
        correlationId: id,
        causationId: id,
        schemaVersion: 1,
        time: NOW,
      },
    };
  });
  const last = before.at(-1);
  const first = last ? last.revision + 1 : 0;
  const batch = chainEvents(stream, first, last?.metadata.hash ?? GENESIS_HASH, drafts);
  await store.append(stream, batch, last?.revision ?? "no_stream");
  const stored: StoredEvent[] = [];
  for await (const event of store.readStream(stream, first)) stored.push(event);
  return stored;
}

const submitted = (linkId: string, title: string) => ({
  type: "ReportSubmitted",
  data: {
    report_type: "chargeback",
    report: {
      currency: "USD",
      amount_cents: 100,
      resolution_status: "unresolved",
      chargebacks: [],
    },
    slug_hash: "a".repeat(64),
    terms_version: "1",
    verification: { link_id: linkId, expires_at: "2026-11-23T10:00:00.000Z" },
    personal: {
      report: {
        first_name: "Quinn",
        last_name: "Ames",
        title,
        description: "d",
        city: "Denver",
        state: "CO",
        zip: "80202",
        country: "US",
        chargebacks: [],
      },
      slug: "quinn-ames",
      blind: {},
    },
    reporter: {
      report: {
        reporter_first_name: "Rae",
        reporter_last_name: "Holt",
        reporter_email: "rae@shop.example",
      },
    },
  },
});

/** Puts a mail into the outbox, as the reaction does. */
async function enqueue(event: StoredEvent, kind: string, ofEpoch?: string): Promise<string> {
  const epoch: StoredEvent[] = [];
  for await (const first of store.readStream("log")) epoch.push(first);
  const id = `mail-${event.id}`;
  await db.query(
    `insert into outbox.mail (id, kind, report_id, event_id, revision, position, epoch)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      id,
      kind,
      event.stream.slice("report-".length),
      event.id,
      event.revision,
      event.position,
      ofEpoch ?? epoch[0]?.id,
    ],
  );
  return id;
}

async function state(id: string) {
  const { rows } = await db.query("select state, dropped_reason from outbox.mail where id = $1", [
    id,
  ]);
  return rows[0] as { state: string; dropped_reason: string | null };
}
const settled = (id: string) =>
  expect.poll(async () => (await state(id)).state, { timeout: 15_000 });

async function mailOf(reportId: string) {
  const names = (await readdir(folder)).filter((name) => name.startsWith(reportId));
  return Promise.all(
    names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  );
}

async function report(title = 'Disputed\r\n\r\n<b>"twice"</b>'): Promise<{
  id: string;
  stream: string;
  linkId: string;
  event: StoredEvent;
}> {
  const id = randomUUID();
  const linkId = randomUUID();
  const [event] = await append(`report-${id}`, [submitted(linkId, title)]);
  return { id, stream: `report-${id}`, linkId, event: event as StoredEvent };
}

describe("the mailer", () => {
  it("sends the verification link, which no table held, and marks the mail", async () => {
    const { id, linkId, event } = await report();
    const mail = await enqueue(event, "verification");
    await settled(mail).toBe("sent");
    const [sent] = await mailOf(id);
    expect(sent?.to).toEqual([{ name: "", address: "rae@shop.example" }]);
    const token = /verify-email\/([\w-]{96})/.exec(sent?.text ?? "")?.[1] ?? "";
    const links = createOneTimeLinks(await keys.serviceKey("links"));
    expect(links.readToken(token, "verify-email", NOW)).toMatchObject({ aggregateId: id, linkId });
    const { rows } = await db.query("select * from outbox.mail where id = $1", [mail]);
    expect(JSON.stringify(rows)).not.toMatch(/rae@|Rae|Quinn/);
  });

  it("escapes what strangers wrote", async () => {
    const { id, event } = await report();
    await settled(await enqueue(event, "verification")).toBe("sent");
    const [sent] = await mailOf(id);
    expect(sent?.html).not.toContain("<b>");
    expect(sent?.text).toContain('Disputed <b>"twice"</b>');
  });

  it("leaves a link in a title out until the address is confirmed", async () => {
    const { id, stream, linkId } = await report("Win at evil.example");
    const rejected = { type: "ReportRejected", data: { from: "pending", verified: false } };
    const [first] = await append(stream, [rejected]);
    await settled(await enqueue(first as StoredEvent, "rejected")).toBe("sent");
    const [, approved] = await append(stream, [
      { type: "ReportVerifiedByLink", data: { link_id: linkId } },
      { type: "ReportApproved", data: { from: "rejected", verified: true } },
    ]);
    await settled(await enqueue(approved as StoredEvent, "approved")).toBe("sent");
    const named = (await mailOf(id)).map(({ subject, text }) => [
      subject?.endsWith("is published"),
      text?.includes("Win at evil.example"),
    ]);
    expect(named.sort()).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it("names the reason of a rejection", async () => {
    const { id, stream } = await report();
    const reason = "Please describe the transaction";
    const [rejected] = await append(stream, [
      { type: "ReportRejected", data: { from: "pending", verified: false, personal: { reason } } },
    ]);
    await settled(await enqueue(rejected as StoredEvent, "rejected")).toBe("sent");
    expect((await mailOf(id))[0]?.text).toContain(reason);
  });

  it("drops a link that a later one voided, and mails of an erased reporter", async () => {
    const { stream, event } = await report();
    const verification = { link_id: randomUUID(), expires_at: "2026-11-23T10:00:00.000Z" };
    await append(stream, [{ type: "ReportVerificationResent", data: { verification } }]);
    const superseded = await enqueue(event, "verification");
    await settled(superseded).toBe("dropped");
    expect((await state(superseded)).dropped_reason).toBe("superseded");

    const other = await report();
    await keys.destroy([subjects.reporter(other.id)], NOW);
    const erased = await enqueue(other.event, "verification");
    await settled(erased).toBe("dropped");
    expect((await state(erased)).dropped_reason).toBe("erased");
  });

  it("removes a deleted report's mails, and sends none after", async () => {
    const { id, stream, event } = await report();
    await settled(await enqueue(event, "verification")).toBe("sent");
    const [approved] = await append(stream, [
      { type: "ReportApproved", data: { from: "pending", verified: false } },
      { type: "ReportDeleted", data: { from: "approved", reason_code: "other" } },
    ]);
    await expect.poll(async () => (await mailOf(id)).length, { timeout: 15_000 }).toBe(0);
    const late = await enqueue(approved as StoredEvent, "approved");
    await settled(late).toBe("dropped");
    expect((await state(late)).dropped_reason).toBe("deleted");
    expect(await mailOf(id)).toEqual([]);
  });

  it("sends each mail once with two mailers at work", async () => {
    const second = await composeMailer(config(), pino({ level: "silent" }));
    await second.start();
    const reports = await Promise.all(Array.from({ length: 20 }, () => report()));
    const mails = await Promise.all(reports.map(({ event }) => enqueue(event, "verification")));
    for (const mail of mails) await settled(mail).toBe("sent");
    const { rows } = await db.query(
      "select sum(attempts)::int as attempts from outbox.mail where id = any($1)",
      [mails],
    );
    expect(rows[0].attempts).toBe(20);
    await second.stop();
  }, 40_000);

  it("leaves mails of another epoch to an operator, and says so", async () => {
    const { event } = await report();
    const mail = await enqueue(event, "verification", randomUUID());
    const later = await report();
    await settled(await enqueue(later.event, "verification")).toBe("sent");
    expect((await state(mail)).state).toBe("queued");
    expect((await mailer.ready()).detail.otherEpoch).toBe(1);
  });
});
