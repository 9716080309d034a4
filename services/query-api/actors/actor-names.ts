import type { FastifyBaseLogger } from "fastify";
import type { Selectable } from "kysely";
import { Compile } from "typebox/compile";
import { Sealed } from "#contracts/sealed.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { AuditActorTable } from "#read-model/tables/audit.ts";
import { describeUserAgent, maskIp } from "#runtime/net/client-address.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import {
  type KeyLookups,
  KeyMissing,
  openClient,
  type SealedEvent,
} from "#vault/sealing/event-codec.ts";
import { open } from "#vault/sealing/seal.ts";

/** An account's profile as its events hold it. Names may be empty. */
export interface AccountName {
  readonly first_name: string;
  readonly last_name: string;
  readonly phone?: string;
  readonly company?: string;
  readonly website?: string;
  readonly job_title?: string;
  readonly bio?: string;
}

const WORDS = ["phone", "company", "website", "job_title", "bio"] as const;

/** Roles whose members are named in histories and in the audit log. */
const STAFF_ROLES: readonly string[] = ["admin", "auditor"];

/** Returns "Dana Ruiz". */
export function fullName({
  first_name,
  last_name,
}: Pick<AccountName, "first_name" | "last_name">): string {
  return `${first_name} ${last_name}`.trim();
}

/** Returns an account's full name; undefined if it is unknown or empty. */
export type NameOf = (accountId: string) => string | undefined;

/** Decrypts account names, which the audit projection stores encrypted. */
export class ActorNames {
  readonly #db: ReadModelDatabase;
  readonly #keys: KeyStore;

  constructor(db: ReadModelDatabase, keys: KeyStore) {
    this.#db = db;
    this.#keys = keys;
  }

  /** Names of those of the given accounts that are staff. */
  async staffAmong(
    actorIds: Iterable<string>,
    log: FastifyBaseLogger,
  ): Promise<ReadonlyMap<string, AccountName>> {
    const ids = [...new Set(actorIds)];
    if (ids.length === 0) return new Map();
    return this.#open(await this.#staff().where("actor_id", "in", ids).execute(), log);
  }

  /** Full names of those of the given accounts that are staff. */
  async nameOf(actorIds: Iterable<string>, log: FastifyBaseLogger): Promise<NameOf> {
    const staff = await this.staffAmong(actorIds, log);
    return (accountId) => {
      const name = staff.get(accountId);
      return (name && fullName(name)) || undefined;
    };
  }

  /** Names of all staff, including former staff. */
  async staff(log: FastifyBaseLogger): Promise<ReadonlyMap<string, AccountName>> {
    return this.#open(await this.#staff().execute(), log);
  }

  #staff() {
    return this.#db
      .selectFrom("audit.actor")
      .selectAll()
      .where("role", "in", [...STAFF_ROLES]);
  }

  async #open(
    rows: readonly Selectable<AuditActorTable>[],
    log: FastifyBaseLogger,
  ): Promise<ReadonlyMap<string, AccountName>> {
    const subjects = rows.flatMap(({ account }) => (account ? [account.key] : []));
    const keys = subjects.length > 0 ? await this.#keys.get([...new Set(subjects)]) : new Map();
    const names = new Map<string, AccountName>();
    for (const row of rows) {
      const name = openName(row, keys, log);
      if (name) names.set(row.actor_id, name);
    }
    return names;
  }
}

function openName(
  row: Selectable<AuditActorTable>,
  keys: KeyLookups,
  log: FastifyBaseLogger,
): AccountName | undefined {
  const { account, event_id: eventId, stream, event_type: type, schema_version } = row;
  const found = account ? keys.get(account.key) : undefined;
  if (!account || !found || found.state === "destroyed") return undefined;
  if (found.state === "missing") {
    log.error({ stream, eventId }, "the key of an account is missing");
    return undefined;
  }
  const part = { eventId, stream, type, schemaVersion: schema_version, part: "account" };
  const opened = open(found.key, account, part);
  const { first_name = "", last_name = "" } = opened;
  const words = WORDS.filter((word) => typeof opened[word] === "string");
  return {
    first_name: String(first_name),
    last_name: String(last_name),
    ...Object.fromEntries(words.map((word) => [word, opened[word]])),
  };
}

/** Where someone acted from, masked for every reader. */
export interface ClientView {
  readonly ip_address?: string;
  readonly user_agent?: string;
}

const SEALED = Compile(Sealed);

/** ID of the key that encrypts the event's client. */
export function clientSubject(client: unknown): string | undefined {
  return SEALED.Check(client) ? (client as Sealed).key : undefined;
}

/** Masks address and agent; empty for the system, or once erased. A missing key is logged as an error. */
export function maskClient(
  event: SealedEvent,
  keys: KeyLookups,
  log: FastifyBaseLogger,
): ClientView {
  try {
    const client = openClient(event, keys);
    if (!client) return {};
    const { ip, user_agent } = client;
    return {
      ...(typeof ip === "string" ? { ip_address: maskIp(ip) } : {}),
      ...(typeof user_agent === "string" ? { user_agent: describeUserAgent(user_agent) } : {}),
    };
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error;
    log.error({ eventId: event.id, stream: event.stream }, "the key of an event is missing");
    return {};
  }
}
