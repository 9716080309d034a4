import { newIdempotencyKey } from "./idempotency-key.ts";

/** Name of the field with the key under which a browser without JavaScript sends a form. */
export const KEY = "idempotency_key";

/** The text of a field; empty where there is none. Browsers send the ends of lines as CR LF. */
export function textOf(sent: FormData, name: string): string {
  const value = sent.get(name);
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}

/** The key of a form, or a new one where what it names is none. */
export function keyOf(sent: FormData): string {
  const key = textOf(sent, KEY);
  return /^[0-9a-f]{32}$/.test(key) ? key : newIdempotencyKey();
}
