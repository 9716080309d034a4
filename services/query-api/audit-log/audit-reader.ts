import type { FastifyBaseLogger } from "fastify";
import { given } from "#contracts/given.ts";
import type { AuditEntry } from "#contracts/http/audit.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { SealedEvent } from "#vault/sealing/event-codec.ts";
import { type AccountName, type ActorNames, fullName } from "../actors/actor-names.ts";
import { type ClientView, clientSubject, maskClient } from "../actors/client-masks.ts";
import type { Page } from "../paging.ts";
import { presentEntry } from "./audit-log.presenter.ts";
import {
  type AuditFilter,
  type AuditRow,
  type AuditSort,
  findEntry,
  listEntries,
} from "./audit-log.queries.ts";

/** Reads entries of the audit log, and opens what a reader may see of them as a mask. */
export class AuditReader {
  readonly #db: ReadModelDatabase;
  readonly #keys: KeyStore;
  readonly #names: ActorNames;

  constructor(deps: { db: ReadModelDatabase; keys: KeyStore; names: ActorNames }) {
    this.#db = deps.db;
    this.#keys = deps.keys;
    this.#names = deps.names;
  }

  async list(
    filter: AuditFilter,
    sort: AuditSort,
    page: Page,
    log: FastifyBaseLogger,
  ): Promise<{ entries: AuditEntry[]; total: number }> {
    const staff = filter.search ? await this.#names.staff(log) : undefined;
    const namedLike = (word: string) => accountsNamedLike(staff ?? new Map(), word);
    const { rows, total } = await listEntries(this.#db, filter, namedLike, sort, page);
    const names = staff ?? (await this.#namesOf(rows, log));
    const clients = await this.clients(rows, log);
    const entries = rows.map((row, i) =>
      presentEntry(row, names.get(row.actor_id), clients[i] ?? {}),
    );
    return { entries, total };
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

/** The event behind an entry, with only what is needed to open its client. */
function eventOf(row: AuditRow): SealedEvent {
  return {
    id: row.event_id,
    stream: row.stream,
    type: row.event_type,
    data: {},
    metadata: { schemaVersion: row.schema_version, ...given({ client: row.client }) },
  };
}
