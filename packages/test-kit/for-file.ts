import { afterAll, beforeAll } from "vitest";

/** What `start` gives, for the tests of a file: it is started before them and closed after them. */
export function forFile<T extends { close(): Promise<unknown> }>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.close());
  return new Proxy({} as T, { get: (_, name) => started?.[name as keyof T] });
}
