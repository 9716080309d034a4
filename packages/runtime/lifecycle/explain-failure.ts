import { isDatabaseUnavailable } from "../db/pool.ts";
import { describeError } from "../log.ts";

/** A reason not to start that the operator can fix: one clear sentence, printed without a stack. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

/** Explains why a process can't start or continue: a sentence, or an unknown error's stack, without configured values. */
export function explainFailure(error: unknown, what = "process"): string {
  // An error during cleanup wraps the one that caused it.
  if (error instanceof SuppressedError) return explainFailure(error.suppressed, what);
  const { name, message } = (error instanceof Error ? error : {}) as Partial<Error>;
  switch (name) {
    case "CannotStart":
    case "ConfigInvalid":
      return String(message);
    case "KeyMissing":
      return "The stores do not belong together: the log or the read models need keys that KEYS_URL does not have. Set DATABASE_URL, EVENT_STORE_URL, KEYS_URL and MASTER_KEY to those of one registry, or start with empty stores.";
    case "WrongMasterKey":
      return `The data cannot be opened: ${message}.`;
    case "LedgerUnavailable":
    case "LedgerDamaged":
      return `${message}: check the file in ERASURES_URL.`;
    case "SchemaMismatch":
      return `The database was written by a newer version of this program: use that version (${message}).`;
  }
  // The description omits messages that may repeat input.
  return explainStore(error) ?? explainUnknown(describeError(error), what);
}

interface SystemError {
  readonly code?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

/** Explains why the process could not listen; undefined for other errors. @param variable that sets the port. */
export function explainAddress(
  error: unknown,
  { host, port }: { host: string; port: number },
  variable = "PORT",
): string | undefined {
  switch (((error ?? {}) as SystemError).code) {
    case "EADDRINUSE":
      return `Port ${port} is taken by another program: set ${variable} to a free one.`;
    case "EACCES":
      return `This user may not listen on port ${port}: set ${variable} to one above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST names ${host}, which is not an address of this machine.`;
  }
  return undefined;
}

/** Errors that retrying cannot fix, whatever the cause. */
const FINAL: ReadonlySet<string> = new Set([
  "CannotStart",
  "ConfigInvalid",
  "KeyMissing",
  "WrongMasterKey",
  "LedgerUnavailable",
  "LedgerDamaged",
  "SchemaMismatch",
]);

const UNAVAILABLE = /^(StoreUnavailable|KeyStoreUnavailable|SearchUnavailable)$/;

/** What to do when a service's role lacks tables, keys or rights. */
export const RUN_MIGRATE =
  "A database does not let its user create what this process needs (SQLSTATE 42501): run `npm run migrate` under the role that owns the registry, or let the user create schemas there (grant create on database).";

/** Explanations of PostgreSQL refusals, by SQLSTATE. */
const LACKS: Readonly<Record<string, string>> = {
  "53300":
    "A database server has no connections left (SQLSTATE 53300): raise its max_connections, or lower DATABASE_CONNECTIONS of the processes that use it.",
  "42501": RUN_MIGRATE,
  "58P01":
    "A database server lacks the extension pg_trgm (SQLSTATE 58P01): install PostgreSQL's additional modules (contrib).",
  "0A000":
    "A database server lacks the extension pg_trgm (SQLSTATE 0A000): install PostgreSQL's additional modules (contrib).",
};

/** Node.js error codes for a certificate that it rejects. */
const CERTIFICATE =
  /^(ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET|VERIFY)_\w+|CERT_\w+)$/;

/** How EventStoreDB's client reports a wrong user or password. */
const isDenied = (error: Error) => (error as { type?: unknown }).type === "access-denied";

/** Whether a process may start later without a change, because a store it needs is unavailable. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof SuppressedError) return isStoreUnavailable(error.suppressed);
  const { name = "" } = (error ?? {}) as { name?: string };
  if (FINAL.has(name)) return false;
  const chain = causes(error);
  const codes = chain.map((cause) => codeOf(cause) ?? "");
  if (codes.some((code) => /^(28|3D)/.test(code) || Object.hasOwn(LACKS, code))) return false;
  if (codes.some((code) => CERTIFICATE.test(code)) || chain.some(isDenied)) return false;
  return chain.some((cause) => UNAVAILABLE.test(cause.name) || isDatabaseUnavailable(cause));
}

/** The sentence for a store that is unavailable or rejects the user. */
function explainStore(error: unknown): string | undefined {
  const chain = causes(error);
  const refusal = chain.find((cause) => /^(28|3D)/.test(codeOf(cause) ?? ""));
  if (refusal)
    return `A database rejected the connection (SQLSTATE ${codeOf(refusal)}): check the user, password and database name in its URL.`;
  if (chain.some(isDenied))
    return "The event log rejected the connection (access denied): check the user and password in EVENT_STORE_URL.";
  const lack = chain.map((cause) => LACKS[codeOf(cause) ?? ""]).find(Boolean);
  if (lack) return lack;
  const certificate = chain.map(codeOf).find((code) => CERTIFICATE.test(code ?? ""));
  if (certificate)
    return `A store's certificate isn't trusted (${certificate}): check the host name in its URL, and the CA file that the URL names.`;
  // Unlike the failures above, worth a retry: space can be freed in the meantime.
  if (chain.some((cause) => codeOf(cause) === "53100"))
    return "The disk of a database server is full (SQLSTATE 53100): free some space.";
  const away = chain.some((cause) => UNAVAILABLE.test(cause.name) || isDatabaseUnavailable(cause));
  if (!away) return undefined;
  const found = chain
    .map((cause) => cause as SystemError)
    .find(({ address, hostname }) => address ?? hostname);
  const port = found?.port === undefined ? "" : `:${found.port}`;
  const where = found ? ` (${found.code} ${found.address ?? found.hostname}${port})` : "";
  return `A required store is unreachable${where}: start it, or correct its URL.`;
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** The error, its causes, and the parts of aggregate errors. */
function causes(error: unknown, depth = 0): Error[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const parts = error instanceof AggregateError ? error.errors : [];
  return [error, ...[error.cause, ...parts].flatMap((cause) => causes(cause, depth + 1))];
}

function explainUnknown(described: Record<string, unknown>, what: string): string {
  const { type, code, message, stack = "" } = described;
  return `The ${what} failed: ${[type, code, message].filter(Boolean).join(": ")}\n${stack}`;
}
