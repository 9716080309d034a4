import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { X_MIN_POSITION, X_POSITION, X_STALE } from "#contracts/http/position-headers.ts";
import type { LogPosition, SealedPositions } from "#http/position-headers.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { type Checkpoint, type CheckpointWatcher, isAt } from "./checkpoint-watcher.ts";

interface FeedState {
  readonly checkpoints: readonly Checkpoint[];
  /** Events of some stream could not be applied and wait: its rows are older than they seem. */
  readonly parked: boolean;
}

/**
 * Lets a read show at least what its caller wrote: it waits, briefly, for the processors that feed
 * it, and says how new the answer is (`X-Position`) and whether that is not new enough (`X-Stale`).
 */
export interface ReadYourWrites {
  /**
   * For the `preHandler` of a route.
   * @param streams `any`: a list over many streams, stale as soon as one of them is parked;
   *   `one`: the handler names its stream to {@link ReadYourWrites.markParked}.
   */
  waitFor(
    processors: readonly ProcessorName[],
    streams: "any" | "one",
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * Marks the answer when events of this stream wait behind one that cannot be applied. For routes
   * that wait for the same processors.
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
  /** What a request's feed was like when it waited. */
  const feeds = new WeakMap<FastifyRequest, FeedState>();
  return {
    waitFor(processors, streams) {
      return async (request, reply) => {
        const wanted = request.headers[X_MIN_POSITION];
        const target = positions.open(wanted);
        // Sealed too long ago, or by an earlier version: nobody knows how new it is.
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
      // Nearly always nothing is parked at all, and the feed has told so.
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

/** The position that all of the processors have reached; undefined before they all have one. */
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

/** Checkpoints of all processors, for the watcher. */
export function readCheckpoints(db: ReadModelDatabase): Promise<Checkpoint[]> {
  return db.selectFrom("processor.checkpoint").select(["processor", "epoch", "position"]).execute();
}
