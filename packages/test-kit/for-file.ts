import { afterAll, beforeAll } from "vitest";

/** Starts something before a file's tests and closes it after them. */
export function forFile<T extends { close(): Promise<unknown> }>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.close());
  return new Proxy({} as T, { get: (_, name) => started?.[name as keyof T] });
}
