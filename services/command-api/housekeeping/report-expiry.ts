import type { Pool, PoolClient } from "pg";
import { streams } from "#contracts/events/index.ts";
import { type KeptDays, keptDays } from "#contracts/settings/catalogue.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { BEGINS_PERIOD, expiryOf, SHORTEST_MS } from "../report/report.expiry.ts";
import type { ReportService } from "../report/report.service.ts";
import { FollowedLog } from "./followed-log.ts";

const BATCH = 500;
/** Reports that one run of a process removes: a wrong clock must not erase the registry. */
export const MOST_EXPIRED = 1000;
/** A clock that is so far past the newest event of the log is not trusted. */
const MOST_AHEAD_MS = 7 * 24 * 3_600_000;
const FOLLOWED = {
  streamPrefixes: ["report-", streams.settings],
  types: [...BEGINS_PERIOD, "ReportDeleted", "ReportErased", "SettingsChanged"],
};
const idOf = (stream: string) => stream.slice(streams.report("").length);

interface Deps {
  readonly pool: Pool;
  readonly store: Pick<EventStore, "readAll" | "readStream" | "head">;
  readonly reports: Pick<ReportService, "execute">;
  /** The settings as the log has them now, also what was appended a moment ago. */
  readonly settings: () => Promise<Settings>;
  /** Of the log; positions mean nothing in another one. */
  readonly epoch: string;
  /** Other than {@link MOST_EXPIRED}, for tests. */
  readonly most?: number;
}

/** A report to look at. */
interface Due {
  readonly report_id: string;
  /** As PostgreSQL writes it. */
  readonly seen: string;
}

/**
 * Removes reports whose time is over. It follows the log for when to look at a report, in any number
 * of processes. An empty or an older table only means that more is looked at.
 */
export class ReportExpiry {
  readonly #deps: Deps;
  readonly #followed: FollowedLog;

  constructor(deps: Deps) {
    this.#deps = deps;
    const table = "command.report_expiry_position";
    this.#followed = new FollowedLog({ ...deps, table, filter: FOLLOWED, note });
  }

  /** Follows the log to its end, then removes what is due. */
  async run(nowMs: number): Promise<void> {
    const isRight = await this.#isRight(nowMs);
    await this.#followed.follow();
    if (isRight) await this.#expireDue(nowMs);
  }

  /** Whether the clock stands neither before the newest event nor far past it. */
  async #isRight(nowMs: number): Promise<boolean> {
    const last = { direction: "backwards", limit: 1 } as const;
    for await (const { metadata } of this.#deps.store.readAll(undefined, undefined, last)) {
      const ahead = nowMs - Date.parse(metadata.time);
      return ahead >= 0 && ahead <= MOST_AHEAD_MS;
    }
    return false;
  }

  async #expireDue(nowMs: number): Promise<void> {
    const { pool, settings, most = MOST_EXPIRED } = this.#deps;
    let expired = 0;
    for (;;) {
      const { rows } = await pool.query<Due>(
        `select report_id, look_at::text as seen from command.report_expiry where look_at <= $1
         order by look_at, report_id limit ${BATCH}`,
        [new Date(nowMs)],
      );
      // After the rows: one that is due because of a change is looked at by somebody who knows that change.
      const days = keptDays(await settings());
      for (const due of rows) {
        if (expired >= most) return;
        if (await this.#look(due, nowMs, days)) expired += 1;
      }
      if (rows.length < BATCH) return;
    }
  }

  /** @returns whether the report's time was over. */
  async #look({ report_id: id, seen }: Due, nowMs: number, days: KeptDays): Promise<boolean> {
    const { pool, reports, store } = this.#deps;
    const events: StoredEvent[] = [];
    for await (const event of store.readStream(streams.report(id))) events.push(event);
    const expiry = expiryOf(events, days);
    if (expiry && expiry.atMs > nowMs) {
      // Unless a change has made it due again meanwhile.
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
      // Such reports are kept longer since a moment ago, or another process was first: the next look tells.
      if (!changed) return false;
    }
    // Where the report has changed meanwhile, its event brings the row back.
    await pool.query("delete from command.report_expiry where report_id = $1 and look_at <= $2", [
      id,
      new Date(nowMs),
    ]);
    return expiry !== undefined;
  }
}

/** When to look at a report after an event of it; null where its time has ended. */
function lookAtAfter(type: string, data: StoredEvent["data"], time: string): Date | null {
  if (type === "ReportErased") return null;
  if (type === "ReportDeleted") return new Date(String(data.erase_at));
  // What was taken back may have been due before.
  if (type === "ReportDeletionUndone") return new Date(time);
  return new Date(Date.parse(time) + SHORTEST_MS);
}

/** Notes when to look at the reports of a batch. */
async function note(client: PoolClient, batch: readonly StoredEvent[]): Promise<void> {
  const looks = new Map<string, Date | null>();
  let isSooner = false;
  for (const { stream, type, metadata, data } of batch) {
    if (stream === streams.settings) {
      isSooner ||= Object.keys(data as object).some((name) => name.startsWith("keep_"));
      continue;
    }
    looks.set(idOf(stream), lookAtAfter(type, data, metadata.time));
  }
  // What is kept for a shorter time now may be due.
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
