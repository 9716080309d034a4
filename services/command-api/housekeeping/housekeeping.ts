import type { PoolClient } from "pg";
import type { Logger } from "pino";
import { streams } from "#contracts/events/index.ts";
import { reportOfTextKey, subjects } from "#contracts/sealed.ts";
import { type KeptDays, keptDays } from "#contracts/settings/catalogue.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { EventStore, Position, StoredEvent } from "#event-store/port.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import type { Dependencies } from "../dependencies.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { expiryOf, RETENTION_EVENTS, SHORTEST_MS } from "../report/report.expiry.ts";
import type { ObservedCalls } from "../security/observed-calls.ts";
import type { WriteSide } from "../write-side.ts";
import { ErasureFollower, FollowedLog } from "./erasure-follower.ts";

const BATCH = 500;
/** Maximum reports removed per run: a wrong clock must not erase the registry. */
export const MAX_EXPIRED = 1000;
/** A clock further ahead of the newest event than this is not trusted. */
const MAX_AHEAD_MS = 7 * 24 * 3_600_000;
const REPORT_EXPIRY_FOLLOWED = {
  streamPrefixes: ["report-", streams.settings],
  types: [...RETENTION_EVENTS, "ReportDeleted", "ReportErased", "SettingsChanged"],
};
const idOf = (stream: string) => stream.slice(streams.report("").length);

type ReportExpiryDeps = Pick<Dependencies, "pool" | "store" | "reports" | "epoch"> & {
  /** Settings as of the log's end, including events appended a moment ago. */
  readonly settings: () => Promise<Settings>;
  /** Overrides {@link MAX_EXPIRED} in tests. */
  readonly most?: number;
};

interface Due {
  readonly report_id: string;
  /** In PostgreSQL's text format, to keep microseconds. */
  readonly seen: string;
}

/** Removes expired reports. Its table follows the log; emptying it only means that more reports get checked. */
export class ReportExpiry {
  readonly #deps: ReportExpiryDeps;
  readonly #followed: FollowedLog;

  constructor(deps: ReportExpiryDeps) {
    this.#deps = deps;
    const table = "command.report_expiry_position";
    this.#followed = new FollowedLog({
      ...deps,
      table,
      filter: REPORT_EXPIRY_FOLLOWED,
      note: noteExpiry,
    });
  }

  /** Reads the log to its end, then removes what is due. */
  async run(nowMs: number): Promise<void> {
    const isRight = await this.#isRight(nowMs);
    await this.#followed.follow();
    if (isRight) await this.#expireDue(nowMs);
  }

  /** Whether the clock is neither before the newest event nor far ahead of it. */
  async #isRight(nowMs: number): Promise<boolean> {
    const last = { direction: "backwards", limit: 1 } as const;
    for await (const { metadata } of this.#deps.store.readAll(undefined, undefined, last)) {
      const ahead = nowMs - Date.parse(metadata.time);
      return ahead >= 0 && ahead <= MAX_AHEAD_MS;
    }
    return false;
  }

  async #expireDue(nowMs: number): Promise<void> {
    const { pool, settings, most = MAX_EXPIRED } = this.#deps;
    let expired = 0;
    for (;;) {
      const { rows } = await pool.query<Due>(
        `select report_id, look_at::text as seen from command.report_expiry where look_at <= $1
         order by look_at, report_id limit ${BATCH}`,
        [new Date(nowMs)],
      );
      // Read after the rows, so that a report made due by a settings change is checked with the new settings.
      const days = keptDays(await settings());
      for (const due of rows) {
        if (expired >= most) return;
        if (await this.#look(due, nowMs, days)) expired += 1;
      }
      if (rows.length < BATCH) return;
    }
  }

  /** @returns whether the report was expired. */
  async #look({ report_id: id, seen }: Due, nowMs: number, days: KeptDays): Promise<boolean> {
    const { pool, reports, store } = this.#deps;
    const events: StoredEvent[] = [];
    for await (const event of store.readStream(streams.report(id))) events.push(event);
    const expiry = expiryOf(events, days);
    if (expiry && expiry.atMs > nowMs) {
      // Unless a concurrent change has made it due again.
      await pool.query(
        `update command.report_expiry set look_at = $2
         where report_id = $1 and look_at = $3::timestamptz`,
        [id, new Date(expiry.atMs), seen],
      );
      return false;
    }
    if (expiry) {
      const envelope = newEnvelope(systemCaller(new Date(nowMs).toISOString()));
      const { changed } = await reports.execute(id, { type: "ExpireReport" }, envelope);
      // The retention was just extended, or another process was faster: the next run checks again.
      if (!changed) return false;
    }
    // If the report changed in the meantime, its event adds the row again.
    await pool.query("delete from command.report_expiry where report_id = $1 and look_at <= $2", [
      id,
      new Date(nowMs),
    ]);
    return expiry !== undefined;
  }
}

/** When to check a report after one of its events; null once it is erased. */
function lookAtAfter(type: string, data: StoredEvent["data"], time: string): Date | null {
  if (type === "ReportErased") return null;
  if (type === "ReportDeleted") return new Date(String(data.erase_at));
  // The restored report may already be due.
  if (type === "ReportDeletionUndone") return new Date(time);
  return new Date(Date.parse(time) + SHORTEST_MS);
}

async function noteExpiry(client: PoolClient, batch: readonly StoredEvent[]): Promise<void> {
  const looks = new Map<string, Date | null>();
  let isSooner = false;
  for (const { stream, type, metadata, data } of batch) {
    if (stream === streams.settings) {
      isSooner ||= Object.keys(data as object).some((name) => name.startsWith("keep_"));
      continue;
    }
    looks.set(idOf(stream), lookAtAfter(type, data, metadata.time));
  }
  // A shorter retention may make any report due.
  if (isSooner) await client.query("update command.report_expiry set look_at = '-infinity'");
  const due = [...looks].filter(([, at]) => at !== null);
  const gone = [...looks].filter(([, at]) => at === null).map(([id]) => id);
  await client.query(
    `insert into command.report_expiry (report_id, look_at)
     select * from unnest($1::uuid[], $2::timestamptz[])
     on conflict (report_id) do update set look_at = excluded.look_at`,
    [due.map(([id]) => id), due.map(([, at]) => at)],
  );
  await client.query("delete from command.report_expiry where report_id = any($1::uuid[])", [gone]);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How soon observed calls are recorded in the audit log. */
const OBSERVED_MS = 10_000;

/** Returns the periodic housekeeping tasks of a process. */
export function openSweeps(
  side: WriteSide & { readonly observed: Pick<ObservedCalls, "record"> },
  log: Pick<Logger, "warn">,
): readonly Periodic[] {
  const { observed } = side;
  const warn = (sentence: string) => (err: unknown) => log.warn({ err }, sentence);
  const houseKeep = houseKeeper(side);
  return [
    new Periodic(() => houseKeep(Date.now()), {
      everyMs: HOUR_MS,
      onError: warn("a sweep failed; it will be tried again"),
    }),
    new Periodic(() => observed.record(new Date().toISOString()), {
      everyMs: OBSERVED_MS,
      onError: warn("could not record observed calls yet; will retry"),
    }),
  ];
}

/** Removes what is no longer needed. Each step is idempotent and may run in any number of processes. */
function houseKeeper(side: WriteSide): (nowMs: number) => Promise<void> {
  const { accountEraser: eraser, keys, removal, store } = side;
  // Both follow the log from their own positions.
  const erasures = new ErasureFollower({ ...side, eraser });
  const expiry = new ReportExpiry({
    ...side,
    async settings() {
      await side.follower.read();
      return side.settings();
    },
  });
  const looks = new SubmissionSweep(side);
  return async (nowMs) => {
    await side.credentials.relay(nowMs);
    await erasures.run(new Date(nowMs).toISOString());
    await side.registration.expire(nowMs);
    await side.closing.eraseDue(nowMs);
    await side.accountModeration.endDue(nowMs);
    await side.inquiries.eraseDue(nowMs);
    await side.sessions.sweep(nowMs);
    await side.factors.sweep(nowMs);
    await side.challenges.sweep(nowMs);
    await removal.sweep(nowMs);
    await side.jobs.sweep(nowMs);
    await side.leases.sweep(nowMs);
    const yesterday = new Date(nowMs - DAY_MS);
    await keys.sweepUnused(yesterday, (unused) => reportsInUse(store, unused));
    await side.commandIds.sweep(new Date(nowMs - 2 * DAY_MS));
    await side.views.forgetFormerDays(new Date(nowMs).toISOString());
    const gone = await expiredMonths(store, nowMs, side.kept().security_event);
    if (gone.length > 0) {
      await keys.destroy(gone.map(subjects.security), new Date(nowMs).toISOString());
    }
    // Last, because their first runs read the whole log.
    await side.strikes.follow();
    await side.accountStreams.run();
    await looks.run(new Date(nowMs).toISOString());
    await expiry.run(nowMs);
  };
}

/** Months (`2026-11`) since the start of the log that ended more than `days` days ago. */
async function expiredMonths(store: EventStore, nowMs: number, days: number): Promise<string[]> {
  let started: string | undefined;
  for await (const event of store.readStream(streams.log, 0, { limit: 1 })) {
    started = event.metadata.time;
  }
  if (!started) return [];
  const months: string[] = [];
  const first = new Date(started);
  for (let i = 0; ; i += 1) {
    const year = first.getUTCFullYear();
    const month = first.getUTCMonth() + i;
    if (Date.UTC(year, month + 1, 1) + days * DAY_MS > nowMs) return months;
    months.push(new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7));
  }
}

/** Returns subjects whose stream exists, and those that aren't for a report, inquiry or text. */
async function reportsInUse(
  store: EventStore,
  unused: readonly string[],
): Promise<ReadonlySet<string>> {
  const inUse = new Set<string>();
  for (const subject of unused) {
    if (await isInUse(store, subject)) inUse.add(subject);
  }
  return inUse;
}

async function isInUse(store: EventStore, subject: string): Promise<boolean> {
  const report = reportOfTextKey(subject);
  if (report) return isThere(store, streams.report(report));
  const [, kind, id] = /^(personal|reporter|inquiry|content)-(.+)$/.exec(subject) ?? [];
  if (!id) return true;
  if (kind === "content") return isThere(store, streams.content(id));
  if (kind !== "inquiry") return isThere(store, streams.report(id));
  return (await isThere(store, streams.inquiry(id))) || isThere(store, streams.notice(id));
}

async function isThere(store: EventStore, stream: string): Promise<boolean> {
  for await (const _ of store.readStream(stream, 0, { limit: 1 })) return true;
  return false;
}

const FOLLOWED = { streamPrefixes: ["report-"], types: ["ReportSubmitted"] };

type Deps = Pick<
  Dependencies,
  "pool" | "store" | "epoch" | "handler" | "reports" | "accountStreams"
>;

interface Row {
  readonly report_id: string;
  readonly account_id: string;
  readonly position: Position;
}

/**
 * Checks each report that an account submitted once more. The submitting process checks the account afterwards;
 * this covers one that died in between. A report submitted after someone else took over the account, with no
 * sign-in between, came from a session that started before the takeover.
 */
export class SubmissionSweep {
  readonly #deps: Deps;
  readonly #followed: FollowedLog;

  constructor(deps: Deps) {
    this.#deps = deps;
    const table = "command.submission_look_position";
    this.#followed = new FollowedLog({ ...deps, table, filter: FOLLOWED, note });
  }

  /** @param now RFC 3339 time of the run. */
  async run(now: string): Promise<void> {
    const { pool } = this.#deps;
    await this.#followed.follow();
    for (let size = BATCH; size === BATCH; ) {
      const { rows } = await pool.query<Row>(
        `select report_id, account_id, position from command.submission_look
         order by report_id limit ${BATCH}`,
      );
      for (const row of rows) await this.#look(row, now);
      await pool.query("delete from command.submission_look where report_id = any($1::uuid[])", [
        rows.map(({ report_id }) => report_id),
      ]);
      size = rows.length;
    }
  }

  async #look({ report_id, account_id, position }: Row, now: string): Promise<void> {
    const { handler, accountStreams, reports } = this.#deps;
    const taken = await handler.lastOf(accountAggregate(account_id), "EmailConfirmed");
    if (taken?.data.dropped !== true || taken.position > position) return;
    const next = { after: taken.position, limit: 1 };
    const [session] = await accountStreams.of(account_id, ["session"], next);
    if (session && session.position < position) return;
    await reports.disown(report_id, account_id, "session_over", systemCaller(now));
  }
}

async function note(client: PoolClient, batch: readonly StoredEvent[]): Promise<void> {
  const rows = batch.flatMap(({ stream, position, metadata: { actor, origin } }) => {
    const isAccounts = actor.role !== "visitor" && actor.role !== "system" && origin === "live";
    return isAccounts ? [[stream.slice(streams.report("").length), actor.id, position]] : [];
  });
  await client.query(
    `insert into command.submission_look (report_id, account_id, position)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[]) on conflict do nothing`,
    [0, 1, 2].map((column) => rows.map((row) => row[column])),
  );
}
