import { randomBytes } from "node:crypto";
import { EngineRefusal, type SearchConnection } from "./connection.ts";
import { indexDefinition } from "./index-definition.ts";

/**
 * The indexes behind an alias. Readers and writers name the alias only; an index has a name that
 * is never given again, so that one which was lost and made again is told from the one before.
 */
export class PhysicalIndexes {
  readonly alias: string;
  /** Alias of the index that a rebuild fills. */
  readonly nextAlias: string;
  readonly #connection: SearchConnection;

  constructor(connection: SearchConnection, alias: string) {
    this.#connection = connection;
    this.alias = alias;
    this.nextAlias = `${alias}--next`;
  }

  /** The index that searches see; undefined when there is none. */
  async live(): Promise<string | undefined> {
    return (await this.#holders(this.alias))[0];
  }

  /** All indexes, live or left behind. */
  async all(): Promise<string[]> {
    const found = await this.#connection.call("state", (client, options) =>
      client.indices.get({ index: `${this.alias}--*`, allow_no_indices: true }, options),
    );
    return Object.keys(found);
  }

  /**
   * Creates an empty index that nobody sees yet.
   * @param alias its own alias from the start.
   */
  async create(alias?: string): Promise<string> {
    const time = Date.now().toString(36).padStart(9, "0");
    const name = `${this.alias}--${time}${randomBytes(4).toString("hex")}`;
    const body = { ...indexDefinition(), aliases: alias === undefined ? {} : { [alias]: {} } };
    await this.#connection.call("manage", (client, options) =>
      client.indices.create({ index: name, body }, options),
    );
    return name;
  }

  /** Shows searches this index and no other, in one step. @param drop the others at once, too. */
  async show(name: string, { drop = false } = {}): Promise<void> {
    const live = await this.#holders(this.alias);
    if (live.length === 1 && live[0] === name) return;
    const next = await this.#holders(this.nextAlias);
    const remove = (alias: string) => (index: string) => ({ remove: { index, alias } });
    const actions = [
      ...live
        .filter((index) => index !== name)
        .map((index) => (drop ? { remove_index: { index } } : remove(this.alias)(index))),
      ...next.filter((index) => index === name).map(remove(this.nextAlias)),
      { add: { index: name, alias: this.alias } },
    ];
    await this.#connection.call("manage", (client, options) =>
      client.indices.updateAliases({ body: { actions } }, options),
    );
  }

  async drop(names: readonly string[]): Promise<void> {
    for (const index of names)
      await this.#connection.call("manage", (client, options) =>
        client.indices.delete({ index, ignore_unavailable: true }, options),
      );
  }

  /** @param settings null takes a setting back to its default. */
  async set(index: string, settings: Readonly<Record<string, string | null>>): Promise<void> {
    await this.#connection.call("manage", (client, options) =>
      client.indices.putSettings({ index, body: { index: settings } as object }, options),
    );
  }

  async #holders(alias: string): Promise<string[]> {
    try {
      const found = await this.#connection.call("state", (client, options) =>
        client.indices.getAlias({ name: alias }, options),
      );
      return Object.keys(found);
    } catch (error) {
      if (error instanceof EngineRefusal && error.status === 404) return [];
      throw error;
    }
  }
}
