import type { Pool, PoolClient } from "pg";
import { DomainError } from "#contracts/domain-error.ts";
import type { OpenData } from "#contracts/events/definition.ts";
import type { ReporterWarned } from "#contracts/events/report/reporter-questions.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { withLock } from "#runtime/db/lock.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import type { Dependencies } from "../dependencies.ts";
import { FollowedLog } from "../housekeeping/erasure-follower.ts";
import { reporterBlindIndexes, vouchedBlind } from "../report/report.blind.ts";
import { reportAt } from "../report/report.version.ts";
import { type Suspension, suspensionAfter } from "./strike-rules.ts";

const FOLLOWED = {
  streamPrefixes: ["report-", "user-"],
  types: [
    "ReporterWarned",
    "ReporterWarningLifted",
    "ReporterErased",
    "ReportErased",
    "AccountErased",
  ],
};
const idOf = (stream: string) => stream.slice(stream.indexOf("-") + 1);

/** How long a take-down waits for concurrent ones. */
const WAIT_MS = 25_000;

const OTHERS = "Other notices are being processed right now. Please try again.";

type Deps = Pick<
  Dependencies,
  "pool" | "databaseUrl" | "store" | "codec" | "keys" | "blind" | "epoch"
>;

/** Identifies whose infringements count: those of the address and those of the account. */
export interface Infringer {
  /** Keyed hash of the reporter's address. */
  readonly blind?: string | undefined;
  readonly accountId?: string | undefined;
}

/** A notice that counts against an infringer. */
export interface Strike {
  readonly noticeId: string;
  /** RFC 3339. */
  readonly at: string;
}

/** Infringements by address and account, in `command.strike`, which follows the log. */
export class StrikeStore {
  readonly #deps: Deps;
  readonly #followed: FollowedLog;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
    const table = "command.strike_position";
    this.#followed = new FollowedLog({
      ...deps,
      table,
      filter: FOLLOWED,
      note: (client, batch) => this.#note(client, batch),
      restart: async (client) => {
        await client.query("delete from command.strike");
      },
    });
  }

  async follow(): Promise<void> {
    await this.#followed.follow();
  }

  /** The notices that currently count, oldest first; each counts once, however many reports it is about. */
  async of({ blind, accountId }: Infringer): Promise<readonly Strike[]> {
    const { rows } = await this.#deps.pool.query<{ notice_id: string; at: Date }>(
      `select notice_id, min(at) as at from command.strike
       where lifted_at is null and (blind = $1 or account_id = $2::uuid)
       group by notice_id order by 2, 1`,
      [blind ?? null, accountId ?? null],
    );
    return rows.map(({ notice_id, at }) => ({ noticeId: notice_id, at: at.toISOString() }));
  }

  /** The infringer's current suspension, if any. @param now RFC 3339, UTC, milliseconds. */
  async suspension(of: Infringer, now: string): Promise<Suspension | undefined> {
    const strikes = await this.of(of);
    return suspensionAfter(
      strikes.map(({ at }) => at),
      now,
    );
  }

  /**
   * Runs `work` under a lock across all processes, so that two concurrent take-downs count as two infringements.
   * @param work receives a function to call before each step, which rejects once the lock is lost.
   * @throws {DomainError} `conflict` if the lock isn't available in time. A lost connection throws other errors.
   */
  withLock(work: (assertHeld: () => Promise<void>) => Promise<void>): Promise<void> {
    const result = this.#turn.then(() => this.#locked(work));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #locked(work: (assertHeld: () => Promise<void>) => Promise<void>): Promise<void> {
    const connection = {
      url: this.#deps.databaseUrl,
      name: "command-api strikes",
      // Limits how long a frozen process can block others.
      settings: ["set idle_session_timeout = '60s'"],
    };
    const locked = async (client: Pick<Pool, "query">) => {
      await work(async () => void (await client.query("select")));
      return true;
    };
    if (!(await withLock(connection, "strikes", locked, WAIT_MS)))
      throw new DomainError("conflict", OTHERS);
  }

  async #note(client: PoolClient, batch: readonly StoredEvent[]): Promise<void> {
    for (const event of batch) {
      const id = idOf(event.stream);
      const { type, metadata } = event;
      if (type === "ReporterWarned") await this.#noteWarned(client, event);
      else if (type === "ReporterWarningLifted")
        await client.query(
          "update command.strike set lifted_at = $3 where report_id = $1 and notice_id = $2",
          [id, (event.data as { notice_id: string }).notice_id, metadata.time],
        );
      else if (type === "AccountErased")
        await client.query("update command.strike set account_id = null where account_id = $1", [
          id,
        ]);
      else await client.query("update command.strike set blind = null where report_id = $1", [id]);
    }
  }

  /** Records the address at that time; an address that the report gets later didn't infringe. */
  async #noteWarned(client: PoolClient, { stream, revision, metadata, data }: StoredEvent) {
    const { notice_id, account_id } = data as OpenData<typeof ReporterWarned>;
    const report = await reportAt(idOf(stream), revision, this.#deps);
    await client.query(
      `insert into command.strike (report_id, notice_id, blind, account_id, at)
       values ($1, $2, $3, $4, $5)
       on conflict (report_id, notice_id) do update
       set blind = excluded.blind, account_id = excluded.account_id, at = excluded.at, lifted_at = null`,
      [
        idOf(stream),
        notice_id,
        vouchedBlind(report, this.#deps.blind) ?? null,
        account_id ?? null,
        metadata.time,
      ],
    );
  }
}

/** The infringer for an account: the account itself and its confirmed address. */
export function accountAsInfringer(
  accountId: string,
  { profile, confirmed }: Pick<AccountState, "profile" | "confirmed">,
  index: BlindIndexer,
): Infringer {
  const blind = profile && confirmed ? reporterBlindIndexes(profile.email, index).email : undefined;
  return { accountId, blind };
}
