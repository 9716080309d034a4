import { readFileSync } from "node:fs";
import type { Credentials } from "@eventstore/db-client";
import { parseConnectionString } from "@eventstore/db-client/dist/Client/parseConnectionString.js";

/** The parsed URL of the event log. */
export interface ConnectionString {
  /** As the client library parsed it. */
  readonly options: ReturnType<typeof parseConnectionString>;
  /** Whether to look for the leader: several hosts, or one name that resolves to several. */
  readonly isCluster: boolean;
  readonly certificates: {
    readonly insecure: boolean;
    readonly rootCertificate?: Buffer;
    readonly userKeyFile?: Buffer;
    readonly userCertFile?: Buffer;
  };
  /** See {@link SharedClient.appendCredentials}. */
  readonly appendCredentials: Credentials | undefined;
}

/** Returns the URL with its scheme in lower case, as the library expects it (RFC 3986, 3.1, allows any case). */
export function normalUrl(anyCase: string): string {
  return anyCase.trim().replace(/^[a-z+]+(?=:)/i, (scheme) => scheme.toLowerCase());
}

/**
 * Parses a URL from {@link normalUrl} and reads its certificate files. @throws {TypeError} that repeats no part
 * of the URL.
 */
export function readConnectionString(url: string): ConnectionString {
  const given = checkUrl(url);
  const options = parse(url);
  const insecure = options.tls === false;
  const { userCertFile, userKeyFile } = options;
  if (!userCertFile !== !userKeyFile)
    throw new TypeError(
      "the URL of the event log names userCertFile or userKeyFile without the other",
    );
  return {
    options,
    isCluster: options.dnsDiscover || options.hosts.length > 1,
    certificates: {
      insecure,
      ...(options.tlsCAFile && !insecure && { rootCertificate: file(options.tlsCAFile) }),
      ...(userCertFile && userKeyFile
        ? { userCertFile: file(userCertFile), userKeyFile: file(userKeyFile) }
        : {}),
    },
    // Without TLS the library does not send these credentials.
    appendCredentials: given ?? (insecure ? { username: "none", password: "none" } : undefined),
  };
}

function parse(url: string): ConnectionString["options"] {
  try {
    return parseConnectionString(url);
  } catch {
    // The library's message quotes the URL, and with it the password.
    throw new TypeError("the URL of the event log is not a valid esdb:// connection string");
  }
}

function file(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new TypeError("can't read a certificate file named in the event log's URL");
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

/** Checks options, since the library prints the whole URL when it rejects one. @returns user and password. */
function checkUrl(url: string): Credentials | undefined {
  const [address = "", query = ""] = url.split("?", 2);
  for (const pair of query.split("&").filter(Boolean)) {
    const [name = ""] = pair.split("=", 2);
    if (!OPTIONS.has(flat(name)))
      throw new TypeError(
        /^[A-Za-z]{1,40}$/.test(name)
          ? `the URL of the event log has an option ${name}, which is not supported`
          : "the URL of the event log has an option that is not supported",
      );
  }
  const given = /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(address);
  if (!given) return undefined;
  const [, username = "", password = ""] = given;
  return { username: decode(username), password: decode(password) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    throw new TypeError("the user or the password in the URL of the event log is not URL-encoded");
  }
}

function flat(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
