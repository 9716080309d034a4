import type pg from "pg";
import type { Logger } from "pino";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { RegistryCodec } from "#vault/sealing/event-codec.ts";
import { eraseParked } from "./applier.ts";
import { announceCheckpoint, lockCheckpoint, readCheckpoint, remedyOf } from "./checkpoint.ts";
import { causeOf, isEventAtFault, ProcessorStopped } from "./errors.ts";
import { listParked } from "./parked.ts";
import {
  isUnopened,
  OpeningStopped,
  openEvents,
  openingOf,
  type Projection,
} from "./projection.ts";

export interface RetryDeps {
  readonly pool: pg.Pool;
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly codec: RegistryCodec;
  readonly projections: readonly Projection[];
}

/** Result of a retry for one parked stream. */
interface RetriedStream {
  readonly processor: ProcessorName;
  readonly stream: string;
  readonly applied: number;
  /** Number of events still parked. */
  readonly left: number;
  /** Why the first of them cannot be applied. */
  readonly cause: string | undefined;
}

/**
 * Applies the parked events of each stream in order, as far as possible. The processor may be
 * running, because both take the checkpoint's lock.
 * @throws {ProcessorStopped} @throws {KeyMissing} @throws {KeyStoreUnavailable} and leaves the
 * current stream unchanged.
 */
export async function retryParked(
  deps: RetryDeps,
  only: { readonly processor?: ProcessorName; readonly stream?: string } = {},
): Promise<RetriedStream[]> {
  const results: RetriedStream[] = [];
  for (const { processor, stream } of await listParked(deps.pool, only)) {
    const projection = deps.projections.find(({ name }) => name === processor);
    if (projection) results.push(await retryStream(deps, projection, stream));
  }
  return results;
}

/** Prefix of the cause if an earlier version parked an event that it did not know. */
const UNKNOWN = "UnknownEvent:";

/** Applies parked events of types that this version knows. @throws {KeyStoreUnavailable} and other store errors. */
export async function retryUnknownEvents(
  deps: Omit<RetryDeps, "projections"> & { readonly log: Pick<Logger, "info" | "warn"> },
  projection: Projection,
): Promise<void> {
  const { name: processor } = projection;
  for (const { stream, cause } of await listParked(deps.pool, { processor })) {
    if (!cause.startsWith(UNKNOWN)) continue;
    try {
      const { applied, left } = await retryStream(deps, projection, stream);
      deps.log.info({ processor, stream, applied, left }, "retried a parked stream");
    } catch (err) {
      if (!(err instanceof OpeningStopped)) throw err;
      deps.log.warn({ processor, stream, err }, "a parked stream could not be retried");
    }
  }
}

async function retryStream(
  deps: Omit<RetryDeps, "projections">,
  projection: Projection,
  stream: string,
): Promise<RetriedStream> {
  const { name: processor } = projection;
  const result = await inTransaction(deps.pool, async (client) => {
    await lockCheckpoint(client, processor);
    const checkpoint = await readCheckpoint(client, processor);
    if (!checkpoint?.epoch)
      throw new ProcessorStopped(
        "checkpoint_missing",
        `${processor} has no checkpoint: ${remedyOf(processor)}`,
      );
    const { epoch } = checkpoint;
    const events = await parkedEvents(deps, client, processor, stream);
    let applied = 0;
    let cause: string | undefined;
    for (const stored of events) {
      const opened = await openEvents([stored], openingOf([projection]), deps);
      await client.query("savepoint event");
      try {
        for (const event of opened.events) {
          if (isUnopened(event)) throw event.error;
          const { keys } = opened;
          const { position } = stored;
          await projection.apply(client, { events: [event], keys, position, epoch });
        }
      } catch (error) {
        if (!isEventAtFault(error)) throw error;
        await client.query("rollback to savepoint event");
        cause = causeOf(error);
        break;
      }
      applied += 1;
    }
    const left = events.slice(applied);
    await recordOutcome(client, processor, stream, left, cause);
    await eraseParked(projection, client, left, epoch);
    return { checkpoint, applied, left: left.length, cause };
  });
  // Lets readers waiting for fresh data check again.
  await announceCheckpoint(deps.pool, result.checkpoint);
  const { applied, left, cause } = result;
  return { processor, stream, applied, left, cause };
}

/** Reads the stream's parked events from the log, in order. */
async function parkedEvents(
  { store }: Pick<RetryDeps, "store">,
  client: pg.ClientBase,
  processor: ProcessorName,
  stream: string,
): Promise<StoredEvent[]> {
  const { rows } = await client.query<{ position: string; revision: number }>(
    `select position, revision from processor.parked_event
     where processor = $1 and stream = $2 order by revision`,
    [processor, stream],
  );
  const [first] = rows;
  if (!first) return [];
  const found = new Map<string, StoredEvent>();
  for await (const event of store.readStream(stream, first.revision)) {
    found.set(event.position, event);
    if (event.position === rows.at(-1)?.position) break;
  }
  return rows.map(({ position }) => {
    const event = found.get(position);
    if (event) return event;
    throw new ProcessorStopped(
      "failure",
      `the log has no event of ${stream} at ${position}: ${remedyOf(processor)}`,
    );
  });
}

async function recordOutcome(
  client: pg.ClientBase,
  processor: ProcessorName,
  stream: string,
  left: readonly StoredEvent[],
  cause: string | undefined,
): Promise<void> {
  await client.query(
    `delete from processor.parked_event
     where processor = $1 and stream = $2 and not position = any($3::text[])`,
    [processor, stream, left.map(({ position }) => position)],
  );
  const [first] = left;
  if (!first) {
    await client.query("delete from processor.parked_stream where processor = $1 and stream = $2", [
      processor,
      stream,
    ]);
    return;
  }
  await client.query(
    `update processor.parked_event set cause = $3, attempts = attempts + 1
     where processor = $1 and position = $2`,
    [processor, first.position, cause ?? null],
  );
  await client.query(
    "update processor.parked_stream set position = $3 where processor = $1 and stream = $2",
    [processor, stream, first.position],
  );
}
