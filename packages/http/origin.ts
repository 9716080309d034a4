import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Header with which the sample loader, which runs in the same process, identifies itself. */
export const X_ORIGIN_TOKEN = "x-origin-token";

/** When a sample happened (RFC 3339). Honored only together with the token. */
export const X_ORIGIN_TIME = "x-origin-time";

export type Origin = "live" | "sample";

/** Returns a token that is never stored: only code in this process knows it. */
export function makeOriginToken(): string {
  return randomBytes(32).toString("base64url");
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Returns a function that recognizes the sample loader's requests. Without a token, all are live. */
export function createOriginReader(
  token: string | undefined,
): (header: string | string[] | undefined) => Origin {
  if (token === undefined) return () => "live";
  const expected = digest(token);
  return (header) =>
    typeof header === "string" && timingSafeEqual(digest(header), expected) ? "sample" : "live";
}

/** Returns when a request happened: a sample's own time if it has one, and never in the future. */
export function timeOfRequest(
  origin: Origin,
  header: string | string[] | undefined,
  now: Date,
): Date {
  if (origin !== "sample" || typeof header !== "string") return now;
  const time = Date.parse(header);
  return time <= now.getTime() ? new Date(time) : now;
}
