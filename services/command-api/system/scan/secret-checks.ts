import { type MasterKeySource, readMasterKeys } from "#vault/keys/master-ring.ts";
import type { ScanCheck } from "./scan-check.ts";

/** Bytes that a key out of a random source has more different values of than this, but once in 10^30. */
const LEAST_VALUES = 12;
/** Characters below which a password can be guessed without being asked for it. */
const LEAST_LENGTH = 12;
/** What examples and images ship with. */
const SHIPPED = new Set([
  "admin",
  "changeit",
  "changeme",
  "change-me",
  "minioadmin",
  "password",
  "postgres",
  "registry",
  "secret",
]);

/** Whether somebody could guess a password. */
export function isWeak(user: string, password: string): boolean {
  return password.length < LEAST_LENGTH || password === user || SHIPPED.has(password.toLowerCase());
}

/** User and password of a URL; undefined where it has none. */
function credentialsOf(url: string): { user: string; password: string } | undefined {
  const [, user = "", password = ""] = /^[a-z0-9+]+:\/\/([^:@/?#]*):([^@/?#]+)@/i.exec(url) ?? [];
  if (password === "") return undefined;
  return { user: decode(user), password: decode(password) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Secrets that were never chosen.
 * @param urls by the variable that holds each.
 */
export function secretChecks(
  urls: Readonly<Record<string, string | undefined>>,
  masterKeys: MasterKeySource,
): ScanCheck[] {
  return [
    {
      code: "store_passwords",
      fine: "The passwords of the stores are long, and none is one that an example ships with.",
      async find() {
        const weak = Object.entries(urls).filter(([, url]) => {
          const found = url === undefined ? undefined : credentialsOf(url);
          return found && isWeak(found.user, found.password);
        });
        if (weak.length === 0) return undefined;
        const names = weak.map(([name]) => name).join(", ");
        return `The password in ${names} is shorter than ${LEAST_LENGTH} characters, the user's name, or one of an example. Choose a random one.`;
      },
    },
    {
      code: "master_key",
      fine: "The master key looks random.",
      async find() {
        const keys = await readMasterKeys(masterKeys);
        if (keys.every((key) => new Set(key).size > LEAST_VALUES)) return undefined;
        return "The master key is not random: it repeats a few bytes. Make one by openssl rand -hex 32, and run npm run keys:rotate.";
      },
    },
  ];
}
