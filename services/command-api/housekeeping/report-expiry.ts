import type { Pool, PoolClient } from "pg";
import { streams } from "#contracts/events/index.ts";
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
const FOLLOWED = { streamPrefixes: ["report-"], types: [...BEGINS_PERIOD, "ReportDeleted"] };
const idOf = (stream: string) => stream.slice(streams.report("").length);

interface Deps {
  readonly pool: Pool;
  readonly store: Pick<EventStore, "readAll" | "readStream">;
  readonly reports: Pick<ReportService, "execute">;
  /** Of the log; positions mean nothing in another one. */
  readonly epoch: string;
  /** Other than {@link MOST_EXPIRED}, for tests. */
  readonly most?: number;
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
    const { pool, most = MOST_EXPIRED } = this.#deps;
    let expired = 0;
    for (;;) {
      const { rows } = await pool.query<{ report_id: string }>(
        `select report_id from command.report_expiry where look_at <= $1
         order by look_at, report_id limit ${BATCH}`,
        [new Date(nowMs)],
      );
      for (const { report_id: id } of rows) {
        if (expired >= most) return;
        if (await this.#look(id, nowMs)) expired += 1;
      }
      if (rows.length < BATCH) return;
    }
  }

  /** @returns whether the report's time was over. */
  async #look(id: string, nowMs: number): Promise<boolean> {
    const { pool, reports, store } = this.#deps;
    const events: StoredEvent[] = [];
    for await (const event of store.readStream(streams.report(id))) events.push(event);
    const expiry = expiryOf(events);
    if (expiry && expiry.atMs > nowMs) {
      await pool.query("update command.report_expiry set look_at = $2 where report_id = $1", [
        id,
        new Date(expiry.atMs),
      ]);
      return false;
    }
    if (expiry) {
      const envelope = newEnvelope(systemCaller(new Date(nowMs).toISOString()));
      await reports.execute(id, { type: "ExpireReport" }, envelope);
    }
    // Where the report has changed meanwhile, its event brings the row back.
    await pool.query("delete from command.report_expiry where report_id = $1 and look_at <= $2", [
      id,
      new Date(nowMs),
    ]);
    return expiry !== undefined;
  }
}

/** Notes when to look at the reports of a batch. */
async function note(client: PoolClient, batch: readonly StoredEvent[]): Promise<void> {
  const looks = new Map<string, Date | null>();
  for (const { stream, type, metadata } of batch) {
    const lookAt = new Date(Date.parse(metadata.time) + SHORTEST_MS);
    looks.set(idOf(stream), type === "ReportDeleted" ? null : lookAt);
  }
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
