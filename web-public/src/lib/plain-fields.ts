import { newIdempotencyKey } from "./idempotency-key.ts";

/** Name of the field with the idempotency key of a form sent without JavaScript. */
export const KEY = "idempotency_key";

/** Returns a field's text; empty if there is none. Browsers send line breaks as CR LF. */
export function textOf(sent: FormData, name: string): string {
  const value = sent.get(name);
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}

/** Returns a form's key, or a new one if it is missing or invalid. */
export function keyOf(sent: FormData): string {
  const key = textOf(sent, KEY);
  return /^[0-9a-f]{32}$/.test(key) ? key : newIdempotencyKey();
}
