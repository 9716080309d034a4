import { randomInt } from "node:crypto";
import { testSeed } from "./config.ts";

/** Random numbers that the same seed reproduces. */
export interface Random {
  readonly seed: number;
  /** @returns an integer from `from` to `to`, both inclusive. */
  between(from: number, to: number): number;
}

/**
 * Returns random numbers for a test that kills at random points. Prints the seed, which TEST_SEED sets.
 * @param what name of the test, for the printed line.
 */
export function seededRandom(what: string): Random {
  const seed = testSeed() ?? randomInt(2 ** 31);
  console.log(`${what}: repeat with TEST_SEED=${seed}`);
  // Mulberry32 (Tommy Ettinger, public domain).
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed, between: (from, to) => from + Math.floor(next() * (to - from + 1)) };
}
