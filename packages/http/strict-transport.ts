/**
 * `Strict-Transport-Security`, which ports send with every answer, and HAProxy as well. Browsers ignore it on plain
 * HTTP (RFC 6797, 8.1). Other hosts of the domain are not the registry's.
 */
export const STRICT_TRANSPORT = "max-age=31536000";
