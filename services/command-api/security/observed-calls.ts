import { createHash } from "node:crypto";
import { MAX_CONTACTS_FOUND } from "#contracts/account/contact-alarm.ts";
import { streams } from "#contracts/events/index.ts";
import type { ActorRole } from "#event-store/port.ts";
import { CONTACT_FOUND } from "#operations/process-table.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, systemCaller } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { decideSecurity, type SecurityCommand } from "./security.decider.ts";

const TODAY = "date_trunc('day', now(), 'UTC')";

/** The first call of an hour is recorded immediately, and the others together when the hour has ended. */
const TAKE = `
  update ops.observed set recording = times
  where recording is null and times > recorded
    and (recorded = 0 or hour < date_trunc('hour', now(), 'UTC'))
`;
const TAKEN = `
  select id, account_id, role, method, route, code, recorded, recording from ops.observed
  where recording is not null order by id limit 500
`;
const DONE = `
  update ops.observed set recorded = recording, recording = null
  where id = $1 and recorded = $2 and recording is not null
`;
/** Contacts found today stay counted until the day has ended. */
const SWEEP = `
  delete from ops.observed
  where recording is null and recorded = times and hour < least(now() - interval '2 hours', ${TODAY})
`;
const FOUND_TODAY = `
  select to_char(${TODAY} at time zone 'UTC', 'YYYY-MM-DD') as day, sum(times)::int as found,
    count(distinct account_id)::int as accounts
  from ops.observed where code = $1 and hour >= ${TODAY} having sum(times) >= $2
`;

interface TakenRow {
  readonly id: string;
  readonly account_id: string;
  readonly role: ActorRole;
  readonly method: string;
  readonly route: string;
  readonly code: string;
  readonly recorded: number;
  readonly recording: number;
}

interface FoundToday {
  /** `2026-11-28` */
  readonly day: string;
  readonly found: number;
  readonly accounts: number;
}

type Deps = Pick<Dependencies, "pool" | "handler" | "admins">;

/**
 * Turns rows of `ops.observed` into events. A row fixes how many calls the next event counts before it is appended,
 * and the event's stream and command follow from the row, so that a second attempt, after a crash or in another
 * process, is a no-op. Raises an alarm if accounts find unusually many contacts.
 */
export class ObservedCalls extends Service<Deps> {
  /** The last day on which this process knows that the alarm was raised. */
  #alarmed = "";

  /** @param now RFC 3339 */
  async record(now: string): Promise<void> {
    const { pool } = this.deps;
    await pool.query(TAKE);
    const { rows } = await pool.query<TakenRow>(TAKEN);
    for (const row of rows) {
      await this.#recordCalls(row, now);
      await pool.query(DONE, [row.id, row.recorded]);
    }
    await this.#raiseAlarm(now);
    await pool.query(SWEEP);
  }

  /** Raises the alarm once a day across all processes. */
  async #raiseAlarm(now: string): Promise<void> {
    const { pool, admins } = this.deps;
    const { rows } = await pool.query<FoundToday>(FOUND_TODAY, [CONTACT_FOUND, MAX_CONTACTS_FOUND]);
    const [today] = rows;
    if (!today || today.day === this.#alarmed) return;
    const { day, found, accounts } = today;
    const command = { type: "RaiseContactAlarm", found, accounts, told: await admins() } as const;
    await this.#append(command, `contact alarm ${day}`, systemCaller(now));
    this.#alarmed = day;
  }

  async #recordCalls(row: TakenRow, now: string): Promise<void> {
    const { method, route, code, role, recorded, recording } = row;
    const count = recording - recorded;
    const command: SecurityCommand =
      code === CONTACT_FOUND
        ? { type: "FindContact", method, route, count }
        : { type: "RefuseCall", role, method, route, code, count };
    const caller: Caller = { ...systemCaller(now), actor: { id: row.account_id, role } };
    await this.#append(command, `${row.id} ${recorded}`, caller);
  }

  /** @param what determines the event's stream and command, which makes appending idempotent. */
  async #append(command: SecurityCommand, what: string, caller: Caller): Promise<void> {
    const id = createHash("sha256").update(what).digest("hex");
    const target = {
      stream: streams.security(aggregateIdOf(id)),
      clientSubject: () => "",
      evolve: () => true as const,
      decide: decideSecurity,
    };
    await this.deps.handler.execute(target, command, { caller, id, body: {} });
  }
}
