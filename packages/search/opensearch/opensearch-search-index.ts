import { randomBytes } from "node:crypto";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { withAuthority } from "#runtime/net/client-address.ts";
import { hitOf } from "../found-hit.ts";
import { compareMatching, Excerpts, type MarkedTexts } from "../matching.ts";
import {
  type IndexState,
  type LogPosition,
  type SearchIndex,
  type SearchQuery,
  type SearchRebuild,
  type SearchResult,
  SearchTooSlow,
  SearchUnavailable,
  type SearchWrite,
  type SearchWriter,
} from "../port.ts";
import {
  createPageTokens,
  type Found,
  type PageKeys,
  type PageTokens,
  type PlacedHit,
  planSearch,
  type SearchPlan,
  searchPage,
} from "../search-plan.ts";
import { EngineRefusal, LIMITS, type Limits, SearchConnection } from "./connection.ts";
import { PhysicalIndexes } from "./physical-indexes.ts";
import { BY_BLIND, searchBody, sortKey, wordMatchName } from "./query-body.ts";
import { OpenSearchWriter, STATE_ID } from "./writer.ts";

/** A rebuild next to the live index. `commit` does everything: `prepare`, `swap` and `discardOld`. */
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
   * Drops leftovers of earlier rebuilds and creates the new index.
   * @param keep an index that is not dropped.
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

  /** Switches searches to the new index in one step; running searches finish on the old one. */
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

  /** Drops the new index. If searches already use it, they are switched back to the old one. */
  async abort(): Promise<void> {
    if (this.#old !== undefined) await this.#indexes.show(this.#old);
    await this.#indexes.drop([this.physical]);
  }
}

export interface OpenSearchOptions {
  /** Alias of the live index; if absent, the URL's parameter `index`, or `registry-search`. */
  readonly alias?: string;
  /** Number of matches that are counted exactly; 10,000 if absent. */
  readonly countCap?: number;
  /** Time limits of calls, if they differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** Key that signs page tokens. If absent, a random one: tokens are then valid for this object only. */
  readonly pageKey?: Buffer | PageKeys;
}

/** The part of a hit in the engine's reply that is used. */
interface EngineHit {
  readonly _id?: string;
  readonly _source?: { readonly document?: MarkedTexts };
  readonly sort?: readonly unknown[];
  readonly matched_queries?: readonly string[];
}

/** The search index in OpenSearch, behind an alias. Only one process writes, and it calls `install` first. */
export class OpenSearchIndex implements SearchIndex {
  readonly indexes: PhysicalIndexes;
  readonly #connection: SearchConnection;
  readonly #countCap: number;
  readonly #tokens: PageTokens;

  /**
   * @param url URL of the engine, `http://` or `https://`, with user and password if it needs them, and with
   * `tlsCAFile` if its certificate is not signed by a public authority.
   * @throws {ConfigInvalid} if the alias is not a plain lower-case name, or the file cannot be read.
   */
  constructor(url: string, options: OpenSearchOptions = {}) {
    const server = withAuthority(url);
    const node = new URL(server.url);
    const alias = options.alias ?? node.searchParams.get("index") ?? "registry-search";
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(alias) || alias.length > 100)
      throw new ConfigInvalid([
        "SEARCH_URL must name its index in lower-case letters, digits and single hyphens between",
      ]);
    node.search = "";
    const limits = { ...LIMITS, ...options.limits };
    this.#connection = new SearchConnection(node.href, limits, server.tls?.ca);
    this.indexes = new PhysicalIndexes(this.#connection, alias);
    this.#countCap = options.countCap ?? 10_000;
    this.#tokens = createPageTokens(options.pageKey ?? randomBytes(32));
  }

  /**
   * Creates an empty index if there is none.
   * @returns the name of the live index.
   */
  async install(): Promise<string> {
    const live = await this.indexes.live();
    if (live !== undefined) return live;
    const made = await this.indexes.create();
    await this.indexes.show(made);
    return made;
  }

  /** Returns a writer that fails if a different index is behind the alias. */
  writer(physical: string): SearchWriter {
    const { alias } = this.indexes;
    return new OpenSearchWriter(this.#connection, { alias, physical, refresh: true });
  }

  async apply(writes: readonly SearchWrite[], position: LogPosition): Promise<void> {
    const { alias } = this.indexes;
    const writer = new OpenSearchWriter(this.#connection, { alias, refresh: true });
    await writer.apply(writes, position);
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const plan = planSearch(query, this.#tokens);
    return searchPage(plan, (searched) => this.#find(searched));
  }

  async #find(plan: SearchPlan): Promise<Found> {
    const { hits } = await this.#ask(plan).catch((error) => {
      // The index was swapped and dropped during the search; a new search uses the new index.
      if (error instanceof EngineRefusal && error.status !== 429) return this.#ask(plan);
      throw error;
    });
    const total = typeof hits.total === "number" ? hits.total : (hits.total?.value ?? 0);
    const excerpts = new Excerpts();
    const placed = (hits.hits as readonly EngineHit[]).map((hit) => placedHit(hit, plan, excerpts));
    if (plan.cursor?.direction === "before") placed.reverse();
    return {
      hits: placed,
      total: Math.min(total, this.#countCap),
      capped: total > this.#countCap,
    };
  }

  async #ask(plan: SearchPlan) {
    const answer = await this.#connection.call("search", (client, options) =>
      client.search(
        {
          index: this.indexes.alias,
          allow_partial_search_results: false,
          timeout: `${this.#connection.limits.search}ms`,
          body: searchBody(plan, this.#countCap) as object,
        },
        options,
      ),
    );
    if (answer.timed_out) throw new SearchTooSlow("the search timed out");
    return answer;
  }

  async state(): Promise<IndexState> {
    const index = this.indexes.alias;
    const [state, mappings] = await Promise.all([
      this.#connection
        .call("state", (client, options) => client.get({ index, id: STATE_ID }, options))
        .catch((error) => {
          // The document does not exist yet. Without an index, reading the mapping would fail too.
          if (error instanceof EngineRefusal && error.status === 404) return undefined;
          throw error;
        }),
      this.#connection.call("state", (client, options) =>
        client.indices.getMapping({ index }, options),
      ),
    ]);
    const source = state?._source as { readonly position?: LogPosition } | undefined;
    const versions = Object.values(mappings).map(
      ({ mappings: { _meta } }) => _meta?.matching_version,
    );
    return {
      position: source?.position ?? null,
      matching: versions.map(compareMatching).find((found) => found !== "same") ?? "same",
    };
  }

  /** @param keep an index to keep besides the live one; other leftovers are dropped. */
  async beginRebuild(keep?: string): Promise<OpenSearchRebuild> {
    return OpenSearchRebuild.begin(this.#connection, this.indexes, keep);
  }

  /** Switches to a new, empty index, because the engine remembers versions of deleted documents for a while. */
  async clear(): Promise<void> {
    await this.indexes.show(await this.indexes.create(), { drop: true });
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}

function placedHit(hit: EngineHit, plan: SearchPlan, excerpts: Excerpts): PlacedHit {
  const { _id: id, _source } = hit;
  const texts = _source?.document;
  if (id === undefined || !texts)
    throw new SearchUnavailable("the search engine returned a hit without its document");
  const matched = new Set(hit.matched_queries);
  const finding = {
    id,
    texts,
    byBlind: matched.has(BY_BLIND),
    held: plan.text.words.map((_, n) => matched.has(wordMatchName(n))),
  };
  return {
    hit: hitOf(finding, plan, excerpts),
    key: { values: sortKey(plan, hit.sort ?? []), id },
  };
}
