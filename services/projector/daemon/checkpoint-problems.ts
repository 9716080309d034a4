import type { Position } from "#event-store/port.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { type Checkpoint, ownedByAnother, type readOwned, remedyOf } from "./checkpoint.ts";
import { CheckpointReplaced, ProcessorStopped } from "./errors.ts";

/** The stored checkpoint and its owner, or why it could not be read. */
export type StoredCheckpoint = Awaited<ReturnType<typeof readOwned>> | ProcessorStopped;

/** Why a processor must not continue from the checkpoint that it holds, given the stored one. */
export function checkpointProblem(
  held: Checkpoint,
  token: string,
  stored: StoredCheckpoint,
): Error | undefined {
  if (stored instanceof ProcessorStopped) return stored;
  const { processor: name } = held;
  const remedy = remedyOf(name);
  if (!stored)
    return new ProcessorStopped(
      "checkpoint_missing",
      `the checkpoint of ${name} is gone: ${remedy}`,
    );
  const { checkpoint: found, owner } = stored;
  if (found.generation !== held.generation) return new CheckpointReplaced(name);
  // A process that was frozen and replaced finds a checkpoint that the new owner has moved.
  if (owner !== token) return ownedByAnother(name);
  if (found.position === held.position) return undefined;
  return new ProcessorStopped(
    "checkpoint_moved",
    `the checkpoint of ${name} was moved from ${held.position} to ${found.position} by somebody else: ${remedy}`,
  );
}

/** Why a processor must not continue from its checkpoint, given the current log. */
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

/** The log was restored: its epoch differs from that of the tables. */
export function restoredLog(name: ProcessorName): ProcessorStopped {
  return new ProcessorStopped(
    "epoch",
    `the log was restored, and ${name} belongs to the log before: ${remedyOf(name)}`,
  );
}
