import { type NamesOf, readVariables } from "#runtime/config/read-variables.ts";

/** Servers that tests may use where they are given; otherwise they start one or are skipped. */
export type TestServer = Extract<NamesOf<"tests">, `TEST_${string}_URL`>;

/** URL of a server that stands ready for tests and may be shared with others. */
export function testServerUrl(name: TestServer): string | undefined {
  return readVariables("tests", process.env)[name];
}

export function testSeed(): number | undefined {
  return readVariables("tests", process.env).TEST_SEED;
}

export function testRuns(): number | undefined {
  return readVariables("tests", process.env).TEST_RUNS;
}

/** Where programs that tests start find themselves compiled, for those that inherit nothing else. */
export function compiledPrograms(): { NODE_COMPILE_CACHE?: string } {
  const folder = process.env.NODE_COMPILE_CACHE;
  return folder ? { NODE_COMPILE_CACHE: folder } : {};
}
