import type { Pool, PoolClient } from "pg";
import { streams } from "#contracts/events/index.ts";
import type { EventStore, Position, StoredEvent } from "#event-store/port.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import type { AccountStreams } from "../export/account-streams.ts";
import { systemCaller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ReportService } from "../report/report.service.ts";
import { FollowedLog } from "./followed-log.ts";

const BATCH = 500;
const FOLLOWED = { streamPrefixes: ["report-"], types: ["ReportSubmitted"] };

interface Deps {
  readonly pool: Pool;
  readonly store: Pick<EventStore, "readAll" | "head">;
  /** Of the log; positions mean nothing in another one. */
  readonly epoch: string;
  readonly handler: Pick<CommandHandler, "lastOf">;
  readonly reports: Pick<ReportService, "disown">;
  /** Read to the end of the log before each run. */
  readonly accountStreams: Pick<AccountStreams, "of">;
}

interface Row {
  readonly report_id: string;
  readonly account_id: string;
  readonly position: Position;
}

/**
 * Looks once more at each report that an account submitted. Whoever submits one looks at its account
 * afterwards; this does it for a process that died in between. A report that was submitted after
 * somebody else took the account over, and before anybody had signed in to it since, was sent in a session
 * of before.
 */
export class SubmissionLooks {
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
