import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { streams } from "#contracts/events/index.ts";
import type { ActorRole } from "#event-store/port.ts";
import { CONTACT_FOUND } from "#operations/observed-table.ts";
import { type Caller, systemCaller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { SecurityCommand } from "./security.commands.ts";
import { decideSecurity } from "./security.decider.ts";

/** The first call of an hour is recorded right away, the others together when the hour is over. */
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
const SWEEP = `
  delete from ops.observed
  where recording is null and recorded = times and hour < now() - interval '2 hours'
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

/**
 * Turns rows of `ops.observed` into events. A row says how many calls the next event counts before it is
 * appended, and the event's stream and command follow from the row: whoever does it again, after a crash or in
 * another process, finds that it is there.
 */
export class ObservedCalls {
  readonly #pool: Pool;
  readonly #handler: CommandHandler;

  constructor(deps: { readonly pool: Pool; readonly handler: CommandHandler }) {
    this.#pool = deps.pool;
    this.#handler = deps.handler;
  }

  /** @param now RFC 3339 */
  async record(now: string): Promise<void> {
    await this.#pool.query(TAKE);
    const { rows } = await this.#pool.query<TakenRow>(TAKEN);
    for (const row of rows) {
      await this.#append(row, now);
      await this.#pool.query(DONE, [row.id, row.recorded]);
    }
    await this.#pool.query(SWEEP);
  }

  async #append(row: TakenRow, now: string): Promise<void> {
    const { method, route, code, role, recorded, recording } = row;
    const count = recording - recorded;
    const command: SecurityCommand =
      code === CONTACT_FOUND
        ? { type: "FindContact", method, route, count }
        : { type: "RefuseCall", role, method, route, code, count };
    const id = createHash("sha256").update(`${row.id} ${recorded}`).digest("hex");
    const caller: Caller = { ...systemCaller(now), actor: { id: row.account_id, role } };
    const target = {
      stream: streams.security(uuidOf(id)),
      clientSubject: () => "",
      evolve: () => true as const,
      decide: decideSecurity,
    };
    await this.#handler.execute(target, command, { caller, id, body: {} });
  }
}

/** A UUID of version 8, which is one of the caller's own making. */
function uuidOf(hex: string): string {
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-8${c}-8${d}-${hex.slice(20, 32)}`;
}
