import type { BackupList } from "#contracts/http/backups.ts";
import { createClient } from "#runtime/db/pool.ts";
import type { PlaceMemory } from "./markers.ts";
import { orNoRegistry } from "./or-no-registry.ts";

/** What a registry remembers of its places, and shows of them to admins: `ops.backup_place`. */
export class DatabaseMemory implements PlaceMemory {
  readonly #url: string;

  /** @param url of the database, for the role that makes backups. */
  constructor(url: string) {
    this.#url = url;
  }

  async recall(): Promise<string | undefined> {
    const [row] = await this.#query("select pair from ops.backup_place");
    return (row?.pair as string | null) ?? undefined;
  }

  async remember(pair: string): Promise<void> {
    await this.#query(
      `insert into ops.backup_place (pair) values ($1)
       on conflict (single) do update set pair = excluded.pair`,
      [pair],
    );
  }

  /** Keeps what is in the places now, for the console. */
  async show(list: BackupList): Promise<void> {
    await this.#query(
      `insert into ops.backup_place (list, listed_at) values ($1, now())
       on conflict (single) do update set list = excluded.list, listed_at = excluded.listed_at`,
      [JSON.stringify(list)],
    );
  }

  async #query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = createClient({ url: this.#url, name: "backup" });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await orNoRegistry(client.query(text, values), "DATABASE_URL")).rows;
    } finally {
      await client.end();
    }
  }
}
