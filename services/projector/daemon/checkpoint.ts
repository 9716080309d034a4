import { createHash } from "node:crypto";
import type pg from "pg";
import { type Position, START } from "#event-store/port.ts";
import { CHECKPOINT_CHANNEL, formatCheckpointMessage } from "#read-model/checkpoint-channel.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { CheckpointReplaced, ProcessorStopped } from "./errors.ts";

/** How far a processor has updated its tables. */
export interface Checkpoint {
  readonly processor: ProcessorName;
  readonly position: Position;
  /** Null until the first event was seen. */
  readonly epoch: string | null;
  /** Increases with each rebuild that is swapped in. */
  readonly generation: number;
}

type Queryable = Pick<pg.ClientBase, "query">;

/** Returns the command with which an operator repairs tables that cannot resume. */
export function remedyOf(processor: ProcessorName): string {
  return processor === "outbox" ? "npm run reactions:release" : `npm run rebuild -- ${processor}`;
}

interface CheckpointRow extends Checkpoint {
  readonly checksum: string;
  readonly owner: string | null;
}

/** Computes a SHA-256 (hex) that reveals whether anything else changed the checkpoint. */
function checksum({ processor, position, epoch, generation }: Checkpoint): string {
  return createHash("sha256")
    .update(JSON.stringify([processor, position, epoch, generation]))
    .digest("hex");
}

/** @throws {ProcessorStopped} `checkpoint_damaged` */
function verified(row: CheckpointRow): Checkpoint {
  const { processor, position, epoch, generation } = row;
  const checkpoint = { processor, position, epoch, generation };
  if (checksum(checkpoint) !== row.checksum || (epoch === null && position !== START))
    throw new ProcessorStopped(
      "checkpoint_damaged",
      `the checkpoint of ${processor} was changed from outside: ${remedyOf(processor)}`,
    );
  return checkpoint;
}

const COLUMNS = "processor, position, epoch, generation, checksum, owner";

/** @returns undefined when there is no checkpoint. @throws {ProcessorStopped} `checkpoint_damaged` */
export async function readCheckpoint(
  sql: Queryable,
  processor: ProcessorName,
): Promise<Checkpoint | undefined> {
  return (await readOwned(sql, processor))?.checkpoint;
}

/** Like {@link readCheckpoint}, with the writer's token. @throws {ProcessorStopped} `checkpoint_damaged` */
export async function readOwned(
  sql: Queryable,
  processor: ProcessorName,
): Promise<{ readonly checkpoint: Checkpoint; readonly owner: string | null } | undefined> {
  const { rows } = await sql.query<CheckpointRow>(
    `select ${COLUMNS} from processor.checkpoint where processor = $1`,
    [processor],
  );
  const [row] = rows;
  return row && { checkpoint: verified(row), owner: row.owner };
}

/** Locks the row until the transaction ends, which keeps out other writers of these tables. */
export async function lockCheckpoint(
  client: pg.ClientBase,
  processor: ProcessorName,
): Promise<Position | undefined> {
  const { rows } = await client.query<{ position: Position }>(
    "select position from processor.checkpoint where processor = $1 for update",
    [processor],
  );
  return rows[0]?.position;
}

/** Creates the checkpoint of a new processor if there is none. */
export async function createCheckpoint(sql: Queryable, processor: ProcessorName): Promise<void> {
  const first = { processor, position: START, epoch: null, generation: 0 };
  await sql.query(
    `insert into processor.checkpoint (processor, position, epoch, generation, checksum)
     values ($1, $2, null, $3, $4) on conflict do nothing`,
    [processor, START, first.generation, checksum(first)],
  );
}

/** Records the new owner's token. Waits for the previous owner's open transaction to end. */
export async function takeOwnership(
  sql: Queryable,
  processor: ProcessorName,
  token: string,
): Promise<void> {
  await sql.query("update processor.checkpoint set owner = $2 where processor = $1", [
    processor,
    token,
  ]);
}

/**
 * Compares and sets the checkpoint, as the first statement of the transaction that writes the rows.
 * @returns the new checkpoint and the processor's parked streams.
 * @throws {CheckpointReplaced} if a rebuild swapped its tables in: read the checkpoint again.
 * @throws {ProcessorStopped} `lease_lost` if another process now owns the processor.
 * @throws {ProcessorStopped} `checkpoint_moved` or `checkpoint_damaged` if someone else wrote it.
 */
export async function advanceCheckpoint(
  client: pg.ClientBase,
  from: Checkpoint,
  to: Pick<Checkpoint, "position" | "epoch">,
  token: string,
): Promise<{ checkpoint: Checkpoint; parked: ReadonlySet<string> }> {
  const { processor, generation } = from;
  const checkpoint = { processor, generation, position: to.position, epoch: to.epoch };
  const { rows } = await client.query<{ parked: string[] | null }>(
    `update processor.checkpoint
     set position = $2, epoch = $3, checksum = $4, moved_at = now()
     where processor = $1 and position = $5 and epoch is not distinct from $6 and checksum = $7
       and generation = $8 and owner = $9
     returning (select array_agg(stream) from processor.parked_stream where processor = $1) as parked`,
    [
      processor,
      to.position,
      to.epoch,
      checksum(checkpoint),
      from.position,
      from.epoch,
      checksum(from),
      generation,
      token,
    ],
  );
  const [row] = rows;
  if (!row) {
    const stored = await readOwned(client, processor);
    throw checkpointProblem(from, token, stored) ?? movedFrom(from, stored?.checkpoint);
  }
  return { checkpoint, parked: new Set(row.parked) };
}

function ownedByAnother(processor: ProcessorName): ProcessorStopped {
  return new ProcessorStopped("lease_lost", `another process now owns ${processor}`);
}

/** Sets a checkpoint whose row is locked. @param begunAt when the tables were created, if they are new. */
export async function replaceCheckpoint(
  client: pg.ClientBase,
  processor: ProcessorName,
  to: { readonly position: Position; readonly epoch: string },
  begunAt?: Date,
): Promise<void> {
  const { rows } = await client.query<{ generation: number }>(
    "select generation from processor.checkpoint where processor = $1",
    [processor],
  );
  const generation = (rows[0]?.generation ?? 0) + 1;
  await client.query(
    `insert into processor.checkpoint as c
       (processor, position, epoch, generation, checksum, rebuilt_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (processor) do update set position = excluded.position, epoch = excluded.epoch,
       generation = excluded.generation, checksum = excluded.checksum, moved_at = now(),
       rebuilt_at = coalesce(excluded.rebuilt_at, c.rebuilt_at)`,
    [
      processor,
      to.position,
      to.epoch,
      generation,
      checksum({ processor, generation, ...to }),
      begunAt ?? null,
    ],
  );
}

/** @returns when the tables of each processor were created. Processors without a known time are left out. */
export async function readRebuildTimes(sql: Queryable): Promise<Map<ProcessorName, Date>> {
  const { rows } = await sql.query<{ processor: ProcessorName; rebuilt_at: Date }>(
    "select processor, rebuilt_at from processor.checkpoint where rebuilt_at is not null",
  );
  return new Map(rows.map(({ processor, rebuilt_at }) => [processor, rebuilt_at]));
}

/** Notifies readers waiting for the position. Call it after the commit, so that they find the rows. */
export async function announceCheckpoint(
  sql: Queryable,
  { processor, position, epoch }: Checkpoint,
): Promise<void> {
  if (epoch === null) return;
  await sql.query("select pg_notify($1, $2)", [
    CHECKPOINT_CHANNEL,
    formatCheckpointMessage({ processor, epoch, position }),
  ]);
}

/** The stored checkpoint and its owner, or why it could not be read. */
export type StoredCheckpoint = Awaited<ReturnType<typeof readOwned>> | ProcessorStopped;

/** Returns why a processor must not continue from the checkpoint that it holds, given the stored one. */
export function checkpointProblem(
  held: Checkpoint,
  token: string,
  stored: StoredCheckpoint,
): Error | undefined {
  if (stored instanceof ProcessorStopped) return stored;
  const { processor: name } = held;
  if (!stored)
    return new ProcessorStopped(
      "checkpoint_missing",
      `the checkpoint of ${name} is missing: ${remedyOf(name)}`,
    );
  const { checkpoint: found, owner } = stored;
  if (found.generation !== held.generation) return new CheckpointReplaced(name);
  // A process that was frozen and replaced finds a checkpoint that the new owner has moved.
  if (owner !== token) return ownedByAnother(name);
  return found.position === held.position ? undefined : movedFrom(held, found);
}

function movedFrom({ processor, position }: Checkpoint, found?: Checkpoint): ProcessorStopped {
  return new ProcessorStopped(
    "checkpoint_moved",
    `the checkpoint of ${processor} was moved from ${position} to ${found?.position} by something else: ${remedyOf(processor)}`,
  );
}

/** Returns why a processor must not continue from its checkpoint, given the current log. */
export function logProblem(
  { processor: name, position, epoch }: Checkpoint,
  log: { readonly head: Position; readonly epoch: string | undefined },
): ProcessorStopped | undefined {
  if (epoch !== null && log.epoch !== epoch) return restoredLog(name);
  if (position > log.head)
    return new ProcessorStopped(
      "beyond_head",
      `${name} is at ${position}, past the head of the log, ${log.head}: ${remedyOf(name)}`,
    );
  return undefined;
}

/** The stop for a restored log, whose epoch differs from that of the tables. */
export function restoredLog(name: ProcessorName): ProcessorStopped {
  return new ProcessorStopped(
    "epoch",
    `the log was restored, and ${name} belongs to the previous log: ${remedyOf(name)}`,
  );
}
