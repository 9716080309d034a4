import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import net from "node:net";

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

/**
 * Whether nothing indicates that others can reach a process, so that a request from this machine is
 * local. A local proxy that adds no header looks the same, so the configuration must declare it.
 */
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
 * rebinding), which shows in the Host header, and a proxy on this machine calls for anybody.
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

/**
 * Tells whether a request comes from an operator: on the operators' port or, for a process that
 * {@link isAlone}, from this machine.
 */
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
