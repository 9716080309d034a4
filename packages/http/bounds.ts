import type { LimitClass } from "./limit-classes.ts";

/** Bounds of whatever a caller sends, on every route. */
export const inputBounds = {
  /** Letters of a field's or parameter's name. */
  nameLength: 100,
  /** Objects and lists within one another. */
  depth: 32,
  /** Problems that one answer names. */
  problems: 20,
  /** Letters of a field's path in an answer. */
  pathLength: 200,
  /** Bytes of an answer that refuses. */
  refusalBytes: 16 * 1024,
  /** Letters of one path parameter, as it is in the address. */
  parameterLength: 500,
  /** Bytes of the request line and all headers. */
  headerBytes: 16 * 1024,
  /** Letters of an access token. */
  tokenLength: 2000,
} as const;

/** What one request to a route may cost at most, whatever arrives. */
export interface RouteBounds {
  /** Bytes of the body, as they arrive; a longer one is refused before it is parsed. */
  readonly bodyBytes: number;
  /** Texts, numbers, lists and objects that are looked at in the body; the same for the query. */
  readonly values: number;
  /** Rows that come back from PostgreSQL, besides the events of the report or account in question. */
  readonly rows: number;
}

const KIB = 1024;
/** A word or two: `{}`, a reason, an address. */
const SMALL: RouteBounds = { bodyBytes: 2 * KIB, values: 20, rows: 20 };
const MEDIUM: RouteBounds = { bodyBytes: 16 * KIB, values: 100, rows: 20 };
/** A list: an export of the console asks for a thousand rows. */
const LIST: RouteBounds = { ...SMALL, rows: 1100 };
/** An export of the audit log: entries, the keys of who caused them, and what a search is decided by. */
export const AUDIT_BOUNDS: RouteBounds = { ...SMALL, rows: 2500 };
/** A page of a search, and where its processors stand. */
const PAGE: RouteBounds = { ...SMALL, rows: 110 };
/** A report with fifty further chargebacks, each with notes. */
export const REPORT_BOUNDS: RouteBounds = { bodyBytes: 256 * KIB, values: 1000, rows: 20 };

/** By class of limits; a route that needs other bounds names them (`config.bounds`). */
const classBounds: Readonly<Record<LimitClass, RouteBounds>> = {
  probe: SMALL,
  read: LIST,
  search_page: PAGE,
  search: PAGE,
  page_turn: PAGE,
  contact_search: SMALL,
  write: MEDIUM,
  submit: REPORT_BOUNDS,
  view: SMALL,
  link: SMALL,
  mail: SMALL,
  // A password has a thousand letters at most, of up to twelve bytes each in JSON.
  sign_in: MEDIUM,
  session: SMALL,
  reveal: SMALL,
  not_found: SMALL,
};

/** Bounds of a request that meets no route. */
export const NO_ROUTE: RouteBounds = SMALL;

/** The bounds of a route: its own, or those of its class. */
export function boundsOf(config: {
  readonly limit?: LimitClass;
  readonly bounds?: RouteBounds;
}): RouteBounds {
  return config.bounds ?? (config.limit ? classBounds[config.limit] : NO_ROUTE);
}
