import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { LightMyRequestResponse } from "fastify";
import pg from "pg";
import { X_MIN_POSITION, X_POSITION, X_STALE } from "#contracts/http/position-headers.ts";
import type { ServiceName } from "#runtime/db/service-roles.ts";
import { createLogger } from "#runtime/log.ts";
import type { CardSettings } from "#services/command-api/checkout/card-processor.ts";
import { type CommandApi, composeCommandApi } from "#services/command-api/composition.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { composeMailer, type Mailer } from "#services/mailer/composition.ts";
import { rebuildCommand } from "#services/projector/cli/operator.ts";
import { composeProjector, type Projector } from "#services/projector/composition.ts";
import { composeQueryApi, type QueryApi } from "#services/query-api/composition.ts";
import { CHEAP_PASSWORDS } from "#test-kit/cheap-passwords.ts";
import { freshDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import type { MasterKeySource } from "#vault/keys/master-ring.ts";
import { IN_PROCESS } from "./config.ts";

export const ROLES = ["visitor", "user", "admin", "auditor"] as const;
export type Role = (typeof ROLES)[number];
export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface CallOptions {
  readonly body?: unknown;
  readonly as?: Role;
  readonly headers?: Record<string, string>;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Buffer;
}

/** All services of the system in this process, on their own database. */
export interface System {
  readonly commandApi: CommandApi;
  readonly queryApi: QueryApi;
  readonly projector: Projector;
  readonly mailer: Mailer;
  readonly db: pg.Pool;
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly mailFolder: string;
  /** Rebuilds every read model from the first event, alongside the live ones. */
  rebuild(): Promise<void>;
  /** Everything that the services have logged so far. */
  logged(): string;
  /** Signs in the role's account; later calls use the new token. */
  signIn(role: Exclude<Role, "visitor">): Promise<{ token: string; refreshToken: string }>;
  /** Sends a request to the backend that the one-port dispatcher would choose. */
  call(method: Method, url: string, options?: CallOptions): Promise<LightMyRequestResponse>;
  /** Reads data at least as new as this system's last command. */
  read(url: string, as?: Role): Promise<LightMyRequestResponse>;
  /** Stops the projector and mailer for good, so that only what the test asks for happens. */
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

const PASSWORD = "Correct-horse-9";

/** Stores outside the database, given keys, and whether requests are rate-limited (off by default). */
export interface OtherStores {
  readonly eventStoreUrl?: string;
  readonly keysUrl?: string;
  readonly searchUrl?: string;
  readonly jobsUrl?: string;
  readonly rateLimitUrl?: string;
  readonly erasuresUrl?: string;
  readonly masterKeys?: MasterKeySource;
  readonly limits?: "on" | "off";
  /** Card payments; none when absent. */
  readonly cards?: CardSettings;
  /** `off` when absent. */
  readonly staffSecondFactor?: "on" | "off";
  /**
   * Prepares the database, given a superuser's URL.
   * @returns the URL that each service uses.
   */
  readonly prepare?: (
    url: string,
    masterKey: Buffer,
  ) => Promise<Readonly<Record<ServiceName, string>>>;
}

/** Starts everything except the web apps, on its own database and the given stores, with an account for each role. */
export async function startSystem({ prepare, ...stores }: OtherStores = {}): Promise<System> {
  const isElsewhere = stores.eventStoreUrl ?? stores.keysUrl ?? stores.searchUrl;
  // External stores must have no tables here, and with `prepare` the services' roles create the tables.
  const database = await (prepare || isElsewhere ? freshDatabase() : registryDatabase());
  const mailFolder = await mkdtemp(path.join(os.tmpdir(), "registry-mails-"));
  const masterKey = randomBytes(32);
  const url = database.url;
  const urls = await prepare?.(url, masterKey);
  const storesAt = (at: string) => ({
    databaseUrl: at,
    eventStoreUrl: at,
    keysUrl: at,
    searchUrl: at,
    jobsUrl: at,
    ...stores,
  });
  const config = {
    ...IN_PROCESS,
    masterKeys: [masterKey],
    // Keeps the heartbeat out of what a test counts.
    beatMs: 3_600_000,
    smtpUrl: pathToFileURL(mailFolder).href,
    filesUrl: pathToFileURL(path.join(mailFolder, "files")).href,
    publicUrl: "http://registry.example",
    passwordCost: CHEAP_PASSWORDS,
  };
  const configOf = (service: ServiceName) => ({ ...config, ...storesAt(urls?.[service] ?? url) });
  let lines = "";
  const log = createLogger({
    name: "test",
    level: "trace",
    destination: {
      write: (line) => {
        lines += line;
      },
    },
  });
  const commandApi = await composeCommandApi(configOf("command-api"), log);
  const projector = await composeProjector(configOf("projector"), { log });
  const queryApi = await composeQueryApi(configOf("query-api"), log);
  const mailer = await composeMailer(configOf("mailer"), log);
  await commandApi.start();
  await projector.start();
  await queryApi.start();
  await mailer.start();
  await Promise.all([projector.ready(), commandApi.app.ready(), queryApi.app.ready()]);
  const db = new pg.Pool({ connectionString: url, max: 3 });

  const tokens: Record<Role, string> = { visitor: "", user: "", admin: "", auditor: "" };
  let position: string | undefined;
  const call: System["call"] = async (method, target, options = {}) => {
    const { body, as = "visitor", headers = {}, raw } = options;
    const emergency = /^\/prod\/api\/reports\/all\?.*emergency_/.test(target);
    const { app } = method === "GET" && !emergency ? queryApi : commandApi;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await app.inject({
      method,
      url: target,
      headers: {
        ...(payload === undefined ? {} : { "content-type": "application/json" }),
        ...(tokens[as] ? { authorization: `Bearer ${tokens[as]}` } : {}),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const written = answer.headers[X_POSITION];
    if (method !== "GET" && typeof written === "string") position = written;
    return answer;
  };
  let workersStopped: Promise<void> | undefined;
  const stopWorkers: System["stopWorkers"] = () => {
    workersStopped ??= mailer.stop().then(() => projector.stop());
    return workersStopped;
  };
  const run = randomUUID();
  const emailOf = (role: Role) => `${role}-${run}@registry.example`;
  const signIn: System["signIn"] = async (role) => {
    const body = { email: emailOf(role), password: PASSWORD };
    const login = await call("POST", "/prod/api/auth/login", { body });
    const { token, refreshToken } = login.json().data;
    tokens[role] = token;
    return { token, refreshToken };
  };
  for (const role of ["user", "admin", "auditor"] as const) {
    const email = emailOf(role);
    const account = { email, password: PASSWORD, role, firstName: "Dana", lastName: "Ruiz" };
    await commandApi.accounts.add(account, systemCaller(new Date().toISOString()));
    await signIn(role);
  }
  return {
    commandApi,
    queryApi,
    projector,
    mailer,
    db,
    databaseUrl: url,
    masterKey,
    mailFolder,
    async rebuild() {
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      const all = rebuildCommand.parse(["all"]);
      const code = await rebuildCommand.run(all, {
        config: configOf("projector"),
        log,
        print,
        warn: print,
      });
      if (code !== 0) throw new Error(`the rebuild ended with ${code}: ${lines.join(" ")}`);
    },
    logged: () => lines,
    signIn,
    call,
    async read(target, as = "visitor") {
      const headers = position ? { [X_MIN_POSITION]: position } : {};
      for (;;) {
        const answer = await call("GET", target, { as, headers });
        // On a busy machine the projector may catch up only after a read has stopped waiting for it.
        if (!answer.headers[X_STALE] || workersStopped) return answer;
      }
    },
    stopWorkers,
    async close() {
      await stopWorkers();
      await queryApi.stop();
      await commandApi.stop();
      await db.end();
      await database.drop();
      await rm(mailFolder, { recursive: true, force: true });
    },
  };
}
