import { ConfigInvalid } from "./load-config.ts";

/**
 * Picks the adapter for a URL by its scheme, in the one place where adapters are chosen.
 * @param variable name of the environment variable, for the message.
 * @param choices by scheme without colon, for instance `postgres`.
 * @throws {ConfigInvalid} naming the variable and the schemes it may have, never its value.
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

/** The scheme without colon and in lower case; `postgresql` reads as `postgres`. */
export function schemeOf(url: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  return scheme === "postgresql" ? "postgres" : scheme;
}

/** Names and addresses that only this machine reaches. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|\[::1\]|localhost)$/i;

/** Whether a host, as in a URL or `HOST`, is this machine and no other. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
