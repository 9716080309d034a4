import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { LightMyRequestResponse } from "fastify";
import pg from "pg";
import { type Logger, pino } from "pino";
import { CHEAP_PASSWORDS } from "#test-kit/cheap-passwords.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import type { KeyLookup } from "#vault/keys/key-store.ts";
import { createOneTimeLinks, type LinkPurpose } from "#vault/links/one-time-link.ts";
import type { CardSettings } from "../checkout/card-processor.ts";
import { type CommandApi, composeCommandApi } from "../composition.ts";
import { systemCaller } from "../kernel/envelope.ts";
import type { BackupMeans } from "../system/backups.ts";

/** Password of every account of the fixture. */
export const PASSWORD = "Correct-horse-9";

/** A valid chargeback in wire format. */
export const chargeback = {
  report_type: "chargeback",
  title: "Disputed a delivered order",
  description: "Signed for the parcel, then disputed the charge.",
  first_name: "Quinn",
  last_name: "Ames",
  email: "quinn@example.net",
  city: "Denver",
  state: "CO",
  zip: "80202",
  last_4: "4242",
  amount: 412.5,
  transaction_date: "2026-05-02",
  reporter_first_name: "Rae",
  reporter_last_name: "Holt",
  reporter_email: "rae@shop.example",
  terms_accepted: true,
} as const;

/** A valid bad check in wire format. */
export const badCheck = {
  report_type: "bad_check",
  title: "Check returned unpaid",
  description: "The bank returned the check.",
  first_name: "Pat",
  last_name: "Orr",
  city: "Reno",
  state: "NV",
  zip: "89501",
  check_number: "1042",
  bank_name: "First Example Bank",
  check_amount: 80,
  other_fees: 12.34,
  check_date: "2026-06-01",
  check_reason: "nsf",
  reporter_first_name: "Rae",
  reporter_last_name: "Holt",
  reporter_email: "rae@shop.example",
  terms_accepted: true,
} as const;

/** The registration form. */
export const registration = (email: string, more: object = {}) => ({
  first_name: "Rae",
  last_name: "Holt",
  email,
  password: PASSWORD,
  confirmPassword: PASSWORD,
  ...more,
});

/** Returns a response's status and error code. */
export const refusal = (answer: { statusCode: number; json(): { error?: { code: string } } }) => [
  answer.statusCode,
  answer.json().error?.code,
];

type NewAccount = Partial<Omit<Parameters<CommandApi["accounts"]["add"]>[0], "password">>;

/** An account with a confirmed address that is signed in. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export interface Fixture {
  readonly api: CommandApi;
  readonly db: pg.Pool;
  readonly databaseUrl: string;
  /** Where uploaded files are stored, sealed. */
  readonly filesFolder: string;
  readonly masterKey: Buffer;
  /** Bearer tokens by role. */
  readonly tokens: Record<"user" | "admin" | "auditor", string>;
  call(
    method: "GET" | "POST" | "PUT" | "DELETE",
    url: string,
    options?: {
      body?: unknown;
      as?: "user" | "admin" | "auditor";
      /** Token of an account other than those of the roles. */
      token?: string | undefined;
      key?: string;
      headers?: Record<string, string>;
    },
  ): Promise<LightMyRequestResponse>;
  /** Adds an account with a confirmed address, with the role `user` by default. */
  addAccount(account?: NewAccount): Promise<Omit<Member, "token">>;
  /** @returns the token. */
  signIn(email: string): Promise<string>;
  /** Adds an account and signs in to it. */
  member(account?: NewAccount): Promise<Member>;
  /** Returns a stream's stored events in order: type, data and metadata. */
  events(stream: string): Promise<pg.QueryResult["rows"]>;
  types(stream: string): Promise<string[]>;
  /**
   * Returns the token of the link in an event of a stream.
   * @param type of the event, of which the last one counts; by default, the last event with a link.
   */
  linkOf(
    stream: string,
    purpose: LinkPurpose,
    type?: string,
    field?: "link" | "undo_link",
  ): Promise<string>;
  /** Returns the state of a subject's key. */
  keyState(subject: string): Promise<KeyLookup["state"] | undefined>;
  /** Starts a second process on the same stores, with the same payment service by default. */
  another(cards?: CardSettings): Promise<CommandApi>;
  close(): Promise<void>;
}

/** Starts the real service on its own database, with an account for each role. */
export async function startCommandApi(
  options: {
    limits?: "on" | "off";
    trustProxyHops?: number;
    staffSecondFactor?: "on" | "off";
    clamavUrl?: string;
    backups?: BackupMeans;
    restart?: () => void;
    cards?: CardSettings;
    publicUrl?: string;
    updateCheck?: "on" | "off";
    log?: Logger;
  } = {},
): Promise<Fixture> {
  const database = await registryDatabase();
  const masterKey = randomBytes(32);
  const filesFolder = await mkdtemp(path.join(tmpdir(), "registry-files-"));
  const config = {
    version: "test",
    databaseUrl: database.url,
    eventStoreUrl: database.url,
    keysUrl: database.url,
    filesUrl: pathToFileURL(filesFolder).href,
    masterKeys: [masterKey],
    limits: options.limits ?? ("off" as const),
    trustProxyHops: options.trustProxyHops ?? 0,
    processMetrics: false,
    staffSecondFactor: options.staffSecondFactor ?? ("off" as const),
    productName: "The Registry",
    passwordCost: CHEAP_PASSWORDS,
    clamavUrl: options.clamavUrl,
    backups: options.backups,
    endToRestart: options.restart,
    publicUrl: options.publicUrl,
    updateCheck: options.updateCheck,
    supportEmail: "support@registry.test",
  };
  const { log = pino({ level: "silent" }) } = options;
  const opened: CommandApi[] = [];
  const open = async (cards = options.cards) => {
    const api = await composeCommandApi({ ...config, cards }, log);
    opened.push(api);
    return api;
  };
  const api = await open();
  const db = new pg.Pool({ connectionString: database.url, max: 2 });
  const tokens = { user: "", admin: "", auditor: "" };
  const call: Fixture["call"] = (method, url, { body, as, token, key, headers } = {}) => {
    const bearer = as ? tokens[as] : token;
    return api.app.inject({
      method,
      url,
      headers: {
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
        ...(key ? { "idempotency-key": key } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body as object }),
    });
  };
  const events: Fixture["events"] = async (stream) => {
    const text =
      "select type, data, metadata from event_log.event where stream = $1 order by revision";
    return (await db.query(text, [stream])).rows;
  };
  const addAccount: Fixture["addAccount"] = async (account) => {
    const email = `${randomUUID()}@registry.example`;
    const names = { firstName: "Ann", lastName: "Bo" };
    const whole = { email, role: "user", ...names, ...account, password: PASSWORD } as const;
    const added = await api.accounts.add(whole, systemCaller(new Date().toISOString()));
    if (!added) throw new Error("the address is taken");
    return { id: added.id, email: whole.email };
  };
  const signIn: Fixture["signIn"] = async (email) => {
    const body = { email, password: PASSWORD };
    return (await call("POST", "/prod/api/auth/login", { body })).json().data.token;
  };
  const member: Fixture["member"] = async (account) => {
    const added = await addAccount(account);
    return { ...added, token: await signIn(added.email) };
  };
  for (const role of ["user", "admin", "auditor"] as const) {
    const email = `${role === "admin" ? "dana" : role}@registry.example`;
    tokens[role] = (await member({ email, role, firstName: "Dana", lastName: "Ruiz" })).token;
  }
  return {
    api,
    db,
    databaseUrl: database.url,
    filesFolder,
    masterKey,
    tokens,
    call,
    addAccount,
    signIn,
    member,
    events,
    types: async (stream) => (await events(stream)).map(({ type }) => type),
    async linkOf(stream, purpose, type, field = "link") {
      const { data } = (await events(stream)).findLast((event) =>
        type ? event.type === type : field in event.data,
      );
      const { link_id: linkId, expires_at: expiresAt } = data[field];
      const aggregateId = stream.slice(stream.indexOf("-") + 1);
      const links = createOneTimeLinks(await api.keys.liveKey("links"));
      return links.makeToken(purpose, { aggregateId, linkId, expiresAt });
    },
    keyState: async (subject) => (await api.keys.get([subject])).get(subject)?.state,
    another: open,
    async close() {
      for (const service of opened) await service.stop();
      await db.end();
      await database.drop();
      await rm(filesFolder, { recursive: true });
    },
  };
}
