import { readFileSync } from "node:fs";
import { ConfigInvalid } from "#runtime/config/load-config.ts";

/** The parameter of a URL that names the file. EventStoreDB's URLs call it the same. */
const PARAMETER = "tlsCAFile";

/**
 * Takes from a URL the file of certificate authorities (PEM) that a server's certificate must be signed by, for clients that
 * know no such parameter. Without one, the authorities of Node.js apply.
 * @returns the URL without the parameter, and what a client's TLS options must have.
 * @throws {ConfigInvalid} the file cannot be read; the message repeats no part of the URL.
 */
export function withAuthority(url: string): {
  readonly url: string;
  readonly tls?: { readonly ca: Buffer };
} {
  const parsed = new URL(url);
  const file = parsed.searchParams.get(PARAMETER);
  if (!file) return { url };
  parsed.searchParams.delete(PARAMETER);
  try {
    return { url: parsed.href, tls: { ca: readFileSync(file) } };
  } catch {
    throw new ConfigInvalid([`a URL names a ${PARAMETER} that cannot be read`]);
  }
}
