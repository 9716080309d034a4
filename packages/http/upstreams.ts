import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import type { Dispatcher } from "undici";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { withAuthority } from "#runtime/net/client-address.ts";

export interface UpstreamsOptions {
  /** Milliseconds during which a failed process is tried last; 2000 by default. */
  readonly suspendMs?: number;
  /** Milliseconds between probes; 1000 by default. */
  readonly probeMs?: number;
  /** Used for probes and calls; by default that of {@link verifiedProcesses}. */
  readonly fetch?: typeof globalThis.fetch;
  /** Resolves a hostname to all of its addresses; by default the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Milliseconds since any fixed point; by default the monotonic clock. */
  readonly now?: () => number;
}

interface Upstream {
  readonly url: string;
  suspendedUntil: number;
  /** Result of the last probe; `ready` until the first one. */
  state: State;
  /** Duration of the last probe in milliseconds. */
  ms: number;
  /** Aborted when calls should stop waiting for it. */
  given: AbortController;
}

/** `silent`: it timed out. */
type State = "ready" | "unready" | "silent";

const PROBE_LIMIT_MS = 3000;

/**
 * Processes of one service, any of which may handle a call. Calls use them in turn. A process that
 * refused or dropped a connection, or is not ready, is tried last until it recovers; if all fail,
 * each is still tried. A name with several addresses, as for scaled containers, counts as that many
 * processes once it is resolved.
 */
export class Upstreams {
  readonly #urls: readonly string[];
  #all: readonly Upstream[];
  readonly #options: Required<UpstreamsOptions>;
  /** Calls a process, verifying its identity if its address requires it. */
  readonly fetch: typeof globalThis.fetch;
  #turn = 0;
  readonly #probes: Periodic;

  /** @param addresses as {@link verifiedProcesses} reads them. */
  constructor(addresses: readonly string[], options: UpstreamsOptions = {}) {
    if (addresses.length === 0) throw new TypeError("a service needs at least one address");
    const { urls, fetch } = verifiedProcesses(addresses);
    this.#urls = [...new Set(urls)];
    this.fetch = options.fetch ?? fetch;
    this.#all = this.#urls.map(newUpstream);
    this.#options = {
      suspendMs: options.suspendMs ?? 2000,
      probeMs: options.probeMs ?? 1000,
      fetch: this.fetch,
      resolve: options.resolve ?? resolveHost,
      now: options.now ?? (() => performance.now()),
    };
    this.#probes = new Periodic((signal) => this.probe(signal), {
      everyMs: this.#options.probeMs,
    });
  }

  /** All URLs, in the order in which the next call tries them. */
  order(): string[] {
    const from = this.#turn % this.#all.length;
    this.#turn = from + 1;
    const turned = [...this.#all.slice(from), ...this.#all.slice(0, from)];
    const well = (upstream: Upstream) => this.#isWell(upstream);
    return [...turned.filter(well), ...turned.filter((upstream) => !well(upstream))].map(
      ({ url }) => url,
    );
  }

  /** Records that a connection was refused or dropped. */
  failed(url: string): void {
    const upstream = this.#all.find((each) => each.url === url);
    if (upstream) upstream.suspendedUntil = this.#options.now() + this.#options.suspendMs;
  }

  /** Aborted if the process leaves a probe unanswered while another one is ready. */
  givenUp(url: string): AbortSignal | undefined {
    return this.#all.find((each) => each.url === url)?.given.signal;
  }

  /** Each process with its health and the duration of its last probe. */
  states(): { url: string; ok: boolean; ms: number }[] {
    return this.#all.map((upstream) => {
      const { url, ms } = upstream;
      return { url, ms, ok: this.#isWell(upstream) };
    });
  }

  /** Starts polling `/readyz` of each process. */
  start(): void {
    this.#probes.start();
  }

  stop(): Promise<void> {
    return this.#probes.stop();
  }

  /** Probes all of them once. @param signal interrupts it. */
  async probe(signal?: AbortSignal): Promise<void> {
    const found = await Promise.all(
      this.#urls.map((url) => processesAt(url, this.#options.resolve)),
    );
    const known = new Map(this.#all.map((upstream) => [upstream.url, upstream]));
    this.#all = [...new Set(found.flat())].map((url) => known.get(url) ?? newUpstream(url));
    await Promise.all(
      this.#all.map(async (upstream) => {
        const start = performance.now();
        upstream.state = await this.#stateOf(upstream.url, signal);
        upstream.ms = Math.round(performance.now() - start);
        if (upstream.state === "ready") upstream.suspendedUntil = 0;
      }),
    );
    if (!this.#all.some(({ state }) => state === "ready")) return;
    for (const upstream of this.#all) {
      if (upstream.state !== "silent") continue;
      upstream.given.abort();
      upstream.given = new AbortController();
    }
  }

  #isWell(upstream: Upstream): boolean {
    return upstream.state === "ready" && upstream.suspendedUntil <= this.#options.now();
  }

  async #stateOf(url: string, signal?: AbortSignal): Promise<State> {
    try {
      const answer = await this.#options.fetch(`${url}/readyz`, {
        signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(PROBE_LIMIT_MS)]),
      });
      await answer.arrayBuffer();
      return answer.ok ? "ready" : "unready";
    } catch (error) {
      // A probe that shutdown interrupted has no result.
      if (signal?.aborted) return "ready";
      return (error as Error).name === "TimeoutError" ? "silent" : "unready";
    }
  }
}

function newUpstream(url: string): Upstream {
  return { url, suspendedUntil: 0, state: "ready", ms: 0, given: new AbortController() };
}

/** Origins of processes, and the `fetch` that they are called with. */
export interface VerifiedProcesses {
  readonly urls: readonly string[];
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Reads the addresses of one service's processes. Those with `https://` are called only if the server's
 * certificate is for the host of one of the addresses and is signed by the authority in `?tlsCAFile=`.
 * Calls go to any of a host's IP addresses, which certificates don't contain.
 * @throws {ConfigInvalid} if an authority file can't be read.
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
  const connect = {
    ...(authorities.length > 0 && { ca: authorities }),
    checkServerIdentity: (_address: string, certificate: PeerCertificate) =>
      identityProblem(hosts, certificate),
  };
  let dispatcher: Dispatcher | undefined;
  // Node's built-in `fetch` is of another version and doesn't accept this one's agents.
  const verified = async (input: string, init: object) => {
    const { Agent, fetch } = await import("undici");
    dispatcher ??= new Agent({ connect });
    return fetch(input, { ...init, dispatcher });
  };
  return { urls, fetch: verified as unknown as typeof globalThis.fetch };
}

function identityProblem(hosts: readonly string[], certificate: PeerCertificate) {
  const problems = hosts.map((host) => checkServerIdentity(host, certificate));
  return problems.includes(undefined) ? undefined : problems[0];
}

/** Resolves a hostname to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const resolveHost: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Returns the origins of the processes at a URL, one per address of its host; the URL itself if that doesn't
 * resolve.
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
