import { FileNotSent } from "./file-not-sent.ts";

/** Milliseconds before each further attempt. */
export const WAITS_MS: readonly number[] = [1000, 3000, 8000];

/**
 * Sends a file, and sends it again when the line broke or the server was away. While the browser is offline,
 * the next attempt waits for the line.
 * @param attempt sends it once. @param onBroken is told of each attempt that failed and is made again.
 * @throws {FileNotSent} of the last attempt. @throws the signal's reason.
 */
export async function sendAgain<T>(
  attempt: () => Promise<T>,
  options: { readonly signal: AbortSignal; readonly onBroken: () => void },
): Promise<T> {
  for (const wait of [...WAITS_MS, undefined]) {
    try {
      return await attempt();
    } catch (error) {
      const isPassing = error instanceof FileNotSent && error.hope === "passing";
      if (!isPassing || wait === undefined || options.signal.aborted) throw error;
      options.onBroken();
      await pause(wait, options.signal);
      await online(options.signal);
    }
  }
  throw new Error("more attempts than there are");
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Resolves when the browser is not sure to be offline. */
function online(signal: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const done = () => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const stop = () => {
      removeEventListener("online", done);
      reject(signal.reason);
    };
    addEventListener("online", done, { once: true });
    signal.addEventListener("abort", stop, { once: true });
  });
}
