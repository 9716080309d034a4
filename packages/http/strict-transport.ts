/** `Strict-Transport-Security` of every reply (RFC 6797). Subdomains are not included: they aren't the registry's. */
export const STRICT_TRANSPORT = "max-age=31536000";
