import { isIP } from "node:net";
import { connect, type PeerCertificate } from "node:tls";
import type { Pool } from "pg";
import type { ServiceInstance } from "#http/service.ts";
import { rightsOf, SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { type MasterKeySource, readMasterKeys } from "#vault/keys/master-ring.ts";
import type { CommandApiConfig } from "../../config.ts";

/** Active staff accounts. */
const STAFF = "role <> 'user' and status = 'active'";
const WITHOUT_FACTOR = `select count(*)::int as n from command.account where ${STAFF} and factor_id is null`;
const ADMINS =
  "select count(*)::int as n from command.account where role = 'admin' and status = 'active'";

/** Counts service roles with attributes that go beyond their rights. */
const POWERFUL = `
  select count(*)::int as n from pg_roles where rolname = any($1)
    and (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication)`;

/** Counts rights on the log and the service keys that command-api must never have. */
const FORBIDDEN = `
  select count(*)::int as n
  from (values ('event_log.event', 'insert, update, delete, truncate'),
               ('keys.service_key', 'insert, update, delete, truncate')) as t (name, rights)
  where to_regclass(t.name) is not null and has_table_privilege(current_user, t.name, t.rights)`;

/** Checks of accounts and rights in the database. */
export function databaseChecks(pool: Pick<Pool, "query">): ScanCheck[] {
  const count = async (sql: string, values: readonly unknown[] = []) => {
    const { rows } = await pool.query<{ n: number }>(sql, [...values]);
    return rows[0]?.n ?? 0;
  };
  return [
    {
      code: "staff_without_factor",
      fine: "All staff accounts use two-factor authentication.",
      async find() {
        const n = await count(WITHOUT_FACTOR);
        if (n === 0) return undefined;
        return `${n} staff ${n === 1 ? "account doesn't" : "accounts don't"} use two-factor authentication. Ask the owners to turn it on in their settings, or remove the role.`;
      },
    },
    {
      code: "only_admin",
      fine: "There is more than one admin.",
      async find() {
        if ((await count(ADMINS)) > 1) return undefined;
        return "There is only one admin, so no one can reset their second factor or step in if they lose access. Invite another admin.";
      },
    },
    {
      code: "service_roles",
      fine: "command-api uses its own database role.",
      async find() {
        if ((await rightsOf(pool, "command-api")) === "own role") return undefined;
        return "All services share one database role that can do everything. Set a password for each role and run npm run migrate.";
      },
    },
    {
      code: "role_rights",
      fine: "No service role has more rights than it needs.",
      async find() {
        const n = await count(POWERFUL, [Object.values(SERVICE_ROLES)]);
        if (n === 0) return undefined;
        return `${n} service ${n === 1 ? "role" : "roles"} can create roles or databases, or bypass row-level security. Remove these attributes with ALTER ROLE.`;
      },
    },
    {
      code: "log_rights",
      fine: "command-api can't change stored events or service keys.",
      async find() {
        if ((await count(FORBIDDEN)) === 0) return undefined;
        return "command-api can change stored events or service keys. Run npm run migrate to remove the extra rights.";
      },
    },
  ];
}

/** A random 32-byte key has more distinct byte values than this, except with a probability of 10^-30. */
const MIN_VALUES = 12;
/** Shorter passwords can be guessed offline. */
const MIN_LENGTH = 12;
/** Defaults of examples and container images. */
const SHIPPED = new Set([
  "admin",
  "changeit",
  "changeme",
  "change-me",
  "minioadmin",
  "password",
  "postgres",
  "registry",
  "secret",
]);

function isWeak(user: string, password: string): boolean {
  return password.length < MIN_LENGTH || password === user || SHIPPED.has(password.toLowerCase());
}

/** User and password of a URL; undefined if it has no password. */
function credentialsOf(url: string): { user: string; password: string } | undefined {
  const [, user = "", password = ""] = /^[a-z0-9+]+:\/\/([^:@/?#]*):([^@/?#]+)@/i.exec(url) ?? [];
  if (password === "") return undefined;
  return { user: decode(user), password: decode(password) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Checks for default or weak secrets. @param urls by the variable that contains each. */
export function secretChecks(
  urls: Readonly<Record<string, string | undefined>>,
  masterKeys: MasterKeySource,
): ScanCheck[] {
  return [
    {
      code: "store_passwords",
      fine: "Database passwords are long, and none is a default.",
      async find() {
        const weak = Object.entries(urls).filter(([, url]) => {
          const found = url === undefined ? undefined : credentialsOf(url);
          return found && isWeak(found.user, found.password);
        });
        if (weak.length === 0) return undefined;
        const names = weak.map(([name]) => name).join(", ");
        return `The password in ${names} is a default, matches the username, or has fewer than ${MIN_LENGTH} characters. Use a random one.`;
      },
    },
    {
      code: "master_key",
      fine: "The master key looks random.",
      async find() {
        const keys = await readMasterKeys(masterKeys);
        if (keys.every((key) => new Set(key).size > MIN_VALUES)) return undefined;
        return "The master key isn't random: it repeats a few bytes. Create one with openssl rand -hex 32, and run npm run keys:rotate.";
      },
    },
  ];
}

/** Settings of command-api that affect security. */
export type ScannedConfig = Pick<
  CommandApiConfig,
  "limits" | "clamavUrl" | "corsOrigins" | "publicUrl" | "erasuresUrl"
> & {
  /** Whether staff currently need a second factor. */
  readonly staffFactor: () => "on" | "off";
};

const LOOPBACK = /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Checks what this process's variables turn off or leave open. */
export function configurationChecks(config: ScannedConfig): ScanCheck[] {
  const { limits, staffFactor, clamavUrl, corsOrigins = [], publicUrl, erasuresUrl } = config;
  const isPublic = publicUrl !== undefined && !LOOPBACK.test(publicUrl);
  const plain = corsOrigins.filter(
    (origin) => !origin.startsWith("https:") && !LOOPBACK.test(origin),
  );
  return [
    plainCheck(
      "rate_limits",
      "Rate limits are on.",
      limits === "off"
        ? "Rate limits are off, so nothing slows down someone who guesses passwords. Remove RATE_LIMIT=off."
        : undefined,
    ),
    {
      code: "staff_second_factor",
      fine: "Staff accounts must use two-factor authentication.",
      find: async () =>
        staffFactor() === "off"
          ? "Staff accounts don't have to use two-factor authentication, so a password alone opens the console. Require it in Settings."
          : undefined,
    },
    plainCheck(
      "https",
      "The site uses HTTPS, or can only be reached from this machine.",
      isPublic && !publicUrl.startsWith("https:")
        ? "PUBLIC_URL doesn't use https, so passwords and sessions are sent unencrypted. Put a proxy with a certificate in front."
        : undefined,
    ),
    plainCheck(
      "cors_origins",
      "Every origin in CORS_ORIGINS uses HTTPS.",
      plain.length > 0
        ? `${plain.length} of the origins in CORS_ORIGINS ${plain.length === 1 ? "uses" : "use"} http, so anyone on the network path can use their visitors' sessions. List only https origins.`
        : undefined,
    ),
    plainCheck(
      "virus_scan",
      "Uploads are scanned for viruses.",
      clamavUrl === undefined
        ? "Uploads aren't scanned for viruses. Run clamd and set CLAMAV_URL."
        : undefined,
    ),
    plainCheck(
      "erasure_ledger",
      "Erasures are also recorded outside the databases.",
      erasuresUrl === undefined
        ? "Erasures aren't recorded outside the databases, so restoring a backup would bring erased people back. Set ERASURES_URL."
        : undefined,
    ),
  ];
}

/** Days before its expiry from which a certificate is reported. */
const DAYS = 21;
const DAY_MS = 24 * 3_600_000;
/** Maximum time in milliseconds for a server to present its certificate. */
const MAX_MS = 3_000;
const PORTS: Readonly<Record<string, number>> = { "https:": 443, "rediss:": 6379 };

/** Returns when a server's certificate expires. @throws the connection's error. */
type ReadEnd = (host: string, port: number) => Promise<Date>;

const readEnd: ReadEnd = async (host, port) => {
  // Other faults of the certificate are left to the clients that connect. An IP address must not be sent as the
  // server name (RFC 6066, section 3).
  const servername = isIP(host) ? "" : host;
  const socket = connect({ host, port, servername, rejectUnauthorized: false });
  try {
    const shown = new Promise<PeerCertificate>((resolve, reject) => {
      socket.once("secureConnect", () => resolve(socket.getPeerCertificate()));
      socket.once("error", reject);
    });
    const { valid_to } = await withDeadline(shown, MAX_MS, () => new Error("time limit"));
    return new Date(valid_to);
  } finally {
    socket.destroy();
  }
};

/**
 * Checks for certificates that expire soon, on servers that speak TLS from the first byte.
 * @param urls by variable.
 */
export function certificateCheck(
  urls: Readonly<Record<string, string | undefined>>,
  now: () => number,
  read: ReadEnd = readEnd,
): ScanCheck {
  return {
    code: "certificates",
    fine: `No certificate expires within ${DAYS} days.`,
    async find() {
      const found = await Promise.all(
        Object.entries(urls).map(async ([name, url]) => {
          const { hostname, port, protocol } = url && URL.canParse(url) ? new URL(url) : NONE;
          const usual = PORTS[protocol];
          if (usual === undefined) return [];
          try {
            const end = await read(hostname.replace(/^\[|\]$/g, ""), Number(port) || usual);
            const days = Math.floor((end.getTime() - now()) / DAY_MS);
            if (days >= DAYS) return [];
            return [days < 0 ? `${name} has expired` : `${name} expires in ${days} days`];
          } catch {
            return [`${name} couldn't be checked from here`];
          }
        }),
      );
      const words = found.flat();
      return words.length === 0 ? undefined : `Check your certificates: ${words.join("; ")}.`;
    },
  };
}

const NONE = { hostname: "", port: "", protocol: "" };

/** An address reserved for documentation (RFC 5737). */
const STRANGER = "192.0.2.1";

/** Checks whether this process serves its metrics to strangers. */
export function openMetricsCheck(app: () => Pick<ServiceInstance, "inject">): ScanCheck {
  return {
    code: "open_metrics",
    fine: "Metrics aren't public.",
    async find() {
      const { statusCode } = await app().inject({ url: "/metrics", remoteAddress: STRANGER });
      if (statusCode !== 200) return undefined;
      return "Anyone can read /metrics. Set PUBLIC_URL and TRUST_PROXY to match your proxies, or set OPERATIONS_PORT.";
    },
  };
}

/** One check of a security scan. */
export interface ScanCheck {
  /** Code of the job's line; it never changes. */
  readonly code: string;
  /** Message if all is well. */
  readonly fine: string;
  /**
   * @returns what to do, in at most 500 characters without credentials, addresses or names; undefined if all is
   *   well.
   */
  find(): Promise<string | undefined>;
}

/** A check whose result is already known. */
const plainCheck = (code: string, fine: string, found: string | undefined): ScanCheck => ({
  code,
  fine,
  find: async () => found,
});
