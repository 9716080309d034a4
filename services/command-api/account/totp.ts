import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

/** What every authenticator app can do (RFC 6238): SHA-1, six digits, a new code every 30 seconds. */
const ALGORITHM = "SHA1";
const DIGITS = 6;
const PERIOD = 30;
/** Steps before and after the present one whose codes count: clocks differ, and people are slow. */
const WINDOW = 1;
/** 160 bits, as RFC 4226 advises. */
const SECRET_BYTES = 20;

/** A new secret, in base32. */
export function newTotpSecret(): string {
  const { buffer, byteOffset, byteLength } = randomBytes(SECRET_BYTES);
  return new Secret({ buffer: buffer.slice(byteOffset, byteOffset + byteLength) }).base32;
}

/** The address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  const options = { algorithm: ALGORITHM, digits: DIGITS, period: PERIOD };
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), ...options }).toString();
}

/**
 * The time step whose code this is; undefined for a wrong code. What is no code at all is compared as
 * well, so that a wrong one of any kind takes as long.
 */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  const typed = code.replace(/\s/g, "");
  const isCode = /^\d{6}$/.test(typed);
  const delta = TOTP.validate({
    token: isCode ? typed : "000000",
    secret: Secret.fromBase32(secret),
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD,
    timestamp: nowMs,
    window: WINDOW,
  });
  if (!isCode || delta === null) return undefined;
  return Math.floor(nowMs / (PERIOD * 1000)) + delta;
}
