import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { readEpoch } from "#event-store/log-epoch.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import { START } from "#event-store/port.ts";

/** After one of these a mail about an earlier approval is not sent. */
const DECISIONS = [
  "ReportApproved",
  "ReportRejected",
  "ReportStatusSet",
  "ReportTakenDown",
  "ReportPutBack",
  "ReportDeleted",
  "ReporterErased",
];

/** How often the outbox is asked how many mails are left, in milliseconds. */
const LOOK_MS = 200;

/** @returns the approvals that still hold, at most `count` of them. */
export async function standingApprovals(store: EventStore, count: number): Promise<StoredEvent[]> {
  const last = new Map<string, StoredEvent>();
  for await (const event of store.readAll(START, { types: DECISIONS }))
    last.set(event.stream, event);
  return [...last.values()].filter(({ type }) => type === "ReportApproved").slice(0, count);
}

/** Fills an empty outbox with a mail for each approval, all of them due. */
export async function fillOutbox(
  pool: Pool,
  store: EventStore,
  approvals: readonly StoredEvent[],
): Promise<void> {
  const rows = approvals.map(({ id, stream, revision, position }) => ({
    id: `mail-${id}`,
    report_id: stream.slice("report-".length),
    event_id: id,
    revision,
    position,
  }));
  await pool.query("delete from outbox.mail");
  await pool.query(
    `insert into outbox.mail (id, kind, report_id, event_id, revision, position, epoch)
     select id, 'approved', report_id, event_id, revision, position, $2
     from jsonb_to_recordset($1) as
       mail (id text, report_id uuid, event_id uuid, revision int, position text)`,
    [JSON.stringify(rows), await readEpoch(store)],
  );
}

/** How the mails of an outbox went out. */
export interface Emptied {
  /** Mails a second, the first tenth left out. */
  readonly perSecond: number;
  readonly sent: number;
  readonly dropped: number;
}

/**
 * Waits until no mail is left.
 * @throws Error if one fails, or none is finished for `limitMs`.
 */
export async function untilEmpty(pool: Pool, limitMs: number): Promise<Emptied> {
  let left = Number.POSITIVE_INFINITY;
  for (let since = performance.now(); left > 0; await delay(LOOK_MS)) {
    const { rows } = await pool.query<{ queued: number; failed: number }>(
      `select count(*)::int as queued, count(last_error)::int as failed
       from outbox.mail where state = 'queued'`,
    );
    const { queued = 0, failed = 0 } = rows[0] ?? {};
    if (failed > 0) throw new Error(`${failed} mails were not sent`);
    if (queued < left) since = performance.now();
    if (performance.now() - since > limitMs) throw new Error(`${queued} mails are not sent`);
    left = queued;
  }
  const { rows } = await pool.query<{ state: string; ms: number | null }>(
    `select state, extract(epoch from sent_at)::float8 * 1000 as ms from outbox.mail`,
  );
  const times = rows.flatMap(({ ms }) => ms ?? []).toSorted((a, b) => a - b);
  const first = Math.floor(times.length / 10);
  const ms = (times.at(-1) ?? 0) - (times[first] ?? 0);
  return {
    perSecond: ((times.length - 1 - first) * 1000) / Math.max(ms, 1),
    sent: times.length,
    dropped: rows.filter(({ state }) => state === "dropped").length,
  };
}
