import { setTimeout as delay } from "node:timers/promises";
import { rounded } from "../row.ts";

/** The result of a load. */
export interface Rate {
  readonly perSecond: number;
  /** Percentiles of the time per operation, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
  /** Operations that were refused; no other figure includes them. */
  readonly refused: number;
}

/** @param times milliseconds of each operation. */
export function rateOf(times: readonly number[], ms: number, refused = 0): Rate {
  return {
    perSecond: rounded((times.length * 1000) / ms),
    p50: rounded(percentile(times, 0.5), 2),
    p99: rounded(percentile(times, 0.99), 2),
    count: times.length,
    refused,
  };
}

/** The smallest time that at least this share of all times does not exceed (nearest rank). */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Seconds of warm-up before a measurement; none before a very short one. */
export function warmUpSeconds(seconds: number): number {
  return Math.floor(seconds / 4);
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

/** Runs the given number of workers, each repeating the work as soon as it is done. */
export async function closedLoop(
  { connections, seconds }: Load,
  work: (n: number) => Promise<void>,
): Promise<Rate> {
  let n = 0;
  const run = async (ms: number) => {
    const times: number[] = [];
    const start = performance.now();
    const worker = async () => {
      while (performance.now() - start < ms) {
        const begin = performance.now();
        n += 1;
        await work(n);
        times.push(performance.now() - begin);
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return rateOf(times, performance.now() - start);
  };
  await run(warmUpSeconds(seconds) * 1000);
  return run(seconds * 1000);
}

/**
 * Starts the work at the given rate per second, however long each run takes, and waits for the last
 * one.
 * @returns milliseconds of each run.
 * @throws the error of the first run that fails.
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
