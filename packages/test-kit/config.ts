import { type NamesOf, readVariables } from "#runtime/config/read-variables.ts";

/** Servers that tests may use where they are given; otherwise they start one or are skipped. */
export type TestServer = Extract<NamesOf<"tests">, `TEST_${string}`>;

/** URL of a server that stands ready for tests and may be shared with others. */
export function testServerUrl(name: TestServer): string | undefined {
  return readVariables("tests", process.env)[name];
}

/** TEST_SEED: repeats what a run that failed chose at random. */
export function testSeed(): number | undefined {
  return wholeNumber(process.env.TEST_SEED);
}

/** TEST_RUNS: how many random histories a property is tried with, where the usual are too few. */
export function testRuns(): number | undefined {
  return wholeNumber(process.env.TEST_RUNS);
}

/** Where programs that tests start find themselves compiled, for those that inherit nothing else. */
export function compiledPrograms(): { NODE_COMPILE_CACHE?: string } {
  const folder = process.env.NODE_COMPILE_CACHE;
  return folder ? { NODE_COMPILE_CACHE: folder } : {};
}

function wholeNumber(text = ""): number | undefined {
  if (text === "") return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`not a whole number from 0 on: ${text}`);
  return number;
}
