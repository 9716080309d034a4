import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/** Resolves a host's name to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The system's resolver. */
export const resolveHost: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Origins of the processes at an `http://` or `https://` address, one for each address that its name has. A name that does not
 * resolve right now is kept; connecting will show whether it works.
 */
export async function processesAt(url: string, resolve: Resolve = resolveHost): Promise<string[]> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host)) return [url];
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) return [url];
  return addresses.map(
    (address) =>
      `${protocol}//${isIP(address) === 6 ? `[${address}]` : address}:${port || (protocol === "https:" ? 443 : 80)}`,
  );
}
