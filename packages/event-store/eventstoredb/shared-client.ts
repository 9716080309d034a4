import { type Credentials, EventStoreDBClient } from "@eventstore/db-client";

/** The process's client for one URL, and the credentials for its appends. */
export interface SharedClient {
  readonly client: EventStoreDBClient;
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
  readonly client: EventStoreDBClient;
  users: number;
}

/**
 * Shared clients by URL. Disposing of one breaks calls of the others, so all are disposed of
 * together with the last user.
 */
const entries = new Map<string, Entry>();

/**
 * The process's one client for a URL, created when there is none.
 * @throws {TypeError} the URL is invalid; the message repeats no part of it.
 */
export function shareClient(anyCase: string): SharedClient {
  // A scheme may be in any case (RFC 3986, 3.1), but the library expects lower case.
  const url = anyCase.trim().replace(/^[a-z+]+(?=:)/i, (scheme) => scheme.toLowerCase());
  const appendCredentials = checkUrl(url);
  let entry = entries.get(url);
  if (!entry) {
    entry = { client: connect(url), users: 0 };
    entries.set(url, entry);
  }
  const { client } = entry;
  entry.users += 1;
  let released = false;
  return {
    client,
    appendCredentials,
    async release() {
      if (released) return;
      released = true;
      entry.users -= 1;
      if ([...entries.values()].some(({ users }) => users > 0)) return;
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(all.map((each) => each.client.dispose()));
    },
  };
}

function connect(url: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(url);
  } catch (error) {
    // The library's message quotes the URL, and with it the password.
    const missing = /certificate/i.test((error as Error).message);
    throw new TypeError(
      missing
        ? "a certificate file that the URL of the event log names is not there"
        : "the URL of the event log is not a valid esdb:// connection string",
    );
  }
}

const OPTIONS: ReadonlySet<string> = new Set(
  [
    "tls",
    "tlsCAFile",
    "userCertFile",
    "userKeyFile",
    "connectionName",
    "defaultDeadline",
    "maxDiscoverAttempts",
    "discoveryInterval",
    "gossipTimeout",
    "nodePreference",
    "keepAliveInterval",
    "keepAliveTimeout",
  ].map(flat),
);

/**
 * The library prints the whole URL when it rejects an option, so it must never see such an option.
 */
function checkUrl(url: string): Credentials | undefined {
  const [address = "", query = ""] = url.split("?", 2);
  const options = new Map<string, string>();
  for (const pair of query.split("&").filter(Boolean)) {
    const [name = "", value = ""] = pair.split("=", 2);
    if (!OPTIONS.has(flat(name)))
      throw new TypeError(
        /^[A-Za-z]{1,40}$/.test(name)
          ? `the URL of the event log has an option ${name}, which is not supported`
          : "the URL of the event log has an option that is not supported",
      );
    options.set(flat(name), value.trim());
  }
  const given = /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(address);
  if (given) {
    const [, username = "", password = ""] = given;
    return { username: decode(username), password: decode(password) };
  }
  // Without TLS the library does not send these credentials.
  return options.get("tls") === "false" ? { username: "none", password: "none" } : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    throw new TypeError("the user or the password in the URL of the event log is not encoded");
  }
}

function flat(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
