import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";
import type { LimitClass } from "./limits.ts";

/** Bounds on everything that a caller sends, on every route. */
export const inputBounds = {
  /** Characters of a field's or parameter's name. */
  nameLength: 100,
  /** Nesting of objects and lists. */
  depth: 32,
  /** Problems that one reply names. */
  problems: 20,
  /** Characters of a field's path in a reply. */
  pathLength: 200,
  /** Bytes of a reply that refuses a request. */
  refusalBytes: 16 * 1024,
  /** Characters of one path parameter, as it is in the address. */
  parameterLength: 500,
  /** Bytes of the request line and all headers. */
  headerBytes: 16 * 1024,
  /** Characters of an access token. */
  tokenLength: 2000,
} as const;

/** The most that one request to a route may cost, whatever arrives. */
export interface RouteBounds {
  /** Bytes of the body as they arrive. A longer one is refused before it is parsed. */
  readonly bodyBytes: number;
  /** Milliseconds in which the whole request arrives; {@link BODY_MS} when absent. */
  readonly bodyMs?: number;
  /** Texts, numbers, lists and objects that are checked in the body; the same for the query. */
  readonly values: number;
  /** Rows that PostgreSQL returns, besides the events of the report or account concerned. */
  readonly rows: number;
}

/** Milliseconds in which a request arrives, body included. */
export const BODY_MS = 30_000;
/** The same for a file of ten megabytes on a slow line, some 700 kbit/s. */
export const UPLOAD_MS = 120_000;
/** How long a server waits for a request: its headers, and all of the slowest one, a file. */
export const ARRIVAL = {
  headersTimeout: 10_000,
  requestTimeout: UPLOAD_MS,
  /** Node ends what is late when it checks, by default every half a minute. */
  connectionsCheckingInterval: 1000,
} as const;
/** The same with TLS, where a connection begins with a handshake. */
export const TLS_ARRIVAL = { ...ARRIVAL, handshakeTimeout: ARRIVAL.headersTimeout } as const;
export const UPLOADS = "/prod/api/uploads";

const KIB = 1024;
/** A word or two: `{}`, a reason, an address. */
const SMALL: RouteBounds = { bodyBytes: 2 * KIB, values: 20, rows: 20 };
const MEDIUM: RouteBounds = { bodyBytes: 16 * KIB, values: 100, rows: 20 };
/** A list: an export of the console asks for a thousand rows. */
const LIST: RouteBounds = { ...SMALL, rows: 1100 };
/** An export of the audit log: entries, keys of their actors, and the rows that decide a search. */
export const AUDIT_BOUNDS: RouteBounds = { ...SMALL, rows: 2500 };
/** The rows of an exported list, a few hundred at a time: as many as its ticket names. */
export const LIST_EXPORT_BOUNDS: RouteBounds = { ...SMALL, rows: 10_000_000 };
/** Ending an account's other sessions: ten of them are told to the log at once. */
export const SESSIONS_BOUNDS: RouteBounds = { ...SMALL, values: 100, rows: 100 };
/** A page of search results, and the checkpoints of the search's processors. */
const PAGE: RouteBounds = { ...SMALL, rows: 110 };
/** A report with fifty additional chargebacks, each with notes. */
export const REPORT_BOUNDS: RouteBounds = { bodyBytes: 256 * KIB, values: 1000, rows: 20 };

/** A thousand reports to decide, each with a revision, and a reason. */
export const BULK_BOUNDS: RouteBounds = { bodyBytes: 128 * KIB, values: 3100, rows: 20 };

/** A whole text of the registry, in any script. Sealed, it fits into one append. */
export const CONTENT_BODY_BOUNDS: RouteBounds = { ...SMALL, bodyBytes: 512 * KIB };

/** A file, which is no JSON. */
export const UPLOAD_BOUNDS: RouteBounds = {
  ...SMALL,
  bodyBytes: FILE_BYTES,
  bodyMs: UPLOAD_MS,
  rows: 40,
};

/** Three passwords, or a profile, of which each character may take twelve bytes in JSON. */
export const ACCOUNT_BOUNDS: RouteBounds = { ...SMALL, bodyBytes: 40 * KIB };

/** An answer of 5,000 characters, of which each may take twelve bytes in JSON. */
export const ANSWER_BOUNDS: RouteBounds = { ...SMALL, bodyBytes: 64 * KIB };

/** A message of a payment service, which repeats the whole page that was paid: some eight kilobytes. */
const NOTICE: RouteBounds = { ...SMALL, bodyBytes: 64 * KIB };

/** Bounds of the classes that are not {@link SMALL}. A route that needs others names them in `config.bounds`. */
const classBounds: Readonly<Partial<Record<LimitClass, RouteBounds>>> = {
  read: LIST,
  search_page: PAGE,
  search: PAGE,
  page_turn: PAGE,
  write: MEDIUM,
  submit: REPORT_BOUNDS,
  // A password has at most a thousand characters, each of up to twelve bytes in JSON.
  sign_in: MEDIUM,
  register: ACCOUNT_BOUNDS,
  payment_notice: NOTICE,
  inquiry: ACCOUNT_BOUNDS,
  // Keys and sessions that a page of an export is made from.
  export_page: LIST,
  // A sealed count with its filter.
  list_export: MEDIUM,
};

/** Bounds of a request that matches no route. */
export const NO_ROUTE: RouteBounds = SMALL;

/** The bounds of a route: its own, or those of its class. */
export function boundsOf(config: {
  readonly limit?: LimitClass;
  readonly bounds?: RouteBounds;
}): RouteBounds {
  return config.bounds ?? (config.limit && classBounds[config.limit]) ?? NO_ROUTE;
}
