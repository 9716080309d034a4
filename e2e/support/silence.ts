/** Within it every request is answered, with time to spare for a busy machine. */
const REQUEST_MS = 25_000;

/** `/readyz` reports it within ten seconds; the rest is for a busy machine. */
export const soon = { timeout: 20_000, interval: 100 };

/** A connection that was given up is reopened; a projector's lock has its own limit. */
export const recovered = { timeout: 150_000, interval: 200 };

/** @throws Error when a request takes longer than any may. */
export function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("a request hangs")), REQUEST_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * Asks many times at once while silence begins, and once more.
 * @returns every answer; the last one was asked for in silence alone.
 */
export async function askIntoSilence<T>(silence: () => void, ask: () => Promise<T>): Promise<T[]> {
  // Requests in flight when the silence begins are in mid-query; later ones find dead idle
  // connections, or must connect.
  const early = Array.from({ length: 10 }, ask);
  await new Promise(setImmediate);
  silence();
  const late = Array.from({ length: 10 }, ask);
  const answers = await within(Promise.all([...early, ...late]));
  return [...answers, await within(ask())];
}
