import { readEpoch } from "#event-store/store-log.ts";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { type Checkpoint, readCheckpoint, remedyOf } from "../daemon/checkpoint.ts";
import { ProcessorStopped } from "../daemon/errors.ts";
import { type OperatorContext, withProjectorStores } from "./operator.ts";

/** A processor that cannot continue, and the remedy. */
export interface BlockedProcessor {
  readonly processor: ProcessorName;
  readonly reason: string;
  readonly remedy: string;
}

/**
 * The last step of `npm run log:restored`, after `LogRestored` is appended. Prints which processors
 * still belong to the log before the restore, and the commands that bring them up to date.
 * @returns the exit code, always 0.
 */
export async function runAfterRestore(context: OperatorContext): Promise<number> {
  const { print } = context;
  return withProjectorStores(context, async ({ pool, store }) => {
    const epoch = await readEpoch(store);
    const head = await store.head();
    const blocked: BlockedProcessor[] = [];
    for (const processor of PROCESSORS) {
      const found = await readCheckpoint(pool, processor).catch((error: unknown) => {
        if (error instanceof ProcessorStopped) return error;
        throw error;
      });
      const reason = reasonOf(found, epoch, head);
      if (reason) blocked.push({ processor, reason, remedy: remedyOf(processor) });
    }
    if (blocked.length === 0) print("Every processor belongs to this log.");
    for (const { processor, reason, remedy } of blocked) print(`${processor} ${reason}: ${remedy}`);
    return 0;
  });
}

function reasonOf(
  found: Checkpoint | ProcessorStopped | undefined,
  epoch: string | undefined,
  head: string,
): string | undefined {
  if (found instanceof ProcessorStopped) return "has a damaged checkpoint";
  if (!found || found.epoch === null) return undefined;
  if (found.epoch !== epoch) return "belongs to the log before the restore";
  return found.position > head ? "is past the head of the log" : undefined;
}
