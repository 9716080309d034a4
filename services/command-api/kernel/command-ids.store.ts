import type { Pool } from "pg";
import type { EventStore } from "#event-store/port.ts";
import type { CommandEnvelope } from "./envelope.ts";

/**
 * Determines the id of a command that creates something. The id names the new stream. A retry must
 * get the same id even if the key was replaced meanwhile, or it would create a second stream.
 */
export class CommandIds {
  readonly #pool: Pool;
  readonly #store: Pick<EventStore, "readStream">;

  constructor(pool: Pool, store: Pick<EventStore, "readStream">) {
    this.#pool = pool;
    this.#store = store;
  }

  /** @param streamOf name of the stream that a command with this id creates. */
  async settle(
    envelope: CommandEnvelope,
    streamOf: (id: string) => string,
  ): Promise<CommandEnvelope> {
    const { ids = [] } = envelope;
    const [oldest] = ids;
    if (oldest === undefined || ids.length < 2) return envelope;
    // It may have been accepted before this process knew the new key, so no id was stored.
    for (const id of ids) if (await this.#isThere(streamOf(id))) return { ...envelope, id };
    // Processes switch to a new key at different moments. The first one to get here decides.
    const { rows } = await this.#pool.query<{ id: string }>(
      `insert into command.command_id (oldest, id) values ($1, $2)
       on conflict (oldest) do update set oldest = excluded.oldest returning id`,
      [oldest, envelope.id],
    );
    return { ...envelope, id: rows[0]?.id ?? envelope.id };
  }

  /**
   * Removes ids chosen before this time. An old key is valid beside the new one for a day at most.
   */
  async sweep(before: Date): Promise<void> {
    await this.#pool.query("delete from command.command_id where chosen_at < $1", [before]);
  }

  async #isThere(stream: string): Promise<boolean> {
    for await (const _ of this.#store.readStream(stream, 0, { limit: 1 })) return true;
    return false;
  }
}
