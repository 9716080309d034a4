import type { LogPosition, SearchRebuild, SearchWrite } from "../port.ts";
import type { SearchConnection } from "./connection.ts";
import type { PhysicalIndexes } from "./physical-indexes.ts";
import { OpenSearchWriter } from "./writer.ts";

/**
 * A rebuild beside the live index. `commit` does everything. A caller with its own bookkeeping
 * calls `prepare`, then `swap` at the end of its transaction, and `discardOld` after it has
 * committed.
 */
export class OpenSearchRebuild implements SearchRebuild {
  /** Name of the new index. */
  readonly physical: string;
  readonly #connection: SearchConnection;
  readonly #indexes: PhysicalIndexes;
  readonly #writer: OpenSearchWriter;
  #old: string | undefined;

  private constructor(connection: SearchConnection, indexes: PhysicalIndexes, physical: string) {
    this.physical = physical;
    this.#connection = connection;
    this.#indexes = indexes;
    const alias = indexes.nextAlias;
    this.#writer = new OpenSearchWriter(connection, { alias, physical, refresh: false });
  }

  /**
   * Drops what earlier rebuilds left behind and creates the new index.
   * @param keep an index that stays besides the live one.
   */
  static async begin(
    connection: SearchConnection,
    indexes: PhysicalIndexes,
    keep?: string,
  ): Promise<OpenSearchRebuild> {
    const live = await indexes.live();
    const left = (await indexes.all()).filter((name) => name !== live && name !== keep);
    await indexes.drop(left);
    const physical = await indexes.create(indexes.nextAlias);
    // At worst, a crash of the engine undoes the rebuild.
    await indexes.set(physical, { refresh_interval: "-1", "translog.durability": "async" });
    return new OpenSearchRebuild(connection, indexes, physical);
  }

  apply(writes: readonly SearchWrite[], position: LogPosition): Promise<void> {
    return this.#writer.apply(writes, position);
  }

  /** Makes the engine flush its files to disk. Writing continues afterwards. */
  async prepare(): Promise<void> {
    const index = this.physical;
    await this.#indexes.set(index, { refresh_interval: null, "translog.durability": null });
    await this.#connection.call("manage", (client, options) =>
      client.indices.flush({ index, force: true, wait_if_ongoing: true }, options),
    );
  }

  /** Shows the new index to searches, in one step; running searches finish on the old one. */
  async swap(): Promise<void> {
    await this.#connection.call("manage", (client, options) =>
      client.indices.refresh({ index: this.physical }, options),
    );
    this.#old = await this.#indexes.live();
    await this.#indexes.show(this.physical);
  }

  /** Drops the old index once the swap is final. */
  async discardOld(): Promise<void> {
    if (this.#old !== undefined) await this.#indexes.drop([this.#old]);
  }

  async commit(): Promise<void> {
    await this.prepare();
    await this.swap();
    await this.discardOld();
  }

  /** Drops the new index; if searches saw it already, they see the old one again. */
  async abort(): Promise<void> {
    if (this.#old !== undefined) await this.#indexes.show(this.#old);
    await this.#indexes.drop([this.physical]);
  }
}
