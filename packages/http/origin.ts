import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Header by which the sample loader, which runs in the same process, identifies itself. */
export const X_ORIGIN_TOKEN = "x-origin-token";

/** Says when a sample happened, in RFC 3339. Counts with the token only. */
export const X_ORIGIN_TIME = "x-origin-time";

export type Origin = "live" | "sample";

/** A token that is never stored: only code in this process knows it. */
export function makeOriginToken(): string {
  return randomBytes(32).toString("base64url");
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Tells requests of the sample loader from all others. Without a token, all are live. */
export function createOriginReader(
  token: string | undefined,
): (header: string | string[] | undefined) => Origin {
  if (token === undefined) return () => "live";
  const expected = digest(token);
  return (header) =>
    typeof header === "string" && timingSafeEqual(digest(header), expected) ? "sample" : "live";
}

/** When a request happened: a sample's own time where it has one, and never after now. */
export function timeOfRequest(
  origin: Origin,
  header: string | string[] | undefined,
  now: Date,
): Date {
  if (origin !== "sample" || typeof header !== "string") return now;
  const time = Date.parse(header);
  return time <= now.getTime() ? new Date(time) : now;
}
