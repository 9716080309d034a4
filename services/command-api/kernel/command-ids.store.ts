import type { Pool } from "pg";
import type { EventStore } from "#event-store/port.ts";
import type { CommandEnvelope } from "./envelope.ts";

/**
 * Settles the id of a command that creates something. The id names the new stream, so a retry under
 * a replaced key must get the id of the first time: otherwise it would create a second one.
 */
export class CommandIds {
  readonly #pool: Pool;
  readonly #store: Pick<EventStore, "readStream">;

  constructor(pool: Pool, store: Pick<EventStore, "readStream">) {
    this.#pool = pool;
    this.#store = store;
  }

  /** @param streamOf names the stream that a command of that id creates. */
  async settle(
    envelope: CommandEnvelope,
    streamOf: (id: string) => string,
  ): Promise<CommandEnvelope> {
    const { ids = [] } = envelope;
    const [oldest] = ids;
    if (oldest === undefined || ids.length < 2) return envelope;
    // Taken before this key was known: nobody has noted which id it has.
    for (const id of ids) if (await this.#isThere(streamOf(id))) return { ...envelope, id };
    // Of processes that change over at different moments the first one chooses.
    const { rows } = await this.#pool.query<{ id: string }>(
      `insert into command.command_id (oldest, id) values ($1, $2)
       on conflict (oldest) do update set oldest = excluded.oldest returning id`,
      [oldest, envelope.id],
    );
    return { ...envelope, id: rows[0]?.id ?? envelope.id };
  }

  /** Removes what was chosen before then; no key counts for longer than a day beside another. */
  async sweep(before: Date): Promise<void> {
    await this.#pool.query("delete from command.command_id where chosen_at < $1", [before]);
  }

  async #isThere(stream: string): Promise<boolean> {
    for await (const _ of this.#store.readStream(stream, 0, { limit: 1 })) return true;
    return false;
  }
}
