import { setTimeout as delay } from "node:timers/promises";
import autocannon from "autocannon";
import { rounded } from "./row.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

export type Rate = ReturnType<typeof rateOf>;

/** The result of a load; refused operations are counted separately. @param times ms of each operation. */
export function rateOf(times: readonly number[], ms: number, refused = 0) {
  return {
    perSecond: rounded((times.length * 1000) / ms),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    count: times.length,
    refused,
  };
}

/** The smallest time not exceeded by at least this share of all times (nearest rank). */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return rounded(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0, 2);
}

/** Measures after a warm-up of a quarter of the time. */
async function afterWarmUp(seconds: number, run: (seconds: number) => Promise<Rate>) {
  const warmUp = Math.floor(seconds / 4);
  if (warmUp > 0) await run(warmUp);
  return run(seconds);
}

/** Runs the given number of workers, each repeating the work as soon as it is done. */
export function closedLoop(
  { connections, seconds }: Load,
  work: (n: number) => Promise<unknown>,
): Promise<Rate> {
  let n = 0;
  return afterWarmUp(seconds, async (limit) => {
    const times: number[] = [];
    const start = performance.now();
    const worker = async () => {
      while (performance.now() - start < limit * 1000) {
        const begin = performance.now();
        n += 1;
        await work(n);
        times.push(performance.now() - begin);
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return rateOf(times, performance.now() - start);
  });
}

/** Sends n requests over the given connections. Only successes count. @throws Error if nothing succeeds. */
export function httpLoad(
  url: string,
  { connections, seconds }: Load,
  requestOf: (n: number) => HttpRequest,
  token?: string,
): Promise<Rate> {
  let n = 0;
  const next = () => {
    n += 1;
    const { method, path, body } = requestOf(n);
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
    };
    return { method, path, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  };
  return afterWarmUp(seconds, async (duration) => {
    const times: number[] = [];
    let refused = 0;
    const requests = [
      { setupRequest: (request: autocannon.Request) => ({ ...request, ...next() }) },
    ];
    const options = { url, connections, duration, timeout: 30, requests };
    const { errors, duration: took } = await new Promise<autocannon.Result>((resolve, reject) => {
      const load = autocannon(options, (error, result) =>
        error ? reject(error) : resolve(result),
      );
      load.on("response", (_client, status, _bytes, ms) => {
        if (status < 300) times.push(ms);
        else refused += 1;
      });
    });
    if (times.length === 0)
      throw new Error(`nothing succeeded: ${refused} refused, ${errors} errors`);
    return rateOf(times, took * 1000, refused + errors);
  });
}

/**
 * Starts the work at a fixed rate per second, however long each run takes.
 * @returns ms of each run.
 * @throws the first error.
 */
export async function steadyLoad(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  work: (n: number) => Promise<unknown>,
): Promise<number[]> {
  const start = performance.now();
  const timed = async (n: number) => {
    await delay(Math.max(0, start + (n * 1000) / perSecond - performance.now()));
    const begin = performance.now();
    await work(n);
    return performance.now() - begin;
  };
  return Promise.all(Array.from({ length: Math.ceil(perSecond * seconds) }, (_, n) => timed(n)));
}
