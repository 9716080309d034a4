import { randomBytes } from "node:crypto";
import type { API } from "@opensearch-project/opensearch";
import { MATCHING_VERSION } from "../matching.ts";
import { MAX_WINDOW } from "../port.ts";
import { EngineRefusal, type SearchConnection } from "./connection.ts";

/** The indexes behind an alias. Names are never reused, so that a lost index can be told from its successor. */
export class PhysicalIndexes {
  readonly alias: string;
  /** Alias of the index that a rebuild is filling. */
  readonly nextAlias: string;
  readonly #connection: SearchConnection;

  constructor(connection: SearchConnection, alias: string) {
    this.#connection = connection;
    this.alias = alias;
    this.nextAlias = `${alias}--next`;
  }

  /** Returns the index that searches use, or undefined if there is none. */
  async live(): Promise<string | undefined> {
    return (await this.#holders(this.alias))[0];
  }

  /** Returns all indexes, live or left behind. */
  async all(): Promise<string[]> {
    const found = await this.#connection.call("state", (client, options) =>
      client.indices.get({ index: `${this.alias}--*`, allow_no_indices: true }, options),
    );
    return Object.keys(found);
  }

  /**
   * Creates an empty index that searches do not use yet.
   * @param alias an alias that it has from the start.
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

  /**
   * Switches searches to this index alone, in one step.
   * @param drop whether to drop the others in the same step.
   */
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

  /** @param settings null resets a setting to its default. */
  async set(index: string, settings: Readonly<Record<string, string | null>>): Promise<void> {
    await this.#connection.call("manage", (client, options) =>
      client.indices.putSettings({ index, body: { index: settings } as object }, options),
    );
  }

  async #holders(alias: string): Promise<string[]> {
    try {
      const found = await this.#connection.call("state", (client, options) =>
        // Without an index the engine checks all existing ones, which its users may not see.
        client.indices.getAlias({ index: `${this.alias}--*`, name: alias }, options),
      );
      return Object.keys(found);
    } catch (error) {
      if (error instanceof EngineRefusal && error.status === 404) return [];
      throw error;
    }
  }
}

/**
 * Returns the mapping and settings of an index. The engine stores what `matching.ts` computes and does no scoring
 * of its own. A text is stored as n-grams of three characters, in order, so words of a query are found inside
 * words, exactly, as phrases of n-grams. Shorter words are terms.
 */
function indexDefinition(): API.Indices_Create_RequestBody {
  const keyword = { type: "keyword" as const };
  const long = { type: "long" as const };
  const grams = {
    type: "text",
    analyzer: "three",
    index_options: "positions",
    norms: false,
  } as const;
  return {
    settings: {
      // One shard, so that a position and what is found at it are from the same moment.
      number_of_shards: 1,
      auto_expand_replicas: "0-1",
      // One row more than the window, to detect another page.
      max_result_window: MAX_WINDOW + 1,
      analysis: {
        // All kinds of characters, blanks and line ends included.
        tokenizer: { three: { type: "ngram", min_gram: 3, max_gram: 3, token_chars: [] } },
        analyzer: { three: { type: "custom", tokenizer: "three" } },
      },
    },
    mappings: {
      dynamic: "strict",
      _meta: { matching_version: MATCHING_VERSION },
      // Fields that are only needed for searching are not returned, and so not held in memory twice.
      _source: { excludes: ["name_text", "search_text", "terms"] },
      properties: {
        id: keyword,
        hidden: { type: "boolean" },
        document: { type: "object", enabled: false },
        state: keyword,
        reasons: keyword,
        amount_cents: long,
        submitted_ms: long,
        terms: keyword,
        name_text: grams,
        search_text: grams,
        // No document has it, so it sorts last in every order, and a page can begin at a row itself.
        tie: long,
        // Only in the one hidden document that records the position of the index.
        position: { type: "keyword", index: false, doc_values: false },
      },
    },
  };
}
