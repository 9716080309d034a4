import type { FastifyReply, FastifyRequest } from "fastify";
import { COOKIE_SECRETS, DEVICE_SECONDS } from "./device.store.ts";

/**
 * Cookie by which accounts recognise a browser, with one secret for each account. It signs nobody
 * in.
 */
const DEVICE = "device";
const SECRET = /^[\w-]{43}$/;

/** The secrets in a request's cookie. */
export function devicesOf({ cookies }: FastifyRequest): readonly string[] {
  const secrets = cookies[DEVICE]?.split(".", COOKIE_SECRETS) ?? [];
  return secrets.filter((secret) => SECRET.test(secret));
}

/** Sends the browser the secrets that it must keep from now on. */
export function keepDevices(
  request: FastifyRequest,
  response: FastifyReply,
  secrets: readonly string[],
): void {
  response.setCookie(DEVICE, secrets.join("."), {
    path: "/prod/api/auth",
    httpOnly: true,
    sameSite: "strict",
    secure: request.protocol === "https",
    maxAge: DEVICE_SECONDS,
  });
}
