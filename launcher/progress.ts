/** Prints a progress line during startup. */
export type Say = (line: string) => void;

/** Thrown when a launch is stopped before it is complete. */
export class LaunchStopped extends Error {
  override name = "LaunchStopped";
}

export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new LaunchStopped();
}

/** Runs the work and prints how long it took. */
export async function timed<T>(name: string, say: Say, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  say(`${name}: ready after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}
