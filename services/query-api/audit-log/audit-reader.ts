import type { FastifyBaseLogger } from "fastify";
import type { AuditEntry } from "#contracts/http/audit.ts";
import type { PlacedRow } from "#contracts/http/list-place.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { SealedEvent } from "#vault/sealing/event-codec.ts";
import {
  type AccountName,
  type ActorNames,
  type ClientView,
  clientSubject,
  fullName,
  maskClient,
} from "../actors/actor-names.ts";
import type { PlacedPage, Total } from "../placed-lists.ts";
import {
  type AuditRow,
  type AuditSort,
  countEntries,
  entriesFrom,
  findEntry,
  keyOf,
  listEntries,
  presentEntry,
} from "./audit-log.queries.ts";
import type { AuditFilter } from "./audit-sources.ts";

/** Reads audit log entries, and decrypts the parts that readers may see masked. */
export class AuditReader {
  readonly #db: ReadModelDatabase;
  readonly #keys: KeyStore;
  readonly #names: ActorNames;

  constructor(deps: { db: ReadModelDatabase; keys: KeyStore; names: ActorNames }) {
    this.#db = deps.db;
    this.#keys = deps.keys;
    this.#names = deps.names;
  }

  /** Returns a page, and the keyset cursor of each of its entries. */
  async list(
    filter: AuditFilter,
    sort: AuditSort,
    page: PlacedPage,
    log: FastifyBaseLogger,
  ): Promise<
    { readonly entries: AuditEntry[]; readonly places: readonly Omit<PlacedRow, "of">[] } & Total
  > {
    const { staff, namedLike } = await this.#searched(filter, log);
    const { rows, ...total } = await listEntries(this.#db, filter, namedLike, sort, page);
    const places = rows.map((row) => ({ key: keyOf(row, sort.field), id: row.event_id }));
    return { entries: await this.#present(rows, log, staff), places, ...total };
  }

  /** Returns the exact number of matching entries, and the position of the newest one. */
  async count(
    filter: AuditFilter,
    log: FastifyBaseLogger,
  ): Promise<{ readonly rows: number; readonly first?: string | undefined }> {
    const { namedLike } = await this.#searched(filter, log);
    return countEntries(this.#db, filter, namedLike);
  }

  /** Returns matching entries, newest first, from a position on, and the position of each. */
  async from(
    filter: AuditFilter,
    position: string | undefined,
    limit: number,
    log: FastifyBaseLogger,
  ): Promise<{ readonly entries: AuditEntry[]; readonly places: readonly string[] }> {
    const { staff, namedLike } = await this.#searched(filter, log);
    const rows = await entriesFrom(this.#db, filter, namedLike, position, limit);
    const places = rows.map((row) => row.position);
    return { entries: await this.#present(rows, log, staff), places };
  }

  /** Names of staff, needed only if there is a search. */
  async #searched(filter: AuditFilter, log: FastifyBaseLogger) {
    const staff = filter.search ? await this.#names.staff(log) : undefined;
    const namedLike = (word: string) => accountsNamedLike(staff ?? new Map(), word);
    return { staff, namedLike };
  }

  async #present(
    rows: readonly AuditRow[],
    log: FastifyBaseLogger,
    staff: ReadonlyMap<string, AccountName> | undefined,
  ): Promise<AuditEntry[]> {
    const names = staff ?? (await this.#namesOf(rows, log));
    const clients = await this.clients(rows, log);
    return rows.map((row, i) => presentEntry(row, names.get(row.actor_id), clients[i] ?? {}));
  }

  async one(eventId: string, log: FastifyBaseLogger): Promise<AuditEntry | undefined> {
    const row = await findEntry(this.#db, eventId);
    if (!row) return undefined;
    const names = await this.#namesOf([row], log);
    const [client = {}] = await this.clients([row], log);
    return presentEntry(row, names.get(row.actor_id), client);
  }

  /** Where the actors of these entries acted from, in the order of the entries. */
  async clients(rows: readonly AuditRow[], log: FastifyBaseLogger): Promise<ClientView[]> {
    const subjects = new Set(rows.map(({ client }) => clientSubject(client)));
    subjects.delete(undefined);
    const keys = subjects.size > 0 ? await this.#keys.get([...subjects] as string[]) : new Map();
    return rows.map((row) => maskClient(eventOf(row), keys, log));
  }

  #namesOf(
    rows: readonly AuditRow[],
    log: FastifyBaseLogger,
  ): Promise<ReadonlyMap<string, AccountName>> {
    return this.#names.staffAmong(
      rows.map(({ actor_id }) => actor_id),
      log,
    );
  }
}

function accountsNamedLike(names: ReadonlyMap<string, AccountName>, word: string): string[] {
  const wanted = word.toLowerCase();
  return [...names]
    .filter(([, name]) => fullName(name).toLowerCase().includes(wanted))
    .map(([id]) => id);
}

/** The event behind an entry, with only what is needed to decrypt its client. */
function eventOf(row: AuditRow): SealedEvent {
  return {
    id: row.event_id,
    stream: row.stream,
    type: row.event_type,
    data: {},
    metadata: { schemaVersion: row.schema_version, ...omitUndefined({ client: row.client }) },
  };
}
