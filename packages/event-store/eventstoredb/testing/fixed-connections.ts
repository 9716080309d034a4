import type { Connections } from "../connections.ts";

/** Connections whose client is never replaced, for tests of one part of the adapter. */
export function alwaysTo<C>(client: C): Connections<C> {
  const connection = { client, left: new AbortController().signal, alive: () => undefined };
  return { current: async () => connection, run: (call) => call(connection) };
}
