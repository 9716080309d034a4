/** Servers that tests may use where they are given; otherwise they start one or are skipped. */
export type TestServer = "TEST_REDIS_URL";

/** URL of a server that stands ready for tests and may be shared with others. */
export function testServerUrl(name: TestServer): string | undefined {
  return process.env[name]?.trim() || undefined;
}
