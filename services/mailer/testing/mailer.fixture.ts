import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import type { RegistryEvent } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { createPostgresEventStore } from "#event-store/postgres/postgres-event-store.ts";
import { EventWriter, SYSTEM } from "#test-kit/event-writer.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { LINK_ENDS, reportSubmitted } from "#test-kit/report-events.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { composeMailer, type Mailer } from "../composition.ts";
import type { MailerConfig } from "../config.ts";

export const NOW = "2026-11-21T10:00:00.000Z";

export interface TestReport {
  readonly id: string;
  readonly stream: string;
  readonly linkId: string;
  readonly event: StoredEvent;
}

/** Called with each error line that the mailer logs. */
export type OnError = (line: Record<string, unknown>) => void;

export type MailerFixture = Awaited<ReturnType<typeof openMailerFixture>>;

/** Opens a separate database with a started log, and functions that act as the services around the mailer. */
export async function openMailerFixture() {
  const masterKey = randomBytes(32);
  const database = await registryDatabase();
  const db = new pg.Pool({ connectionString: database.url, max: 3 });
  const store = createPostgresEventStore({ connectionString: database.url });
  const keys = await openKeyStore({ database: database.url, masterKeys: [masterKey] });

  const writer = new EventWriter(store, keys);
  /** Appends events to a stream as the command side does. */
  async function append(
    stream: string,
    events: readonly { type: string; data: object }[],
  ): Promise<StoredEvent[]> {
    await writer.append(stream, events as RegistryEvent[], { actor: SYSTEM, time: NOW });
    const stored: StoredEvent[] = [];
    for await (const event of store.readStream(stream)) stored.push(event);
    return stored.slice(-events.length);
  }

  const [logStarted] = await append("log", [{ type: "LogStarted", data: {} }]);

  return {
    url: database.url,
    db,
    store,
    keys,
    append,
    config(overrides: Partial<MailerConfig> & { smtpUrl: string }): MailerConfig {
      return {
        databaseUrl: database.url,
        eventStoreUrl: database.url,
        keysUrl: database.url,
        masterKeys: [masterKey],
        jobsUrl: database.url,
        publicUrl: "http://registry.example/",
        productName: "The Registry",
        supportEmail: "support@registry.example",
        ...overrides,
      };
    },
    /** Starts a mailer. The caller stops it. */
    async startMailer(
      overrides: Partial<MailerConfig> & { smtpUrl: string },
      onError: OnError = () => undefined,
    ): Promise<Mailer> {
      const log = pino({ level: "error" }, { write: (line) => onError(JSON.parse(line)) });
      const mailer = await composeMailer(this.config(overrides), log);
      await mailer.start();
      return mailer;
    },
    /** Submits a report whose reporter has not confirmed the address yet. */
    async report(fields: TestReportFields = {}): Promise<TestReport> {
      const id = randomUUID();
      const linkId = randomUUID();
      const [event] = await append(`report-${id}`, [submitted(linkId, fields)]);
      return { id, stream: `report-${id}`, linkId, event: event as StoredEvent };
    },
    /** Adds an email to the outbox, as the reaction does. @returns its id. */
    async enqueue(event: StoredEvent, kind: string, ofEpoch?: string): Promise<string> {
      const id = `mail-${event.id}`;
      await db.query(
        `insert into outbox.mail
           (id, kind, report_id, account_id, inquiry_id, event_id, revision, position, epoch)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          id,
          kind,
          event.stream.startsWith("report-") ? event.stream.slice("report-".length) : null,
          event.stream.startsWith("user-") ? event.stream.slice("user-".length) : null,
          /^(?:inquiry|notice)-(.+)$/.exec(event.stream)?.[1] ?? null,
          event.id,
          event.revision,
          event.position,
          ofEpoch ?? logStarted?.id,
        ],
      );
      return id;
    },
    /** Erases a report with everything that other services do, as far as the mailer sees it. */
    async eraseReport({ id, stream }: TestReport): Promise<void> {
      await append(stream, [
        { type: "ReportDeleted", data: { from: "pending", reason_code: "other", erase_at: NOW } },
        { type: "ReportErased", data: {} },
      ]);
      await keys.destroy([subjects.personal(id), subjects.reporter(id)], NOW);
      await db.query("delete from outbox.mail where report_id = $1", [id]);
    },
    async mail(id: string) {
      const { rows } = await db.query("select * from outbox.mail where id = $1", [id]);
      return rows[0] as
        | {
            state: string;
            dropped_reason: string | null;
            attempts: number;
            last_error: string | null;
          }
        | undefined;
    },
    /** Returns the names of the tables, in any schema, that contain one of the texts. */
    async tablesWith(...texts: string[]): Promise<string[]> {
      const { rows: tables } = await db.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')`,
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const sql = `select 1 from ${name} as t where t::text like any($1) limit 1`;
        const { rowCount } = await db.query(sql, [texts.map((text) => `%${text}%`)]);
        if (rowCount) found.push(name);
      }
      return found;
    },
    /** Makes all pending retries due now. */
    async letRetriesCome(): Promise<void> {
      await db.query("update outbox.mail set next_attempt_at = now() where state = 'queued'");
    },
    async close(): Promise<void> {
      await store.close();
      await keys.close();
      await db.end();
      await database.drop();
    },
  };
}

interface TestReportFields {
  readonly title?: string;
  readonly reporterEmail?: string;
}

const submitted = (linkId: string, { title, reporterEmail }: TestReportFields) => {
  const { type, data } = reportSubmitted({
    personal: { title: title ?? 'Disputed\r\n\r\n<b>"twice"</b>' },
    reporter: { reporter_email: reporterEmail ?? "rae@shop.example" },
  });
  return { type, data: { ...data, link: { link_id: linkId, expires_at: LINK_ENDS } } };
};
