import type { DmcaAgent } from "#contracts/content/content-rules.ts";
import { ConfigInvalid } from "./load-config.ts";
import { originsOf, type VariablesOf } from "./read-variables.ts";

/** Settings of the stores that every service opens. */
export interface StoreSettings {
  /** Read models, checkpoints, and the tables of the services. */
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  /** Most connections to each PostgreSQL server; `CONNECTIONS` when absent. */
  readonly connections?: number;
  /** `file:` URL of the ledger of erasures, for services that destroy keys; none is kept when absent. */
  readonly erasuresUrl?: string | undefined;
  /** `host:port` of the PostgreSQL that the launcher runs, if it runs one. */
  readonly embeddedPostgres?: string | undefined;
  /** Milliseconds between two reports in `ops.process`; 5000 when absent. */
  readonly beatMs?: number | undefined;
  /** Ends this process for what runs it to start it again; absent where nothing would. */
  readonly endToRestart?: (() => void) | undefined;
  /** Whether this process is the restore that is under way; all others refuse such stores. */
  readonly isRestoring?: boolean;
}

/** Settings of the services that answer visitors. */
export interface PublicSettings {
  readonly limits: "on" | "off";
  /**
   * `redis://` or `rediss://`, for counters that all processes share. When absent, each process
   * counts in its memory.
   */
  readonly rateLimitUrl?: string | undefined;
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
  /** Origins whose pages may call the service; none when absent. */
  readonly corsOrigins?: readonly string[] | undefined;
}

type StoreNames = "DATABASE_URL" | "EVENT_STORE_URL" | "KEYS_URL" | "DATABASE_CONNECTIONS";
type PublicNames = "RATE_LIMIT" | "RATE_LIMIT_URL" | "TRUST_PROXY" | "CORS_ORIGINS";

export function storeSettings(env: Pick<VariablesOf<"projector">, StoreNames>): StoreSettings {
  return {
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL,
    keysUrl: env.KEYS_URL,
    connections: env.DATABASE_CONNECTIONS,
  };
}

export function publicSettings(env: Pick<VariablesOf<"query-api">, PublicNames>): PublicSettings {
  return {
    limits: env.RATE_LIMIT,
    rateLimitUrl: env.RATE_LIMIT_URL,
    trustProxyHops: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS ? originsOf(env.CORS_ORIGINS) : undefined,
  };
}

type AgentNames = `DMCA_AGENT_${"NAME" | "ADDRESS" | "EMAIL" | "PHONE"}`;

/**
 * The designated agent; undefined where none is set.
 * @throws {ConfigInvalid} where only a part is set: the law wants all of it published.
 */
export function dmcaAgentOf(
  env: Pick<VariablesOf<"query-api">, AgentNames>,
): DmcaAgent | undefined {
  const {
    DMCA_AGENT_NAME: name,
    DMCA_AGENT_ADDRESS: address,
    DMCA_AGENT_EMAIL: email,
    DMCA_AGENT_PHONE: phone,
  } = env;
  if (name && address && email && phone) return { name, address, email, phone };
  if (!name && !address && !email && !phone) return undefined;
  throw new ConfigInvalid([
    "DMCA_AGENT_NAME, DMCA_AGENT_ADDRESS, DMCA_AGENT_EMAIL and DMCA_AGENT_PHONE belong together: set all four, or none",
  ]);
}
