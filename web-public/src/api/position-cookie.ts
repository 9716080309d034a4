import type { PositionStore } from "./client.ts";

/**
 * The position of a visitor's last write is stored in a cookie and not in the session storage. The
 * server renders the first response and must read it too, or a reload could show older data than
 * before.
 */
const NAME = "registry-position";
/** By then every processor has long caught up. */
const MAX_AGE_SECONDS = 3600;
/** The form of a position. Anything else is not passed on. */
const SHAPE = /^[\w.:~@=-]{1,200}$/;

/** The position in a `Cookie` header or in `document.cookie`. */
export function readPosition(cookies: string | undefined): string | undefined {
  for (const pair of (cookies ?? "").split(";")) {
    const [name, value] = pair.trim().split("=", 2);
    if (name !== NAME || !value) continue;
    const position = decode(value);
    return position && SHAPE.test(position) ? position : undefined;
  }
  return undefined;
}

/** The assignment to `document.cookie` that stores a position; undefined for a malformed one. */
export function positionCookie(position: string, secure: boolean): string | undefined {
  if (!SHAPE.test(position)) return undefined;
  const value = `${NAME}=${encodeURIComponent(position)}; Path=/; SameSite=Lax`;
  return `${value}; Max-Age=${MAX_AGE_SECONDS}${secure ? "; Secure" : ""}`;
}

/** The store of a browser. `page` is its `document`. */
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
