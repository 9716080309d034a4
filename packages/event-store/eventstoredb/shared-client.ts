import type { Credentials } from "@eventstore/db-client";
import type { StoreLog } from "../store-log.ts";
import { ClusterClient } from "./cluster-client.ts";
import { normalUrl, readConnectionString } from "./connection-string.ts";
import { type Connections, ReplacedConnections } from "./connections.ts";

/** The process's connections for one URL, and the credentials for its appends. */
export interface SharedClient {
  readonly connections: Connections<ClusterClient>;
  /**
   * Pass these to every append: they give it its own call. Without them, the appends of all
   * clients of a process share tables in the library; one lost connection then fails them all, and
   * the reply to a failed one ends the process. Undefined where the server accepts only a
   * certificate.
   */
  readonly appendCredentials: Credentials | undefined;
  /** Runs once, when no call is in flight. */
  release(): Promise<void>;
}

interface Entry {
  readonly connections: ReplacedConnections<ClusterClient>;
  readonly appendCredentials: Credentials | undefined;
  users: number;
}

/**
 * Shared connections by URL. Disposing of a client breaks calls of the others, so all are left
 * together with the last user.
 */
const entries = new Map<string, Entry>();

/**
 * The process's one client for a URL, created when there is none. All its users move over when it
 * is replaced.
 * @param log is told when the client is replaced; that of the first user counts.
 * @throws {TypeError} the URL is invalid; the message repeats no part of it.
 */
export function shareClient(anyCase: string, log?: StoreLog): SharedClient {
  const url = normalUrl(anyCase);
  let entry = entries.get(url);
  if (!entry) {
    const parsed = readConnectionString(url);
    const open = () => new ClusterClient(parsed);
    const { appendCredentials } = parsed;
    entry = { connections: new ReplacedConnections(open, log), appendCredentials, users: 0 };
    entries.set(url, entry);
  }
  const { connections, appendCredentials } = entry;
  entry.users += 1;
  const held = entry;
  let released = false;
  return {
    connections,
    appendCredentials,
    async release() {
      if (released) return;
      released = true;
      held.users -= 1;
      if ([...entries.values()].some(({ users }) => users > 0)) return;
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(all.map((each) => each.connections.close()));
    },
  };
}
