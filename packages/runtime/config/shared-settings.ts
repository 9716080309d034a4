import type { DmcaAgent } from "#contracts/content/content-rules.ts";
import { ConfigInvalid } from "./load-config.ts";
import type { TlsPair } from "./process-settings.ts";
import { originsOf, type VariablesOf } from "./read-variables.ts";

/** Settings of the stores that every service opens. */
export interface StoreSettings {
  /** Read models, checkpoints and the services' tables. */
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  /** Maximum connections to each PostgreSQL server; `CONNECTIONS` by default. */
  readonly connections?: number;
  /** `file:` URL of the erasure ledger, for services that destroy keys; no ledger if absent. */
  readonly erasuresUrl?: string | undefined;
  /** `host:port` of the launcher's PostgreSQL, if there is one. */
  readonly embeddedPostgres?: string | undefined;
  /** Milliseconds between two reports in `ops.process`; 5000 by default. */
  readonly beatMs?: number | undefined;
  /** Ends this process so that a supervisor restarts it; absent without one. */
  readonly endToRestart?: (() => void) | undefined;
  /** Whether this process is the running restore; all others refuse these stores. */
  readonly isRestoring?: boolean;
}

/** Settings of the services that answer visitors. */
export interface PublicSettings {
  readonly version: string;
  readonly processMetrics?: boolean;
  readonly tls?: TlsPair | undefined;
  /** `file:` URL of a folder, or `s3://`. */
  readonly filesUrl: string;
  /** Account issuer shown in authenticator apps. */
  readonly productName: string;
  readonly supportEmail: string;
  /** Whether staff need a second factor for staff actions, unless admins change it. */
  readonly staffSecondFactor: "on" | "off";
  readonly dmcaAgent?: DmcaAgent | undefined;
  readonly limits: "on" | "off";
  /** `redis://` or `rediss://` URL of shared counters. If absent, each process counts in memory. */
  readonly rateLimitUrl?: string | undefined;
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
  /** Origins whose pages may call the service; none by default. */
  readonly corsOrigins?: readonly string[] | undefined;
}

type StoreNames = "DATABASE_URL" | "EVENT_STORE_URL" | "KEYS_URL" | "DATABASE_CONNECTIONS";

export function storeSettings(env: Pick<VariablesOf<"projector">, StoreNames>): StoreSettings {
  return {
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL,
    keysUrl: env.KEYS_URL,
    connections: env.DATABASE_CONNECTIONS,
  };
}

/** @throws {ConfigInvalid} if only part of the designated agent is set. */
export function publicSettings(
  env: Pick<VariablesOf<"query-api">, PublicNames>,
): Omit<PublicSettings, "version"> {
  return {
    filesUrl: env.FILES_URL,
    productName: env.PRODUCT_NAME,
    supportEmail: env.SUPPORT_EMAIL,
    staffSecondFactor: env.STAFF_SECOND_FACTOR,
    dmcaAgent: dmcaAgentOf(env),
    limits: env.RATE_LIMIT,
    rateLimitUrl: env.RATE_LIMIT_URL,
    trustProxyHops: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS ? originsOf(env.CORS_ORIGINS) : undefined,
  };
}

type AgentNames = `DMCA_AGENT_${"NAME" | "ADDRESS" | "EMAIL" | "PHONE"}`;
type PublicNames =
  | AgentNames
  | ("RATE_LIMIT" | "RATE_LIMIT_URL" | "TRUST_PROXY" | "CORS_ORIGINS")
  | ("FILES_URL" | "PRODUCT_NAME" | "SUPPORT_EMAIL" | "STAFF_SECOND_FACTOR");

/** The designated agent, if any. @throws {ConfigInvalid} if partly set, as the law requires all of it. */
function dmcaAgentOf(env: Pick<VariablesOf<"query-api">, AgentNames>): DmcaAgent | undefined {
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
