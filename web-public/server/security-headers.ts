import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyHelmetOptions } from "@fastify/helmet";

/**
 * Returns the pages' content security policy: everything must come from the site itself, inline scripts need the
 * response's nonce, and inline styles aren't allowed. `enableCSPNonces` adds the nonces.
 */
export function securityHeaders(publicUrl: string): FastifyHelmetOptions {
  const isHttps = publicUrl.startsWith("https://");
  return {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        ...(isHttps ? { "upgrade-insecure-requests": [] } : {}),
      },
    },
    frameguard: { action: "deny" },
    // A page's URL may contain the token from an email, or a person's name.
    referrerPolicy: { policy: "same-origin" },
    // The port sends it with every response.
    strictTransportSecurity: false,
  };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Medium quality: compressing a 40 kB page takes about a millisecond. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;

/** Returns the best encoding that an `Accept-Encoding` header accepts (RFC 9110, section 12.5.3). */
export function acceptedEncoding(header: string | undefined): "br" | "gzip" | undefined {
  const accepted = new Map<string, number>();
  for (const entry of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    if (name) accepted.set(name, weight ? Number(weight.slice(2)) : 1);
  }
  const takes = (name: string) => (accepted.get(name) ?? accepted.get("*") ?? 0) > 0;
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : undefined;
}

export async function encode(text: string, encoding: "br" | "gzip"): Promise<Buffer> {
  if (encoding === "gzip") return zip(text, { level: GZIP_LEVEL });
  return brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
