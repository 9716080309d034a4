import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { X_MIN_POSITION, X_POSITION, X_STALE } from "#contracts/http/position-headers.ts";
import type { LogPosition, SealedPositions } from "#http/position-headers.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { type Checkpoint, type CheckpointWatcher, isAt } from "./checkpoint-watcher.ts";

interface FeedState {
  readonly checkpoints: readonly Checkpoint[];
  /** Whether events of any stream are parked, so that its rows are out of date. */
  readonly parked: boolean;
}

/**
 * Lets callers read their own writes. A read waits briefly for the processors that feed it. The
 * answer says how new it is (`X-Position`) and whether it is older than the caller asked for
 * (`X-Stale`).
 */
export interface ReadYourWrites {
  /**
   * For the `preHandler` of a route.
   * @param streams `any` for a list over many streams, which is stale as soon as one of them is
   *   parked; `one` when the handler passes its stream to {@link ReadYourWrites.markParked}.
   */
  waitFor(
    processors: readonly ProcessorName[],
    streams: "any" | "one",
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * Marks the answer as stale when events of this stream are parked. Only for routes that wait for
   * the same processors.
   */
  markParked(
    reply: FastifyReply,
    processors: readonly ProcessorName[],
    stream: string,
  ): Promise<void>;
}

export function createReadYourWrites(
  db: ReadModelDatabase,
  watcher: Pick<CheckpointWatcher, "reach">,
  positions: SealedPositions,
): ReadYourWrites {
  /** The state of its processors at the time that the request waited for them. */
  const feeds = new WeakMap<FastifyRequest, FeedState>();
  return {
    waitFor(processors, streams) {
      return async (request, reply) => {
        const wanted = request.headers[X_MIN_POSITION];
        const target = positions.open(wanted);
        // The position was sealed too long ago or by an earlier version, so it cannot be compared.
        const isUnknown = wanted !== undefined && wanted !== "" && !target;
        let feed = await readFeed(db, processors);
        const behind = (position: LogPosition) =>
          processors.filter(
            (name) =>
              !isAt(
                feed.checkpoints.find((c) => c.processor === name),
                position,
              ),
          );
        if (target && behind(target).length > 0 && (await watcher.reach(behind(target), target)))
          feed = await readFeed(db, processors);
        const position = oldest(feed.checkpoints, processors);
        if (position) reply.header(X_POSITION, positions.seal(position));
        feeds.set(request, feed);
        const isParked = streams === "any" && feed.parked;
        if (isParked || isUnknown || (target && behind(target).length > 0))
          reply.header(X_STALE, "true");
      };
    },
    async markParked(reply, processors, stream) {
      // Usually nothing is parked at all, and the request already knows that.
      if (feeds.get(reply.request)?.parked === false) return;
      const found = await db
        .selectFrom("processor.parked_stream")
        .select("stream")
        .where("processor", "in", [...processors])
        .where("stream", "=", stream)
        .limit(1)
        .executeTakeFirst();
      if (found) reply.header(X_STALE, "true");
    },
  };
}

async function readFeed(
  db: ReadModelDatabase,
  processors: readonly ProcessorName[],
): Promise<FeedState> {
  const rows = await db
    .selectFrom("processor.checkpoint as c")
    .select(["c.processor", "c.epoch", "c.position"])
    .select(
      sql<boolean>`exists (
        select from processor.parked_stream p where p.processor = c.processor
      )`.as("parked"),
    )
    .where("c.processor", "in", [...processors])
    .execute();
  return { checkpoints: rows, parked: rows.some((row) => row.parked) };
}

/** The position that all of the processors have reached; undefined until each has a checkpoint. */
function oldest(
  checkpoints: readonly Checkpoint[],
  processors: readonly string[],
): LogPosition | undefined {
  const [first] = checkpoints;
  const epoch = first?.epoch;
  if (!epoch || checkpoints.length < processors.length) return undefined;
  if (checkpoints.some((checkpoint) => checkpoint.epoch !== epoch)) return undefined;
  const [position = ""] = checkpoints.map((c) => c.position).toSorted();
  return { epoch, position };
}

export function readCheckpoints(db: ReadModelDatabase): Promise<Checkpoint[]> {
  return db.selectFrom("processor.checkpoint").select(["processor", "epoch", "position"]).execute();
}
