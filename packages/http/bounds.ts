import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";
import type { LimitClass } from "./limits.ts";

/** Bounds on everything a caller sends, on every route. */
export const inputBounds = {
  /** Characters in the name of a field or parameter. */
  nameLength: 100,
  /** Nesting depth of objects and lists. */
  depth: 32,
  /** Problems reported in one reply. */
  problems: 20,
  /** Characters in a field's path in a reply. */
  pathLength: 200,
  /** Bytes in a reply that rejects a request. */
  refusalBytes: 16 * 1024,
  /** Characters in one path parameter, as it appears in the URL. */
  parameterLength: 500,
  /** Bytes in the request line and all headers. */
  headerBytes: 16 * 1024,
  /** Characters in an access token. */
  tokenLength: 2000,
} as const;

/** The most that one request to a route may cost, whatever it sends. */
export interface RouteBounds {
  /** Bytes of the body as received. A longer one is rejected before parsing. */
  readonly bodyBytes: number;
  /** Milliseconds for the whole request to arrive; {@link BODY_MS} by default. */
  readonly bodyMs?: number;
  /** Strings, numbers, lists and objects checked in the body; the same for the query. */
  readonly values: number;
  /** Rows returned by PostgreSQL, besides the events of the report or account concerned. */
  readonly rows: number;
}

/** Milliseconds for a request to arrive, including its body. */
export const BODY_MS = 30_000;
/** The same for a 10 MB file over a slow line, about 700 kbit/s. */
export const UPLOAD_MS = 120_000;
/** Server timeouts: for the headers, and for the slowest request, a file upload. */
export const ARRIVAL = {
  headersTimeout: 10_000,
  requestTimeout: UPLOAD_MS,
  /** Node ends late requests only when it checks, every 30 seconds by default. */
  connectionsCheckingInterval: 1000,
} as const;
/** The same with TLS, whose connections start with a handshake. */
export const TLS_ARRIVAL = { ...ARRIVAL, handshakeTimeout: ARRIVAL.headersTimeout } as const;
export const UPLOADS = "/prod/api/uploads";

const KIB = 1024;
/** A word or two: `{}`, a reason, an address. */
const SMALL: RouteBounds = { bodyBytes: 2 * KIB, values: 20, rows: 20 };
const MEDIUM: RouteBounds = { bodyBytes: 16 * KIB, values: 100, rows: 20 };
/** A list. The console's exports ask for a thousand rows. */
const LIST: RouteBounds = { ...SMALL, rows: 1100 };
/** An export of the audit log: entries, their actors' keys, and the rows that decide a search. */
export const AUDIT_BOUNDS: RouteBounds = { ...SMALL, rows: 2500 };
/** The rows of an exported list, read a few hundred at a time, up to the number on its ticket. */
export const LIST_EXPORT_BOUNDS: RouteBounds = { ...SMALL, rows: 10_000_000 };
/** Ending an account's other sessions, which appends ten at a time to the log. */
export const SESSIONS_BOUNDS: RouteBounds = { ...SMALL, values: 100, rows: 100 };
/** A page of search results, plus the checkpoints of the search processors. */
const PAGE: RouteBounds = { ...SMALL, rows: 110 };
/** A report with 50 additional chargebacks, each with notes. */
export const REPORT_BOUNDS: RouteBounds = { bodyBytes: 256 * KIB, values: 1000, rows: 20 };

/** Decisions on 1,000 reports, each with a revision, and a reason. */
export const BULK_BOUNDS: RouteBounds = { bodyBytes: 128 * KIB, values: 3100, rows: 20 };

/** A whole text of the registry, in any script. Encrypted, it fits in one append. */
export const CONTENT_BODY_BOUNDS: RouteBounds = { ...SMALL, bodyBytes: 512 * KIB };

/** A file upload, which is not JSON. */
export const UPLOAD_BOUNDS: RouteBounds = {
  ...SMALL,
  bodyBytes: FILE_BYTES,
  bodyMs: UPLOAD_MS,
  rows: 40,
};

/** Three passwords, or a profile. Each character can take twelve bytes in JSON. */
export const ACCOUNT_BOUNDS: RouteBounds = { ...SMALL, bodyBytes: 40 * KIB };

/** An answer of 5,000 characters. Each can take twelve bytes in JSON. */
export const ANSWER_BOUNDS: RouteBounds = { ...SMALL, bodyBytes: 64 * KIB };

/** A webhook of the payment service, which repeats the whole checkout page: about 8 KB. */
const NOTICE: RouteBounds = { ...SMALL, bodyBytes: 64 * KIB };

/** Bounds of the classes other than {@link SMALL}. A route overrides them in `config.bounds`. */
const classBounds: Readonly<Partial<Record<LimitClass, RouteBounds>>> = {
  read: LIST,
  search_page: PAGE,
  search: PAGE,
  page_turn: PAGE,
  write: MEDIUM,
  submit: REPORT_BOUNDS,
  // A password has at most 1,000 characters of up to twelve bytes each in JSON.
  sign_in: MEDIUM,
  register: ACCOUNT_BOUNDS,
  payment_notice: NOTICE,
  inquiry: ACCOUNT_BOUNDS,
  // Keys and sessions from which a page of an export is built.
  export_page: LIST,
  // An encrypted count and its filter.
  list_export: MEDIUM,
};

/** Bounds of a request that matches no route. */
export const NO_ROUTE: RouteBounds = SMALL;

/** Returns the bounds of a route: its own, or those of its class. */
export function boundsOf(config: {
  readonly limit?: LimitClass;
  readonly bounds?: RouteBounds;
}): RouteBounds {
  return config.bounds ?? (config.limit && classBounds[config.limit]) ?? NO_ROUTE;
}
