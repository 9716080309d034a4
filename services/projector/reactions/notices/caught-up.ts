import type pg from "pg";
import type { Position } from "#event-store/port.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { lockCheckpoint } from "../../daemon/checkpoint.ts";

/** The processors whose tables say whom a notice concerns. */
const READ = ["reports", "offenders", "accounts"] as const satisfies readonly ProcessorName[];

/**
 * Keeps the reaction from going on until the transaction ends, and says whether the tables that notices
 * are made of know everything that it knows. Otherwise a notice could come after the removal of those of
 * its report or account, and stay for ever.
 * @param least a position that all must have reached.
 * @returns the position and epoch of the reaction; undefined while a table is behind.
 */
export async function holdCaughtUp(
  client: pg.ClientBase,
  least?: Position,
): Promise<{ readonly position: Position; readonly epoch: string } | undefined> {
  const position = await lockCheckpoint(client, "outbox");
  if (position === undefined || (least !== undefined && position < least)) return undefined;
  const { rows } = await client.query<{ epoch: string | null; reached: number }>(
    `select o.epoch, (
       select count(*)::int from processor.checkpoint r
       where r.processor = any($1) and r.epoch = o.epoch and r.position >= o.position
     ) as reached
     from processor.checkpoint o where o.processor = 'outbox'`,
    [READ],
  );
  const { epoch = null, reached } = rows[0] ?? {};
  return epoch !== null && reached === READ.length ? { position, epoch } : undefined;
}
