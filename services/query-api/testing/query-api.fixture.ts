import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { LightMyRequestResponse } from "fastify";
import pg from "pg";
import { type RegistryEvent, streams } from "#contracts/events/index.ts";
import type { Role } from "#contracts/http/account.ts";
import { type Sealed, subjects } from "#contracts/sealed.ts";
import {
  type ActorRole,
  START,
  type StoredEvent,
  formatPosition as storePosition,
} from "#event-store/port.ts";
import { createPostgresEventStore } from "#event-store/postgres/postgres-event-store.ts";
import { openFileStore } from "#files/file-stores.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { type SealedPositions, sealedPositions } from "#http/position-headers.ts";
import { createTestService } from "#http/testing/test-service.ts";
import { CHECKPOINT_CHANNEL, formatCheckpointMessage } from "#read-model/checkpoint-channel.ts";
import type { SealedAccountPart } from "#read-model/tables/account.ts";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import type { TlsPair } from "#runtime/config/process-settings.ts";
import { createLogger } from "#runtime/log.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { seal, sealColumn } from "#vault/sealing/seal.ts";
import { composeQueryApi, type QueryApi } from "../composition.ts";
import { auditEntryOf, countFacets } from "./audit-entries.ts";
import { insertRow } from "./insert-row.ts";
import { reportRow } from "./report-row.ts";

export const NOTIFICATIONS = { decisions: true, same_person: false, weekly_summary: false };
export const EPOCH = "0e0c4f00-0000-4000-8000-000000000001";
const IP = "203.0.113.77";
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";

/** Returns position number `n` of the test's log. */
export const at = (n: number) => storePosition(BigInt(n));

/** The sender of a request: a visitor, or the fixture's account with this role. */
export type Caller = "visitor" | Role;

/** An event to append to a report's stream, and who caused it. */
export interface Happened {
  readonly event: RegistryEvent;
  readonly role: ActorRole;
  readonly command: string;
}

export interface Fixture {
  readonly api: QueryApi;
  readonly db: pg.Pool;
  readonly keys: KeyStore;
  readonly files: SealedFiles;
  readonly index: PostgresSearchIndex;
  /** Opens and seals positions, which callers can't read. */
  readonly positions: SealedPositions;
  readonly logged: string[];
  /** IDs of the accounts by role. */
  readonly accounts: Readonly<Record<Role, string>>;
  get(
    url: string,
    options?: {
      as?: Caller | { readonly account: string };
      headers?: Record<string, string>;
      ip?: string;
    },
  ): Promise<LightMyRequestResponse>;
  /** Returns the request headers of the account with this role, for another process. */
  headersOf(role: Role): { readonly authorization: string };
  /** Starts another process of the service on the same stores. It stops with the fixture. */
  startProcess(): Promise<QueryApi>;
  /** Inserts a row. Omitted columns get plausible values. @returns its ID. */
  addReport(columns?: Record<string, unknown>): Promise<string>;
  /** Inserts another signed-in account. Omitted columns get plausible values. @returns its ID. */
  addAccount(columns?: Record<string, unknown>): Promise<string>;
  /** Inserts an account as staff see it. Omitted columns get plausible values. @returns its ID. */
  addUser(columns?: Record<string, unknown>): Promise<string>;
  /** Groups approved reports under one person. @returns the person's ID. */
  addPerson(reportIds: readonly string[], columns?: Record<string, unknown>): Promise<string>;
  addEntry(event: StoredEvent, columns?: Record<string, unknown>): Promise<void>;
  /** Encrypts the part `account` of an event in the account's stream. */
  sealForAccount(
    accountId: string,
    part: Omit<SealedAccountPart, "account">,
    profile: Record<string, string>,
  ): Promise<Sealed>;
  /** Encrypts the events, appends them to the stream and reads them back. */
  append(stream: string, events: readonly Happened[]): Promise<StoredEvent[]>;
  /** Moves checkpoints as the projector does, and sends its notification. */
  moveTo(n: number, processors?: readonly ProcessorName[], epoch?: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the real service on its own database, with an account for each role. */
export async function startQueryApi(
  options: {
    limits?: "on" | "off";
    trustProxyHops?: number;
    searchUrl?: string;
    operationsUrls?: readonly string[];
    tls?: TlsPair;
  } = {},
): Promise<Fixture> {
  const database = await registryDatabase();
  const masterKey = randomBytes(32);
  const logged: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const log = createLogger({ name: "query-api", level: "debug", destination });
  const filesFolder = await mkdtemp(path.join(os.tmpdir(), "registry-files-"));
  const apis: QueryApi[] = [];
  async function startProcess(): Promise<QueryApi> {
    const started = await composeQueryApi(
      {
        version: "test",
        databaseUrl: database.url,
        eventStoreUrl: database.url,
        keysUrl: database.url,
        searchUrl: options.searchUrl ?? database.url,
        productName: "Chargeback Registry",
        supportEmail: "support@registry.test",
        named: { backupTime: "02:00", backupKeep: 7 },
        staffSecondFactor: "off",
        filesUrl: pathToFileURL(filesFolder).href,
        masterKeys: [masterKey],
        limits: options.limits ?? "off",
        trustProxyHops: options.trustProxyHops ?? 0,
        processMetrics: false,
        operationsUrls: options.operationsUrls,
        heartbeatMs: 100,
        tls: options.tls,
      },
      log,
    );
    apis.push(started);
    await started.start();
    return started;
  }
  const fileStore = await openFileStore(pathToFileURL(filesFolder).href);
  const api = await startProcess();
  const db = new pg.Pool({ connectionString: database.url, max: 4 });
  const keys = await openKeyStore({ database: database.url, masterKeys: [masterKey] });
  const store = createPostgresEventStore({ connectionString: database.url });
  const writer = new EventWriter(store, keys);

  const insert = (table: string, row: Record<string, unknown>) => insertRow(db, table, row);

  async function sealForAccount(
    accountId: string,
    part: Omit<SealedAccountPart, "account">,
    profile: Record<string, string>,
  ): Promise<Sealed> {
    const { event_id: eventId, event_type: type, schema_version: schemaVersion } = part;
    const key = subjects.account(accountId);
    const found = (await keys.get([key])).get(key);
    if (found?.state !== "present") throw new Error("the account has no key");
    const stream = streams.user(accountId);
    return seal(found.key, profile, { eventId, stream, type, schemaVersion, part: "account", key });
  }

  async function addAccount(role: Role, columns: Record<string, unknown> = {}): Promise<string> {
    const id = randomUUID();
    const key = subjects.account(id);
    await keys.ensure([{ subject: key }]);
    const found = (await keys.get([key])).get(key);
    if (found?.state !== "present") throw new Error("the key was just made");
    const email = `${role}@registry.example`;
    const cell = { table: "command.account", column: "email_sealed", rowId: id, key };
    await insert("command.account", {
      id,
      email_sealed: JSON.stringify(sealColumn(found.key, email, cell)),
      email_blind: id,
      password_hash: "",
      role,
      status: "active",
      token_version: 1,
      created_at: "2026-01-02T03:04:05.678Z",
    });
    await insert("command.session", {
      id,
      account_id: id,
      started_at: "2026-01-02T03:04:05.678Z",
      last_used_at: "2026-01-02T03:04:05.678Z",
      noted_at: "2026-01-02T03:04:05.678Z",
      expires_at: "2100-01-01T00:00:00Z",
    });
    const part = { event_id: randomUUID(), event_type: "AccountAdded", schema_version: 1 };
    const profile = { email, first_name: FIRST_NAMES[role], last_name: "Ruiz" };
    const account = await sealForAccount(id, part, profile);
    await insert("audit.actor", {
      actor_id: id,
      role,
      ...part,
      stream: streams.user(id),
      account: JSON.stringify(account),
      added_at: "2026-01-02T03:04:05.678Z",
    });
    const sealedPart = JSON.stringify({ ...part, account });
    await insert("accounts.account", {
      id,
      role,
      status: "active",
      confirmed: true,
      confirmed_at: "2026-01-02T03:04:05.678Z",
      two_factor: false,
      recovery_codes_left: null,
      notifications: JSON.stringify(NOTIFICATIONS),
      created_at: "2026-01-02T03:04:05.678Z",
      owns_after: START,
      profile: sealedPart,
      address: sealedPart,
      former_addresses: "[]",
      ...columns,
    });
    await addUser({ id, role, first_name: FIRST_NAMES[role] });
    return id;
  }

  async function addUser(columns: Record<string, unknown> = {}): Promise<string> {
    const id = String(columns.id ?? randomUUID());
    await insert("users.user", {
      id,
      role: "user",
      status: "active",
      confirmed: true,
      closed_by: null,
      first_name: "Uma",
      last_name: "Ruiz",
      email: "u***@***",
      two_factor: false,
      created_at: "2026-01-02T03:04:05.678Z",
      owns_after: START,
      facts_revision: 0,
      ...columns,
    });
    return id;
  }

  const accounts = {
    user: await addAccount("user"),
    admin: await addAccount("admin"),
    auditor: await addAccount("auditor"),
  };

  // Created for each request, because tests change the clock.
  const tokens = { verifier: await keys.tokenVerifier(), signer: await keys.liveKey("tokens") };
  const { app: signer } = await createTestService({ tokens });
  const headersOf = (role: Role) => ({ authorization: `Bearer ${tokenOf(role)}` });
  const tokenOf = (role: Role, id = accounts[role]) =>
    signer.tokens.issue({ id, role, tokenVersion: 1, sessionId: id }).token;
  const bearerOf = (as: Role | { readonly account: string }) =>
    typeof as === "string"
      ? headersOf(as)
      : { authorization: `Bearer ${tokenOf("user", as.account)}` };

  async function append(stream: string, happened: readonly Happened[]): Promise<StoredEvent[]> {
    const before = await readAll(stream);
    for (const { event, role, command } of happened) {
      const actor = { id: role in accounts ? accounts[role as Role] : role, role };
      const client = role === "system" ? {} : { client: { ip: IP, user_agent: USER_AGENT } };
      const time = new Date(Date.UTC(2026, 10, 21, 10)).toISOString();
      await writer.append(stream, [event], { actor, command, time, ...client });
    }
    return (await readAll(stream)).slice(before.length);
  }

  async function readAll(stream: string): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for await (const event of store.readStream(stream)) events.push(event);
    return events;
  }

  return {
    api,
    db,
    keys,
    files: new SealedFiles({ files: fileStore, keys }),
    positions: sealedPositions(await keys.liveKey("positions")),
    index: new PostgresSearchIndex(db),
    logged,
    accounts,
    sealForAccount,
    append,
    get: (url, { as = "visitor", headers = {}, ip = "198.51.100.1" } = {}) =>
      api.app.inject({
        url,
        remoteAddress: ip,
        headers: {
          ...(as === "visitor" ? {} : bearerOf(as)),
          ...headers,
        },
      }),
    addUser,
    addAccount: (columns) => addAccount("user", columns),
    async addReport(columns = {}) {
      const row: Record<string, unknown> = { ...reportRow(randomUUID()), ...columns };
      await insert("reports.report", row);
      return String(row.id);
    },
    async addPerson(reportIds, columns = {}) {
      const [id] = [...reportIds].sort();
      await insert("offenders.person", {
        id,
        report_count: reportIds.length,
        report_ids: [...reportIds].sort(),
        totals: JSON.stringify([{ currency: "USD", amount_cents: 50_000 }]),
        usd_total_cents: 50_000,
        shares: ["email"],
        latest_report_id: reportIds.at(-1),
        latest_at: "2026-11-20T00:00:00.000Z",
        ...columns,
      });
      for (const report_id of reportIds)
        await insert("offenders.member", {
          report_id,
          approved: true,
          person_id: id,
          identity: "{}",
          keys: [],
          report_type: "chargeback",
          currency: "USD",
          amount_cents: 1,
          chargeback_fee_cents: 0,
          other_fees_cents: 0,
          chargebacks_cents: 0,
          created_at: "2026-11-20T00:00:00.000Z",
        });
      return String(id);
    },
    async addEntry(event, columns = {}) {
      await insert("audit.entry", { ...auditEntryOf(event), ...columns });
      await countFacets(db);
    },
    async moveTo(n, processors = PROCESSORS, epoch = EPOCH) {
      for (const processor of processors) {
        await db.query(
          `insert into processor.checkpoint (processor, position, epoch, generation, checksum)
           values ($1, $2, $3, 1, '-')
           on conflict (processor) do update set position = $2, epoch = $3`,
          [processor, at(n), epoch],
        );
        await db.query("select pg_notify($1, $2)", [
          CHECKPOINT_CHANNEL,
          formatCheckpointMessage({ processor, epoch, position: at(n) }),
        ]);
      }
    },
    headersOf,
    startProcess,
    async close() {
      await Promise.all(apis.map((each) => each.stop()));
      await store.close();
      await keys.close();
      await db.end();
      await database.drop();
      await fileStore.close();
      await rm(filesFolder, { recursive: true, force: true });
    },
  };
}

const FIRST_NAMES: Readonly<Record<Role, string>> = { user: "Uma", admin: "Dana", auditor: "Ari" };
