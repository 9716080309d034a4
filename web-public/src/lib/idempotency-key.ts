/**
 * A new key of 32 hexadecimal digits. It also works on plain HTTP, where `crypto.randomUUID` is
 * missing.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
