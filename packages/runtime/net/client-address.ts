import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import net from "node:net";
import Bowser from "bowser";
import ipaddr from "ipaddr.js";
import { ConfigInvalid } from "#runtime/config/load-config.ts";

/** What may be shown of an address: two numbers of IPv4 (`203.0.x.x`), 48 bits of IPv6 (`2001:db8:12::/48`). */
export function maskIp(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4")
    return `${(parsed as ipaddr.IPv4).octets.slice(0, 2).join(".")}.x.x`;
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 3);
  return `${new ipaddr.IPv6([...groups, 0, 0, 0, 0, 0]).toString()}/48`;
}

/** "Firefox on Linux", or as much of it as is known; never the text that was sent. */
export function describeUserAgent(userAgent: string): string {
  if (userAgent.trim() === "") return "Unknown browser";
  const { browser, os } = Bowser.parse(userAgent.slice(0, 1000));
  const known = KNOWN_BROWSERS.has(browser.name ?? "") ? browser.name : "Unknown browser";
  return os.name ? `${known} on ${os.name}` : (known as string);
}

/** Browser names of the library's own list. For an unknown browser the library repeats what was sent. */
const KNOWN_BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP as Record<string, string>));

/** The parameter of a URL that names the file. EventStoreDB's URLs call it the same. */
const PARAMETER = "tlsCAFile";

/**
 * Takes from a URL the file of certificate authorities (PEM) that a server's certificate must be signed by, for clients that
 * know no such parameter. Without one, the authorities of Node.js apply.
 * @returns the URL without the parameter, and what a client's TLS options must have.
 * @throws {ConfigInvalid} the file cannot be read; the message repeats no part of the URL.
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

/** Headers that a proxy adds. With any of them, the peer is a proxy and not the visitor. */
const PROXY_HEADER = /^(x-forwarded-.*|forwarded|x-real-ip|via)$/;

/** What a process knows about the proxies in front of it. */
export interface Front {
  readonly trustProxyHops: number;
  /** Public web address, if configured. */
  readonly publicUrl?: string | undefined;
}

/** Whether a request from this machine is local. A proxy that adds no header must be declared. */
export function isAlone({ trustProxyHops, publicUrl }: Front): boolean {
  return trustProxyHops === 0 && (!publicUrl || isLoopbackHost(new URL(publicUrl).hostname));
}

/** Whether a name or address, from HOST or a Host header without its port, is this machine only. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name.endsWith(".localhost") || isLoopbackAddress(name);
}

/**
 * Whether a request comes from a program on this machine that knows whom it is calling. The address
 * of the peer is not enough: a page on the internet can point any name at 127.0.0.1 (DNS
 * rebinding), which shows in the Host header, and a proxy on this machine calls for anyone.
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

/** Records that a request arrived on the operators' port. */
export function admitOperator(request: IncomingMessage): void {
  operatorsRequests.add(request);
}

/** Whether a request comes from an operator: on their port, or from this machine if it {@link isAlone}. */
export function operatorCheck(front: Front): (request: IncomingMessage) => boolean {
  const trustsThisMachine = isAlone(front);
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
