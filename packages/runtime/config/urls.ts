import { ConfigInvalid } from "./load-config.ts";

/**
 * Chooses the adapter for a URL by its scheme. All adapters are chosen here.
 * @param variable name of the environment variable, for the message.
 * @param choices by scheme without colon, for instance `postgres`.
 * @throws {ConfigInvalid} names the variable and the schemes it may have, never its value.
 */
export function chooseByScheme<T>(
  variable: string,
  url: string,
  choices: Readonly<Record<string, (url: string) => T>>,
): T {
  const scheme = schemeOf(url);
  const choice = scheme !== undefined && Object.hasOwn(choices, scheme) && choices[scheme];
  if (choice) return choice(url);
  const known = Object.keys(choices).map((name) => `${name}:`);
  throw new ConfigInvalid([`${variable} must be a URL that starts with ${known.join(" or ")}`]);
}

/** The scheme without colon, in lower case; `postgresql` becomes `postgres`. */
export function schemeOf(url: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  return scheme === "postgresql" ? "postgres" : scheme;
}

/** Names and addresses that only this machine can reach. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|\[::1\]|localhost)$/i;

/** Whether a host, from a URL or `HOST`, is this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
