import { createHmac, timingSafeEqual } from "node:crypto";
import { InvalidPageToken } from "./errors.ts";

/** Where a page begins or ends in the order of the hits. */
export interface SortKey {
  /** Values of the sort, in its order; integers. */
  readonly values: readonly number[];
  /** Id of the document, which decides between equal values. */
  readonly id: string;
}

/** The content of a page token. */
export interface PageCursor extends SortKey {
  readonly direction: "after" | "before";
  /** Whether the page includes the row of the key itself. */
  readonly inclusive: boolean;
  /** Number of the page that the token leads to. */
  readonly page: number;
}

/** Longest token that is read. */
const MAX_TOKEN_LENGTH = 1000;
/** Bytes of the signature: 128 bits of an HMAC-SHA-256. */
const SIGNATURE = 16;

/** A key that may be replaced while the process runs. */
export interface PageKeys {
  current(): Buffer;
  /** The current key, and others whose tokens are still valid. */
  all(): readonly Buffer[];
}

/** Makes and reads the page tokens of queries. Only a holder of the key can make them. */
export interface PageTokens {
  /** @param query what the token is bound to: filters, sort, size. */
  encode(cursor: PageCursor, query: string): string;
  /** @throws {InvalidPageToken} it was not made by `encode` for this query under this key. */
  decode(token: string, query: string): PageCursor;
}

/**
 * Tokens are base64url of a signature (HMAC-SHA-256 under `key`, cut to 16 bytes) and the cursor as
 * a JSON array. The signature also covers the query, which the token does not hold.
 */
export function createPageTokens(key: Buffer | PageKeys): PageTokens {
  const keys = Buffer.isBuffer(key) ? { current: () => key, all: () => [key] } : key;
  const signatureOf = (key: Buffer, cursor: Buffer, query: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify(["search page", query]))
      .update(cursor)
      .digest()
      .subarray(0, SIGNATURE);

  return {
    encode({ direction, inclusive, page, values, id }, query) {
      const cursor = Buffer.from(
        JSON.stringify([direction === "after", inclusive, page, values, id]),
      );
      return Buffer.concat([signatureOf(keys.current(), cursor, query), cursor]).toString(
        "base64url",
      );
    },
    decode(token, query) {
      if (token.length > MAX_TOKEN_LENGTH) throw new InvalidPageToken();
      const bytes = Buffer.from(token, "base64url");
      const [signature, cursor] = [bytes.subarray(0, SIGNATURE), bytes.subarray(SIGNATURE)];
      const isOurs =
        signature.length === SIGNATURE &&
        keys.all().some((each) => timingSafeEqual(signature, signatureOf(each, cursor, query)));
      if (!isOurs) throw new InvalidPageToken();
      const [isAfter, inclusive, page, values, id] = JSON.parse(cursor.toString());
      return { direction: isAfter ? "after" : "before", inclusive, page, values, id };
    },
  };
}
