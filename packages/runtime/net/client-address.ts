import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import net from "node:net";
import Bowser from "bowser";
import ipaddr from "ipaddr.js";
import { ConfigInvalid } from "#runtime/config/load-config.ts";

/** Masks an address for display: two numbers of IPv4 (`203.0.x.x`), 48 bits of IPv6 (`2001:db8:12::/48`). */
export function maskIp(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4")
    return `${(parsed as ipaddr.IPv4).octets.slice(0, 2).join(".")}.x.x`;
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 3);
  return `${new ipaddr.IPv6([...groups, 0, 0, 0, 0, 0]).toString()}/48`;
}

/** Returns "Firefox on Linux", or as much as is known; never the text that was sent. */
export function describeUserAgent(userAgent: string): string {
  if (userAgent.trim() === "") return "Unknown browser";
  const { browser, os } = Bowser.parse(userAgent.slice(0, 1000));
  const known = KNOWN_BROWSERS.has(browser.name ?? "") ? browser.name : "Unknown browser";
  return os.name ? `${known} on ${os.name}` : (known as string);
}

/** Browser names in the library's own list. For an unknown browser it repeats what was sent. */
const KNOWN_BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP as Record<string, string>));

/** The URL parameter that names the file, as in EventStoreDB's URLs. */
const PARAMETER = "tlsCAFile";

/**
 * Removes from a URL the parameter naming the file of certificate authorities (PEM) that must have signed the
 * server's certificate, for clients that do not support it. Without it, Node.js's authorities apply.
 * @returns the URL without the parameter, and the TLS options the client needs.
 * @throws {ConfigInvalid} if the file can't be read; the message repeats no part of the URL.
 */
export function withAuthority(url: string): {
  readonly url: string;
  readonly tls?: { readonly ca: Buffer };
} {
  const parsed = new URL(url);
  const file = parsed.searchParams.get(PARAMETER);
  if (!file) return { url };
  parsed.searchParams.delete(PARAMETER);
  try {
    return { url: parsed.href, tls: { ca: readFileSync(file) } };
  } catch {
    throw new ConfigInvalid([`a URL names a ${PARAMETER} that cannot be read`]);
  }
}

const loopbackAddresses = new net.BlockList();
loopbackAddresses.addSubnet("127.0.0.0", 8, "ipv4");
loopbackAddresses.addAddress("::1", "ipv6");

/** Headers that a proxy adds. If any is present, the peer is a proxy and not the visitor. */
const PROXY_HEADER = /^(x-forwarded-.*|forwarded|x-real-ip|via)$/;

/** What a process knows about the proxies in front of it. */
export interface Front {
  readonly trustProxyHops: number;
  /** Public web address, if configured. */
  readonly publicUrl?: string | undefined;
}

/** Whether requests from this machine are local. A proxy that adds no headers must be declared. */
export function isLocalOnly({ trustProxyHops, publicUrl }: Front): boolean {
  return trustProxyHops === 0 && (!publicUrl || isLoopbackHost(new URL(publicUrl).hostname));
}

/** Whether a name or address, from HOST or a Host header without the port, is loopback. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name.endsWith(".localhost") || isLoopbackAddress(name);
}

/**
 * Whether a request comes from a program on this machine that knows whom it is calling. The peer's
 * address is not enough: a page on the internet can point any name at 127.0.0.1 (DNS rebinding), which
 * shows in the Host header, and a proxy on this machine forwards requests for anyone.
 */
export function isLocalRequest(request: {
  headers: IncomingHttpHeaders;
  remoteAddress: string | undefined;
}): boolean {
  const { headers, remoteAddress } = request;
  const host = (headers.host ?? "").replace(/:\d*$/, "");
  return (
    isLoopbackAddress(remoteAddress ?? "") &&
    isLoopbackHost(host) &&
    !Object.keys(headers).some((name) => PROXY_HEADER.test(name))
  );
}

const operatorsRequests = new WeakSet<IncomingMessage>();

/** Marks a request as received on the operators' port. */
export function admitOperator(request: IncomingMessage): void {
  operatorsRequests.add(request);
}

/** Returns a check for operator requests: on their port, or from this machine if it {@link isLocalOnly}. */
export function operatorCheck(front: Front): (request: IncomingMessage) => boolean {
  const trustsThisMachine = isLocalOnly(front);
  return (request) => {
    const { headers, socket } = request;
    return (
      operatorsRequests.has(request) ||
      (trustsThisMachine && isLocalRequest({ headers, remoteAddress: socket.remoteAddress }))
    );
  };
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const family = net.isIP(plain);
  return family !== 0 && loopbackAddresses.check(plain, family === 6 ? "ipv6" : "ipv4");
}
