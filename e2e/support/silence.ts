/** Every request is answered within this time, with time to spare for a busy machine. */
const REQUEST_MS = 25_000;

/** `/readyz` reports it within ten seconds; the rest is for a busy machine. */
export const soon = { timeout: 20_000, interval: 100 };

/** A connection that was given up is opened again, and a projector's lock has its own limit. */
export const recovered = { timeout: 150_000, interval: 200 };

/** @throws Error if a request takes longer than any may. */
export function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("a request hangs")), REQUEST_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * Sends many requests at once just before the silence begins, and one more during it.
 * @returns every reply, the one from during the silence last.
 */
export async function askIntoSilence<T>(silence: () => void, ask: () => Promise<T>): Promise<T[]> {
  // Requests in flight when the silence begins are in the middle of a query. Later ones find dead
  // idle connections, or must connect.
  const early = Array.from({ length: 10 }, ask);
  await new Promise(setImmediate);
  silence();
  const late = Array.from({ length: 10 }, ask);
  const answers = await within(Promise.all([...early, ...late]));
  return [...answers, await within(ask())];
}
