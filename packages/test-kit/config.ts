import { type NamesOf, readVariables } from "#runtime/config/read-variables.ts";

/** Servers that tests use if their URL is given. Otherwise tests start one or are skipped. */
export type TestServer = Extract<NamesOf<"tests">, `TEST_${string}_URL`>;

/** URL of a server that is provided for tests and may be shared. */
export function testServerUrl(name: TestServer): string | undefined {
  return readVariables("tests", process.env)[name];
}

export function testSeed(): number | undefined {
  return readVariables("tests", process.env).TEST_SEED;
}

export function testRuns(): number | undefined {
  return readVariables("tests", process.env).TEST_RUNS;
}

/** Node's compile cache, for programs that tests start without the rest of the environment. */
export function compiledPrograms(): { NODE_COMPILE_CACHE?: string } {
  const folder = process.env.NODE_COMPILE_CACHE;
  return folder ? { NODE_COMPILE_CACHE: folder } : {};
}
