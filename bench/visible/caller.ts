import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

type Method = "GET" | "POST" | "PUT";

/** Calls the registry as one account, or as a visitor. @returns the reply's `data`. @throws Error if refused. */
export type Caller = <T>(method: Method, path: string, body?: object) => Promise<T>;

/** Attempts after a 503, each under the same key, and the pause before each. */
const RETRIES = 5;
const RETRY_MS = 200;

/**
 * @param token of the account; undefined for a visitor.
 * @param onBusy called for each reply that asks for a retry.
 */
export function createCaller(url: string, token: string | undefined, onBusy: () => void): Caller {
  return async <T>(method: Method, path: string, body?: object) => {
    const key = randomUUID();
    for (let attempt = 0; ; attempt += 1) {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { "content-type": "application/json", "idempotency-key": key } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      if (answer.ok) return (JSON.parse(text) as { data: T }).data;
      if (answer.status !== 503 || attempt >= RETRIES)
        throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      onBusy();
      await delay(RETRY_MS);
    }
  };
}
