import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createTransport } from "nodemailer";
import type { Pool } from "pg";
import { type EventStore, START } from "#event-store/port.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { MAILS_AT_ONCE } from "#runtime/config/variables.ts";
import { openPool } from "#runtime/db/pool.ts";
import { closedLoop } from "../load.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import { startSystem } from "../system.ts";

/** Emails queued per second of measurement, as far as the log has approvals. */
const A_SECOND = 250;
/** A run fails after this long without a single email, in milliseconds. */
const LIMIT_MS = 60_000;

/** Measures how fast a mailer empties a full outbox, compared with sending one email repeatedly. */
export async function* mailRows(
  stores: BenchStores,
  started: AsyncDisposableStack,
  { seconds }: BenchOptions,
): AsyncGenerator<Row> {
  const opened = await stores.open();
  const pool = openPool({ url: stores.databaseUrl, name: "bench mails", max: 1 });
  const sink = new Worker(new URL("./smtp-sink.worker.ts", import.meta.url));
  try {
    const [port] = (await once(sink, "message")) as [number];
    const mail = once(sink, "message") as Promise<[Uint8Array]>;
    await fillOutbox(pool, opened.store, seconds * A_SECOND);
    const mailer = await startSystem("mailer", stores, started, {
      PUBLIC_URL: "https://registry.example",
      SMTP_URL: `smtp://127.0.0.1:${port}`,
    });
    const { perSecond, ...detail } = await untilEmpty(pool);
    await mailer.stop();
    const raw = Buffer.from((await mail)[0]);
    const connections = MAILS_AT_ONCE;
    const pooled = { pool: true, maxConnections: connections } as const;
    const transport = createTransport({ host: "127.0.0.1", port, ...pooled });
    const envelope = { from: "support@registry.example", to: ["ann@shop.example"] };
    const bare = await closedLoop({ connections, seconds }, () =>
      transport.sendMail({ envelope, raw }),
    );
    transport.close();
    yield rowOf({
      name: "mails over SMTP",
      profile: stores.profile,
      value: rounded(perSecond),
      unit: "mails/s",
      baseline: bare.perSecond,
      baselineName: "bare SMTP",
      target: { of: "value", atLeast: 200 },
      detail: { ...detail, bareP50: bare.p50, bareP99: bare.p99 },
    });
  } finally {
    await sink.terminate();
    await pool.end();
    await opened.close();
  }
}

/** Fills an empty outbox with one due email per approval. */
async function fillOutbox(pool: Pool, store: EventStore, limit: number): Promise<void> {
  const rows: object[] = [];
  const approvals = store.readAll(START, { types: ["ReportApproved"] }, { limit });
  for await (const { id, stream, revision, position } of approvals) {
    const report_id = stream.slice("report-".length);
    rows.push({ id: `mail-${id}`, report_id, event_id: id, revision, position });
  }
  await pool.query("delete from outbox.mail");
  await pool.query(
    `insert into outbox.mail (id, kind, report_id, event_id, revision, position, epoch)
     select id, 'approved', report_id, event_id, revision, position, $2
     from jsonb_to_recordset($1) as
       mail (id text, report_id uuid, event_id uuid, revision int, position text)`,
    [JSON.stringify(rows), await readEpoch(store)],
  );
}

/**
 * Waits until no email is left.
 * @returns emails a second, sent, dropped.
 * @throws Error if one fails or progress stops.
 */
async function untilEmpty(pool: Pool) {
  let left = Number.POSITIVE_INFINITY;
  for (let since = performance.now(); left > 0; await delay(200)) {
    const { rows } = await pool.query<{ queued: number; failed: number }>(
      `select count(*)::int as queued, count(last_error)::int as failed
       from outbox.mail where state = 'queued'`,
    );
    const { queued = 0, failed = 0 } = rows[0] ?? {};
    if (failed > 0) throw new Error(`${failed} mails were not sent`);
    if (queued < left) since = performance.now();
    if (performance.now() - since > LIMIT_MS) throw new Error(`${queued} mails are not sent`);
    left = queued;
  }
  const { rows } = await pool.query<{ ms: number; sent: number; dropped: number }>(
    `select extract(epoch from max(sent_at) - min(sent_at))::float8 * 1000 as ms,
       count(sent_at)::int as sent, count(*) filter (where state = 'dropped')::int as dropped
     from outbox.mail`,
  );
  const { ms, sent, dropped } = rows[0] ?? { ms: 0, sent: 0, dropped: 0 };
  return { perSecond: ((sent - 1) * 1000) / Math.max(ms, 1), sent, dropped };
}
