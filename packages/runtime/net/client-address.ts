import Bowser from "bowser";
import ipaddr from "ipaddr.js";

/**
 * The part of an address that may be shown: for IPv4 the first two numbers (`203.0.x.x`), for IPv6
 * the first 48 bits (`2001:db8:12::/48`). An IPv4 address inside IPv6 counts as IPv4.
 */
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

/**
 * Browser names of the library's own list. For an unknown browser the library repeats what was
 * sent.
 */
const KNOWN_BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP as Record<string, string>));
