import type { AuthProvider } from "react-admin";
import { pageLocks, sessionFetch } from "#session-client/session-fetch.ts";
import { sessionStore } from "#session-client/session-store.ts";
import { apiClient } from "../data/api-client.ts";
import { ChangeStream } from "../data/change-stream.ts";
import { type ConsoleDataProvider, consoleDataProvider } from "../data/console-data-provider.ts";
import { factorNeeded, setStale } from "../data/observed.ts";
import { consoleAuthProvider } from "../session/console-auth-provider.ts";
import { IdleSession } from "../session/idle-session.ts";

export interface ConsoleParts {
  readonly authProvider: AuthProvider;
  readonly dataProvider: ConsoleDataProvider;
  readonly idle: IdleSession;
  readonly news: ChangeStream;
}

/** Time limit of the change stream in milliseconds: longer than the lifetime of the token, which ends it. */
const STREAM_MS = 20 * 60_000;

/** Creates the session, client and providers for one browser window. */
export function openConsole(window: Window & typeof globalThis): ConsoleParts {
  const session = sessionStore(window.localStorage, window);
  const fetch = window.fetch.bind(window);
  const locks = window.navigator.locks ?? pageLocks();
  const client = apiClient({
    fetch,
    session,
    locks,
    onStale: setStale,
    onFactorNeeded: factorNeeded.set,
  });
  const idle = new IdleSession({ client, session, storage: window.localStorage });
  return {
    authProvider: consoleAuthProvider(client, session, idle),
    idle,
    news: new ChangeStream({
      fetch: sessionFetch({ fetch, session, locks, timeoutMs: STREAM_MS }),
    }),
    dataProvider: consoleDataProvider(client),
  };
}
