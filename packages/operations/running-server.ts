import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";

/** A server used by a process. */
export interface RunningServer {
  /** Name shown for it. */
  readonly target: string;
  readonly program: Program;
  /** Whether it is embedded in `npm start`. */
  readonly isEmbedded: boolean;
  readonly version: () => Promise<string>;
}

/** A server with the version it reported. */
export type SeenServer = Omit<RunningServer, "version"> & { readonly version: string };

/** Time limit per server, all queried in parallel, and how long its answer is used. */
const LIMIT_MS = 2_000;
const CACHE_MS = 60_000;

/** Asks servers for their versions, at most once a minute. One that does not answer is left out. Never rejects. */
export function seenServers(
  servers: readonly RunningServer[],
  now: () => number = () => performance.now(),
): () => Promise<SeenServer[]> {
  let kept: { readonly at: number; readonly seen: SeenServer[] } | undefined;
  return async () => {
    if (kept && now() - kept.at < CACHE_MS) return kept.seen;
    const found = await Promise.all(
      servers.map(async ({ version, ...server }) => {
        const said = withDeadline(version(), LIMIT_MS, () => new Error("out of time"));
        return { ...server, version: await said.catch(() => "") };
      }),
    );
    const seen = found.filter(({ version }) => version !== "");
    kept = { at: now(), seen };
    return seen;
  };
}

/** A server or program that the registry runs or depends on. */
export type Program =
  | "postgresql"
  | "redis"
  | "opensearch"
  | "eventstoredb"
  | "haproxy"
  | "mailpit"
  | "seaweedfs"
  | "node";

interface SafeVersions {
  readonly title: string;
  /** Image in docker-compose.yml or Dockerfile, without its tag. */
  readonly image: string;
  /** The oldest fixed version of each release line (major version), in ascending order. */
  readonly least: readonly string[];
  /** The public ID of the vulnerability in earlier versions, or why they must not be used. */
  readonly because: string;
}

/** The oldest versions considered safe when this release was made. */
export const SAFE_VERSIONS: Readonly<Record<Program, SafeVersions>> = {
  postgresql: {
    title: "PostgreSQL",
    image: "postgres",
    least: ["15.21", "16.17", "17.13", "18.7"],
    because: "CVE-2026-6460; before 18.6 also CVE-2026-14680 and CVE-2026-14676",
  },
  redis: {
    title: "Redis",
    image: "redis",
    least: ["7.4.11"],
    because: "CVE-2026-66373, CVE-2026-81934 and CVE-2026-92925",
  },
  opensearch: {
    title: "OpenSearch",
    image: "opensearchproject/opensearch",
    least: ["2.19.5", "3.8.0"],
    because: "CVE-2026-41417 and others in Netty",
  },
  eventstoredb: {
    title: "EventStoreDB",
    image: "eventstore/eventstore",
    least: ["23.10.7"],
    because: "a release line that no longer gets fixes; KurrentDB follows it",
  },
  haproxy: {
    title: "HAProxy",
    image: "haproxy",
    least: ["3.2.20"],
    because: "CVE-2026-55203 and CVE-2026-55204",
  },
  mailpit: {
    title: "Mailpit",
    image: "axllent/mailpit",
    least: ["1.30.6"],
    because: "CVE-2026-22689 and GHSA-8r62-w5wh-fc5m: any web page can read the mailbox",
  },
  seaweedfs: {
    title: "SeaweedFS",
    image: "chrislusf/seaweedfs",
    least: ["4.34"],
    because: "CVE-2026-55873 and CVE-2026-55874; before 4.30 also CVE-2026-54917",
  },
  node: {
    title: "Node.js",
    image: "node",
    least: ["24.22.1", "26.12.1"],
    because: "the newest patch releases of the lines that the registry runs on",
  },
};

/**
 * Whether a version is older than the safe one of its release line. An unlisted line is judged by its neighbors:
 * lines older than all listed ones get no fixes; lines newer than the last one have them.
 * @param version as reported by the server: `18.4`, `v1.27.11`, `15.18 (Debian 15.18-0+deb12u1)`.
 * @returns undefined if it contains no version.
 */
export function isBelowSafe(program: Program, version: string): boolean | undefined {
  const parts = numbersOf(version);
  if (!parts) return undefined;
  const least = SAFE_VERSIONS[program].least.map((text) => numbersOf(text) ?? []);
  const sameLine = least.find(([major]) => major === parts[0]);
  if (sameLine) return compare(parts, sameLine) < 0;
  // Between two listed lines, the next line's fix is newer than this version.
  return compare(parts, least.at(-1) ?? []) < 0;
}

/** The sentence about an unsafe version: "Redis 7.4.6 is older than 7.4.11, ...". */
export function belowSafeSentence(program: Program, version: string): string {
  const { title, least, because } = SAFE_VERSIONS[program];
  const major = numbersOf(version)?.[0];
  const named = least.find((safe) => numbersOf(safe)?.[0] === major) ?? least.at(-1);
  return `${title} ${version} is older than ${named}, the oldest safe version (${because}).`;
}

/** What to do if the embedded PostgreSQL is unsafe. */
export const EMBEDDED_WAY_OUT =
  "It's the embedded server, and npm has no newer version. Set POSTGRES_BIN to another PostgreSQL's programs, or DATABASE_URL to a server.";

function numbersOf(version: string): number[] | undefined {
  return /^\D{0,20}(\d+(?:\.\d+)*)/.exec(version)?.[1]?.split(".").map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let n = 0; n < Math.max(a.length, b.length); n += 1) {
    const difference = (a[n] ?? 0) - (b[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
