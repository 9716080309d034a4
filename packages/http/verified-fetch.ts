import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { Agent, fetch } from "undici";
import { withAuthority } from "#runtime/net/client-address.ts";

/** Origins of processes, and the `fetch` that they are called with. */
export interface VerifiedProcesses {
  readonly urls: readonly string[];
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Reads addresses of one service's processes. Those with `https://` are called only where the server's certificate has the
 * host of one of the addresses and is signed by the authority that `?tlsCAFile=` names. What is called is any of the IP
 * addresses that a host has, and certificates have none of these.
 * @throws {ConfigInvalid} a file of authorities cannot be read.
 */
export function verifiedProcesses(addresses: readonly string[]): VerifiedProcesses {
  const read = addresses.map((address) => {
    const { url, tls } = withAuthority(address);
    return { url: new URL(url), ca: tls?.ca };
  });
  const urls = read.map(({ url }) => url.origin);
  const secure = read.filter(({ url }) => url.protocol === "https:");
  if (secure.length === 0) return { urls, fetch: globalThis.fetch };
  const hosts = secure.map(({ url }) => url.hostname.replace(/^\[(.*)\]$/, "$1"));
  const authorities = secure.flatMap(({ ca }) => ca ?? []);
  const dispatcher = new Agent({
    connect: {
      ...(authorities.length > 0 && { ca: authorities }),
      checkServerIdentity: (_address, certificate) => identityProblem(hosts, certificate),
    },
  });
  // Node's own `fetch` is of another version, and takes no agent of this one.
  const verified = (input: string, init: object) => fetch(input, { ...init, dispatcher });
  return { urls, fetch: verified as unknown as typeof globalThis.fetch };
}

function identityProblem(hosts: readonly string[], certificate: PeerCertificate) {
  const problems = hosts.map((host) => checkServerIdentity(host, certificate));
  return problems.includes(undefined) ? undefined : problems[0];
}
