import type { FastifyHelmetOptions } from "@fastify/helmet";

/**
 * The content security policy of the pages. Everything must come from the site itself, inline
 * scripts need the nonce of the response, and inline styles are not allowed. `enableCSPNonces` adds
 * the nonces.
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
    // The address of a page may contain the token from a mail, or a person's name.
    referrerPolicy: { policy: "same-origin" },
    // The port sends it with every answer.
    strictTransportSecurity: false,
  };
}
