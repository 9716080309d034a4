import { isIPv6 } from "node:net";
import type { Pool } from "pg";
import { type AskedProcess, MAX_ASKED } from "#contracts/http/system.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import {
  processesAt,
  type Resolve,
  resolveHost,
  type VerifiedProcesses,
  verifiedProcesses,
} from "#http/upstreams.ts";
import { modeOf, PART_LIMIT_MS } from "#operations/part-check.ts";
import type { RunningServer } from "#operations/running-server.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import type { QueryApiConfig } from "../config.ts";

/** Maximum bytes read from a response. A process's own metrics come first, and take about 12 kB. */
const MAX_BYTES = 262_144;

/** HAProxy reports it after its other metrics. */
const HAPROXY_VERSION = /^haproxy_process_build_info\{[^\n]*version="([^"]*)"/m;

type Figures = NonNullable<AskedProcess["figures"]>;

/** CPU seconds that a process had used when it was last polled. */
interface Look {
  readonly startedAt: number;
  readonly at: number;
  readonly cpu: number;
}

/** Polls processes without a database on their operators' ports, concurrently, with a two-second timeout each. */
export class PolledProcesses {
  readonly #asked: readonly VerifiedProcesses[];
  readonly #resolve: Resolve;
  #looks = new Map<string, Look>();
  #haproxyVersion = "";

  /**
   * @param addresses as for {@link verifiedProcesses}; each IP address of a name is one process. A process
   * may have both an IPv4 and an IPv6 address, so only the protocol with more responses counts.
   */
  constructor(addresses: readonly string[], resolve: Resolve = resolveHost) {
    this.#asked = addresses.map((each) => verifiedProcesses([each]));
    this.#resolve = resolve;
  }

  /** Returns HAProxy's version; empty if none is configured. */
  async haproxyVersion(): Promise<string> {
    await this.ask();
    return this.#haproxyVersion;
  }

  /** Never rejects. */
  async ask(): Promise<AskedProcess[]> {
    const looks = new Map<string, Look>();
    const resolved = await Promise.all(
      this.#asked.map(async ({ urls: [url = ""], fetch }, i) => {
        const origins = await withDeadline(
          processesAt(url, this.#resolve),
          PART_LIMIT_MS,
          () => new Error("late"),
        )
          // Its one entry shows that no one responds.
          .catch(() => [url]);
        return origins.map((origin) => ({ address: i + 1, origin, fetch }));
      }),
    );
    const found = await Promise.all(
      resolved
        .flat()
        .slice(0, MAX_ASKED)
        .map(async ({ address, origin, fetch }) => {
          const figures = await this.#figuresOf(origin, fetch, looks).catch(() => undefined);
          return { origin, process: { address, ...omitUndefined({ figures }) } };
        }),
    );
    this.#looks = looks;
    const byName = Map.groupBy(found, ({ process }) => process.address);
    return [...byName.values()].flatMap(ofOneProtocol);
  }

  async #figuresOf(
    origin: string,
    fetch: VerifiedProcesses["fetch"],
    looks: Map<string, Look>,
  ): Promise<Figures | undefined> {
    const signal = AbortSignal.timeout(PART_LIMIT_MS);
    const answer = await fetch(`${origin}/metrics`, { signal, redirect: "error" });
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    let figures: Figures | undefined;
    // The rest is about requests. Leaving the loop closes the connection.
    for await (const piece of answer.body ?? []) {
      if (!answer.ok) return undefined;
      bytes += piece.length;
      text += decoder.decode(piece, { stream: true });
      figures ??= haproxyFigures(text) ?? this.#webFigures(origin, text, looks);
      const version = HAPROXY_VERSION.exec(text)?.[1];
      if (version) this.#haproxyVersion = version;
      if (figures?.service === "web" || version || bytes > MAX_BYTES) return figures;
    }
    return figures;
  }

  #webFigures(origin: string, text: string, looks: Map<string, Look>): Figures | undefined {
    const startedAt = figureOf(text, "process_start_time_seconds");
    const memory = figureOf(text, "process_resident_memory_bytes");
    const cpu = figureOf(text, "process_cpu_seconds_total");
    if (startedAt === undefined || memory === undefined || cpu === undefined) return undefined;
    const at = Date.now() / 1000;
    const before = this.#looks.get(origin);
    const since =
      before?.startedAt === startedAt && before.at < at ? before : { at: startedAt, cpu: 0 };
    looks.set(origin, { startedAt, at, cpu });
    return {
      service: "web",
      uptime: whole(at - startedAt),
      memory: whole(memory),
      cpu: percent((cpu - since.cpu) / Math.max(1e-3, at - since.at)),
    };
  }
}

interface Answer {
  readonly origin: string;
  readonly process: AskedProcess;
}

/** The processes of one name over the protocol with more responses; IPv4 in a tie. */
function ofOneProtocol(answers: readonly Answer[]): AskedProcess[] {
  const isV6 = ({ origin }: Answer) => isIPv6(new URL(origin).hostname.replace(/^\[(.*)\]$/, "$1"));
  const [six, four] = [answers.filter(isV6), answers.filter((answer) => !isV6(answer))];
  const said = (some: readonly Answer[]) => some.filter(({ process }) => process.figures).length;
  const chosen = four.length === 0 || said(six) > said(four) ? six : four;
  return chosen.map(({ process }) => process);
}

function haproxyFigures(text: string): Figures | undefined {
  const uptime = figureOf(text, "haproxy_process_uptime_seconds");
  const memory = figureOf(text, "haproxy_process_pool_allocated_bytes");
  const idle = figureOf(text, "haproxy_process_idle_time_percent");
  if (uptime === undefined || memory === undefined || idle === undefined) return undefined;
  const cpu = percent(1 - idle / 100);
  return { service: "haproxy", uptime: whole(uptime), memory: whole(memory), cpu };
}

/** The value of the first series with this name in Prometheus text format, once its line is complete. */
function figureOf(text: string, name: string): number | undefined {
  const [, value] = new RegExp(`^${name}(?:\\{[^\\n]*\\})? (\\S+)\\n`, "m").exec(text) ?? [];
  return value !== undefined && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

const whole = (value: number) => Math.max(0, Math.round(value));
const percent = (share: number) => Math.max(0, Math.round(share * 1000) / 10);

/** Servers whose versions no other service checks: OpenSearch, HAProxy and the database of `npm start`. */
export function polledServers(
  { databaseUrl, searchUrl, embeddedPostgres, operationsUrls = [] }: QueryApiConfig,
  { pool, asked }: { readonly pool: Pick<Pool, "query">; readonly asked: PolledProcesses },
): RunningServer[] {
  const servers: RunningServer[] = [];
  if (modeOf(databaseUrl, embeddedPostgres) === "embedded")
    servers.push({
      target: "database",
      program: "postgresql",
      isEmbedded: true,
      async version() {
        const { rows } = await pool.query<{ version: string }>(
          "select current_setting('server_version') as version",
        );
        return rows[0]?.version ?? "";
      },
    });
  if (/^https?$/.test(schemeOf(searchUrl) ?? ""))
    servers.push({
      target: "search",
      program: "opensearch",
      isEmbedded: false,
      async version() {
        // Its client is hundreds of modules, so load it only if OpenSearch is used.
        const { openSearchVersion } = await import("#search/opensearch/connection.ts");
        return openSearchVersion(searchUrl);
      },
    });
  if (operationsUrls.length > 0)
    servers.push({
      target: "haproxy",
      program: "haproxy",
      isEmbedded: false,
      version: () => asked.haproxyVersion(),
    });
  return servers;
}
