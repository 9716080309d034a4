import { createHash } from "node:crypto";
import { InvalidPageToken } from "./errors.ts";

/** Where a page begins or ends in the order of the hits. */
export interface SortKey {
  /** Values of the sort in its order, integers. */
  readonly values: readonly number[];
  /** Id of the document, which decides between equal values. */
  readonly id: string;
}

/** What a page token says. */
export interface PageCursor extends SortKey {
  readonly direction: "after" | "before";
  /** Whether the page takes in the row of the key itself. */
  readonly inclusive: boolean;
  /** Number of the page that the token leads to. */
  readonly page: number;
}

const VERSION = 1;
const MAX_TOKEN_LENGTH = 1000;

/** Hash of what a token depends on: filters, sort, size. It holds no secret. */
export function fingerprint(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
}

/** Base64url of a JSON array. */
export function encodePageToken(cursor: PageCursor, queryHash: string): string {
  const { direction, inclusive, page, values, id } = cursor;
  const parts = [VERSION, queryHash, direction === "after", inclusive, page, values, id];
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** @throws {InvalidPageToken} it was not made by `encodePageToken` for this query. */
export function decodePageToken(token: string, queryHash: string, values: number): PageCursor {
  const parts = parse(token);
  if (!Array.isArray(parts) || parts.length !== 7) throw new InvalidPageToken();
  const [version, hash, isAfter, inclusive, page, keys, id] = parts as unknown[];
  if (
    version !== VERSION ||
    hash !== queryHash ||
    typeof isAfter !== "boolean" ||
    typeof inclusive !== "boolean" ||
    !isInteger(page) ||
    page < 1 ||
    !Array.isArray(keys) ||
    keys.length !== values ||
    !keys.every(isInteger) ||
    typeof id !== "string" ||
    id.includes("\0") ||
    !id.isWellFormed()
  ) {
    throw new InvalidPageToken();
  }
  return { direction: isAfter ? "after" : "before", inclusive, page, values: keys, id };
}

function parse(token: string): unknown {
  if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) throw new InvalidPageToken();
  try {
    return JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
  } catch {
    throw new InvalidPageToken();
  }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
