import { expect } from "vitest";

/** Every request must be answered within this time, with slack for a busy machine. */
const REQUEST_MS = 25_000;

/** `/readyz` reports it within ten seconds; the rest is slack for a busy machine. */
export const soon = { timeout: 20_000, interval: 100 };

/** Abandoned connections are reopened, and a projector's lock has its own timeout. */
export const recovered = { timeout: 150_000, interval: 200 };

/** @throws Error if a request takes longer than allowed. */
export function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("a request hangs")), REQUEST_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * Sends many requests just before and after the silence begins, and one more during it.
 * @returns every reply, with that of the last request at the end.
 */
export async function requestDuringSilence<T>(
  silence: () => void,
  ask: () => Promise<T>,
): Promise<T[]> {
  // Requests in flight when the silence begins are in the middle of a query. Later ones find dead
  // idle connections, or must connect.
  const early = Array.from({ length: 10 }, ask);
  await new Promise(setImmediate);
  silence();
  const late = Array.from({ length: 10 }, ask);
  const answers = await withTimeout(Promise.all([...early, ...late]));
  return [...answers, await withTimeout(ask())];
}

/** Expects what strangers and visitors are answered while a process waits for its stores. */
export async function expectWaiting(url: string): Promise<void> {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const headers = { "x-forwarded-for": "203.0.113.9" };
  const stranger = await fetch(`${url}/readyz`, { headers });
  expect([stranger.status, await stranger.json()]).toEqual([503, { status: "not_ready" }]);
  const other = await fetch(`${url}/prod/api/reports`);
  expect([other.status, other.headers.get("retry-after"), await other.json()]).toMatchObject([
    503,
    "5",
    { success: false, error: { code: "unavailable" } },
  ]);
}
