import { accessSync, constants } from "node:fs";
import { fileURLToPath } from "node:url";
import { ConfigInvalid } from "./load-config.ts";

/** Returns what is wrong with a value, to follow the variable's name, without repeating it; undefined if valid. */
export type ProblemOf = (value: string) => string | undefined;

/** A URL of a store or server with one of these schemes, case-insensitive (RFC 3986, 3.1). */
export function urlProblem(...schemes: readonly string[]): ProblemOf {
  const listed = schemes.map((scheme) => `${scheme}:`).join(" or ");
  return (value) => {
    const scheme = schemeOf(value) ?? "";
    if (!schemes.includes(scheme)) return `must be a URL that starts with ${listed}`;
    return scheme === "file" ? folderProblem(value) : addressProblem(value, scheme);
  };
}

/** Whether percent-encoding is valid UTF-8 (RFC 3986, 2.1), and everything that needs encoding is encoded. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return !/[\s\p{Cc}]/u.test(text);
  } catch {
    return false;
  }
}

const ENCODED =
  "must be a URL without blanks, in which a percent sign of a user or password is written as %25";
const HOST = "must be a URL with a host after its two slashes";
const PORT =
  "must be a URL whose port, if it has one, is a number from 1 to 65535, and whose password writes / ? # as %2F %3F %23";

function addressProblem(value: string, scheme: string): string | undefined {
  if (!isEncoded(value)) return ENCODED;
  const [, authority, rest] = /^[^:]+:\/\/([^/?#]*)(.*)$/.exec(value) ?? [];
  if (authority === undefined || rest === undefined) return HOST;
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(rest)?.[1]);
  const ports = scheme === "postgres" ? parameters.getAll("port") : [];
  if (!ports.every(isPort)) return PORT;
  const place = authority.slice(authority.lastIndexOf("@") + 1);
  // PostgreSQL clients also accept the host, or a socket's folder, as a parameter.
  if (!(place === "" && scheme === "postgres" && parameters.get("host"))) {
    const isCluster = scheme.startsWith("esdb");
    for (const each of isCluster ? place.split(",") : [place]) {
      const problem = placeProblem(each);
      if (problem) return problem;
    }
    if (!isCluster && !URL.canParse(value)) return HOST;
  }
  if (/^rediss?$/.test(scheme) && !/^\/?\d*($|[?#])/.test(rest))
    return "must be a URL with nothing but the number of a database after its host";
  if (scheme === "smtp" && !parameters.getAll("requireTLS").every(isTrueOrFalse))
    return "must be a URL whose requireTLS, if it has one, is true or false";
  if (/^(redis|http)$/.test(scheme) && parameters.has("tlsCAFile"))
    return "must be a URL that starts with rediss: or https: if it names a tlsCAFile";
  return certificateProblem(parameters, CERTIFICATE_FILES[scheme] ?? []);
}

function placeProblem(place: string): string | undefined {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(place) ?? [];
  if (host === "") return HOST;
  return host === undefined || (port !== undefined && !isPort(port)) ? PORT : undefined;
}

function isTrueOrFalse(text: string): boolean {
  return text === "true" || text === "false";
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** Parameters that name a file, which must exist when the URL is used, by scheme. */
const CERTIFICATE_FILES: Readonly<Record<string, readonly string[]>> = {
  postgres: ["sslcert", "sslkey", "sslrootcert"],
  rediss: ["tlsCAFile"],
  https: ["tlsCAFile"],
};

function certificateProblem(
  parameters: URLSearchParams,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const file = parameters.get(name);
    if (!file || file === "system") continue;
    try {
      accessSync(file, constants.R_OK);
    } catch {
      return `must be a URL whose ${name} is a file that can be read`;
    }
  }
  return undefined;
}

const folderProblem: ProblemOf = (value) => {
  const must = "must be a folder's whole path after file:, such as file:///var/mails";
  if (!/^file:\/(?!\/(?!\/))/i.test(value) || !isEncoded(value)) return must;
  try {
    return /[^/]/.test(fileURLToPath(value)) ? undefined : must;
  } catch {
    return must;
  }
};

/** A web origin (RFC 6454): scheme, host and port, and optionally a trailing slash. */
export const webOriginProblem: ProblemOf = (value) =>
  isWebOrigin(value)
    ? undefined
    : "must be a web address without a path, with a port from 1 to 65535 if any, such as https://registry.example";

function isWebOrigin(value: string): boolean {
  if (!/^https?:\/\/[^/?#@\s\\]+\/?$/i.test(value) || !URL.canParse(value)) return false;
  const { hostname, port } = new URL(value);
  return /[a-z0-9]/i.test(hostname) && port !== "0";
}

/** One or more process addresses, separated by commas or blanks. */
export const addressesProblem: ProblemOf = (value) =>
  isListOf(value, (each) => isWebOrigin(each.replace(/\?tlsCAFile=[^&]+$/, "")))
    ? listOf(value)
        .map((each) => addressProblem(each, schemeOf(each) ?? ""))
        .find(Boolean)
    : "must be one or more addresses such as http://127.0.0.1:3002, with ports from 1 to 65535 and commas between";

/** Origins whose pages may call the API. */
export const originsProblem: ProblemOf = (value) =>
  isListOf(value, isWebOrigin)
    ? undefined
    : "must be one or more web addresses without a path, such as https://shop.example, with commas between";

function isListOf(value: string, isOne: (each: string) => boolean): boolean {
  const parts = listOf(value);
  return parts.length > 0 && parts.every(isOne);
}

/** Splits a list separated by commas or blanks. */
export function listOf(text: string | undefined): string[] {
  return (text ?? "").split(/[\s,]+/).filter(Boolean);
}

/**
 * Chooses the adapter for a URL by its scheme. All adapters are chosen here.
 * @param variable name of the environment variable, for the message.
 * @param choices by scheme without colon, such as `postgres`.
 * @throws {ConfigInvalid} names the variable and its allowed schemes, never its value.
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

/** The scheme in lower case, without the colon; `postgresql` becomes `postgres`. */
export function schemeOf(url: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  return scheme === "postgresql" ? "postgres" : scheme;
}
