import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

interface Closable {
  close(): Promise<unknown>;
}

type Hook = (run: () => Promise<void>) => void;

/** Starts something before a file's tests and closes it after them. */
export function forFile<T extends Closable>(start: () => Promise<T>): T {
  return between(start, beforeAll, afterAll);
}

/** Starts something before each test and closes it after that test, once all later hooks have run. */
export function forTest<T extends Closable>(start: () => Promise<T>): T {
  return between(start, beforeEach, afterEach);
}

function between<T extends Closable>(start: () => Promise<T>, before: Hook, after: Hook): T {
  let started: T | undefined;
  before(async () => {
    started = await start();
  });
  after(async () => {
    const closing = started;
    started = undefined;
    await closing?.close();
  });
  return new Proxy({} as T, { get: (_, name) => started?.[name as keyof T] });
}
