import type { FastifyReply, FastifyRequest } from "fastify";
import { COOKIE_SECRETS, DEVICE_SECONDS } from "./device.store.ts";

/**
 * Cookie by which accounts recognize a browser, with one secret for each account. It does not sign in. With its
 * prefix browsers take it from this site alone, over TLS or from their own machine.
 */
export const DEVICE_COOKIE = "__Secure-device";
const SECRET = /^[\w-]{43}$/;

/** The secrets in a request's cookie. */
export function devicesOf({ cookies }: FastifyRequest): readonly string[] {
  const secrets = cookies[DEVICE_COOKIE]?.split(".", COOKIE_SECRETS) ?? [];
  return secrets.filter((secret) => SECRET.test(secret));
}

/** Sends the browser the secrets that it must keep from now on. */
export function keepDevices(response: FastifyReply, secrets: readonly string[]): void {
  response.setCookie(DEVICE_COOKIE, secrets.join("."), {
    path: "/prod/api/auth",
    httpOnly: true,
    sameSite: "strict",
    secure: true,
    maxAge: DEVICE_SECONDS,
  });
}
