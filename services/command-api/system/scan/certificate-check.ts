import { isIP } from "node:net";
import { connect, type PeerCertificate } from "node:tls";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import type { ScanCheck } from "./scan-check.ts";

/** Days before its end from which a certificate is named. */
const DAYS = 21;
const DAY_MS = 24 * 3_600_000;
/** Milliseconds that a server may take to show its certificate. */
const MOST_MS = 3_000;
const PORTS: Readonly<Record<string, number>> = { "https:": 443, "rediss:": 6379 };

/** Shows when a server's certificate ends. @throws what the connection threw. */
export type ReadEnd = (host: string, port: number) => Promise<Date>;

const readEnd: ReadEnd = async (host, port) => {
  // What is wrong with a certificate besides is for those who connect to say.
  // A server is told no name that is an address (RFC 6066, section 3).
  const servername = isIP(host) ? "" : host;
  const socket = connect({ host, port, servername, rejectUnauthorized: false });
  try {
    const shown = new Promise<PeerCertificate>((resolve, reject) => {
      socket.once("secureConnect", () => resolve(socket.getPeerCertificate()));
      socket.once("error", reject);
    });
    const { valid_to } = await withDeadline(shown, MOST_MS, () => new Error("time limit"));
    return new Date(valid_to);
  } finally {
    socket.destroy();
  }
};

/**
 * Certificates that end soon, of the servers that these URLs name and that speak TLS from the first byte.
 * @param urls by the variable that holds each.
 */
export function certificateCheck(
  urls: Readonly<Record<string, string | undefined>>,
  now: () => number,
  read: ReadEnd = readEnd,
): ScanCheck {
  return {
    code: "certificates",
    fine: `No certificate ends within ${DAYS} days.`,
    async find() {
      const found = await Promise.all(
        Object.entries(urls).map(async ([name, url]) => {
          const { hostname, port, protocol } = url && URL.canParse(url) ? new URL(url) : NONE;
          const usual = PORTS[protocol];
          if (usual === undefined) return [];
          try {
            const end = await read(hostname.replace(/^\[|\]$/g, ""), Number(port) || usual);
            const days = Math.floor((end.getTime() - now()) / DAY_MS);
            if (days >= DAYS) return [];
            return [
              days < 0 ? `that of ${name} has ended` : `that of ${name} ends in ${days} days`,
            ];
          } catch {
            return [`that of ${name} could not be read from here`];
          }
        }),
      );
      const words = found.flat();
      return words.length === 0 ? undefined : `Certificates: ${words.join("; ")}. Renew them.`;
    },
  };
}

const NONE = { hostname: "", port: "", protocol: "" };
