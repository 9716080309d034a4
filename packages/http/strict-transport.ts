/** `Strict-Transport-Security` of every answer (RFC 6797). Other hosts of the domain are not the registry's. */
export const STRICT_TRANSPORT = "max-age=31536000";
