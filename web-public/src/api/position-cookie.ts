import type { PositionStore } from "./client.ts";

/**
 * Cookie for the position of a visitor's last write. Session storage wouldn't do: the server renders the first
 * response and must read the position too, or a reload could show older data than before.
 */
const NAME = "registry-position";
/** Every processor has caught up long before. */
const MAX_AGE_SECONDS = 3600;
/** The format of a position. Anything else is dropped. */
const SHAPE = /^[\w.:~@=-]{1,200}$/;

/** Reads the position from a `Cookie` header or `document.cookie`. */
export function readPosition(cookies: string | undefined): string | undefined {
  for (const pair of (cookies ?? "").split(";")) {
    const [name, value] = pair.trim().split("=", 2);
    if (name !== NAME || !value) continue;
    const position = decode(value);
    return position && SHAPE.test(position) ? position : undefined;
  }
  return undefined;
}

/** Returns the assignment to `document.cookie` that stores a position; undefined if it is malformed. */
export function positionCookie(position: string, secure: boolean): string | undefined {
  if (!SHAPE.test(position)) return undefined;
  const value = `${NAME}=${encodeURIComponent(position)}; Path=/; SameSite=Lax`;
  return `${value}; Max-Age=${MAX_AGE_SECONDS}${secure ? "; Secure" : ""}`;
}

/** Stores the position in the browser. `page` is its `document`. */
export function positionCookieStore(page: Document): PositionStore {
  return {
    read: () => readPosition(page.cookie),
    write(position) {
      const cookie = positionCookie(position, page.location.protocol === "https:");
      if (cookie) page.cookie = cookie;
    },
  };
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
