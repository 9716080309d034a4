import type { Pool } from "pg";
import type { Logger } from "pino";
import {
  type FaultyPackage,
  faultyPackages,
  installedPackages,
  type Packages,
} from "#operations/advisories.ts";
import { type BuildStamp, readBuildStamp } from "#operations/build-stamp.ts";
import {
  belowSafeSentence,
  EMBEDDED_WAY_OUT,
  isBelowSafe,
  type Program,
  type RunningServer,
  SAFE_VERSIONS,
  type SeenServer,
} from "#operations/running-server.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { errorCode } from "#runtime/lifecycle/refusal.ts";
import type { NewJobLine } from "../jobs/job-kind.ts";
import { type SystemAction, unlessStopped } from "./system-action.ts";

/** Maximum number of packages named in one message. */
const MAX_NAMED = 8;

/** Milliseconds within which a server must report its version. */
const SERVER_LIMIT_MS = 5_000;

/** Counts live processes that run another version. */
const OTHERS = `
  select count(distinct process_id)::int as n from ops.process
  where version <> $1 and beat_at > now() - interval '15 seconds'`;

/** Servers whose versions other services report, because command-api cannot reach them. */
const TOLD = `
  select distinct server from ops.process, jsonb_array_elements(servers) as server
  where beat_at > now() - interval '15 seconds'`;

interface Deps {
  readonly version: string;
  /** Whether the package registry may be queried. */
  readonly asks: boolean;
  /** Servers whose versions are compared with the oldest safe ones. */
  readonly servers: readonly RunningServer[];
  readonly pool: Pick<Pool, "query">;
  readonly log: Pick<Logger, "warn">;
  readonly stamp?: () => Promise<BuildStamp | undefined>;
  readonly installed?: () => Promise<Packages>;
  readonly faulty?: (
    packages: Packages,
    options: { readonly unwanted: AbortSignal },
  ) => Promise<FaultyPackage[]>;
}

type Line = Omit<NewJobLine, "target">;
const fine = (message: string): Line => ({ outcome: "done", message });
const found = (message: string): Line => ({ outcome: "refused", code: "updates", message });

/**
 * Reports what is running, when it was built, packages with known vulnerabilities, and servers below safe versions.
 */
export function checkUpdates(deps: Deps): SystemAction {
  const { stamp = readBuildStamp } = deps;
  return {
    name: "check-updates",
    // It only takes seconds.
    whenInterrupted: "fail",
    async run(run) {
      const built = await stamp();
      const checks = {
        version: async () => fine(`Version ${deps.version}, on Node.js ${process.versions.node}.`),
        node: async () => versionLine("node", process.versions.node),
        processes: () => processesLine(deps),
        build: async () => buildLine(built),
        build_scan: async () => scanLine(built),
        registry: () => registryLine(deps, run.signal),
        ...Object.fromEntries(
          [...(await toldServers(deps)), ...deps.servers].map((server) => [
            `server_${server.target}`,
            () => serverLine(server, deps.log),
          ]),
        ),
      };
      await run.total(Object.keys(checks).length);
      let findings = 0;
      for (const [target, check] of Object.entries(checks)) {
        const line = await unlessStopped(check(), run.signal);
        if (line.outcome === "refused") findings += 1;
        await run.line({ target, ...line });
      }
      return findings;
    },
  };
}

async function toldServers({ pool }: Deps): Promise<RunningServer[]> {
  const { rows } = await pool.query<{ server: SeenServer }>(TOLD);
  return rows.map(({ server }) => ({ ...server, version: async () => server.version }));
}

async function processesLine({ pool, version }: Deps): Promise<Line> {
  const { rows } = await pool.query<{ n: number }>(OTHERS, [version]);
  const n = rows[0]?.n ?? 0;
  if (n === 0) return fine("All running processes use this version.");
  return found(
    `${n} ${n === 1 ? "process runs" : "processes run"} a different version. Restart them.`,
  );
}

function versionLine(program: Program, version: string, wayOut = "Update it."): Line {
  const isBelow = isBelowSafe(program, version);
  const { title } = SAFE_VERSIONS[program];
  if (isBelow === undefined) return fine(`${title} didn't report its version.`);
  if (isBelow) return found(`${belowSafeSentence(program, version)} ${wayOut}`);
  return fine(`${title} ${version} includes all fixes known to this release.`);
}

async function serverLine(
  { program, isEmbedded, version, target }: RunningServer,
  log: Deps["log"],
): Promise<Line> {
  const { title } = SAFE_VERSIONS[program];
  try {
    const said = await withDeadline(version(), SERVER_LIMIT_MS, () => new Error("out of time"));
    return versionLine(program, said, isEmbedded ? EMBEDDED_WAY_OUT : undefined);
  } catch (err) {
    log.warn({ error: nameAndCode(err), server: target }, "could not read a server's version");
    const message = `Couldn't get the version of ${title} (${target}).`;
    return { outcome: "failed", code: "unavailable", message };
  }
}

function buildLine(stamp: BuildStamp | undefined): Line {
  if (!stamp) return found("The build time is unknown. Run npm run build.");
  return fine(`Built at ${stamp.built_at}, as version ${stamp.version}.`);
}

function scanLine(stamp: BuildStamp | undefined): Line {
  if (!stamp?.scan)
    return fine("The build didn't check the package registry because UPDATE_CHECK was off.");
  const { packages, faulty } = stamp.scan;
  return faulty.length === 0
    ? fine(`At build time, ${packages} packages had no known vulnerabilities.`)
    : found(`At build time, ${named(faulty)} had known vulnerabilities. Update and rebuild.`);
}

async function registryLine(deps: Deps, unwanted: AbortSignal): Promise<Line> {
  const { asks, log, installed = installedPackages, faulty = faultyPackages } = deps;
  if (!asks) return fine("The package registry isn't checked because UPDATE_CHECK is off.");
  try {
    const packages = await installed();
    const list = await faulty(packages, { unwanted });
    return list.length === 0
      ? fine(
          `The ${Object.keys(packages).length} installed packages have no known vulnerabilities.`,
        )
      : found(`Known vulnerabilities: ${named(list)}. Update, rebuild and restart.`);
  } catch (err) {
    unwanted.throwIfAborted();
    log.warn({ error: nameAndCode(err) }, "could not query the package registry");
    const message = "The package registry didn't respond within five seconds.";
    return { outcome: "failed", code: "unavailable", message };
  }
}

/** The part of an error that may be logged: its message can contain the registry's URL with a password. */
function nameAndCode(error: unknown): { readonly name: string; readonly code: string | undefined } {
  if (!(error instanceof Error)) return { name: "unknown", code: undefined };
  return { name: error.name, code: errorCode(error) ?? errorCode(error.cause) };
}

function named(faulty: readonly FaultyPackage[]): string {
  const names = faulty.slice(0, MAX_NAMED).map(({ name, severity }) => `${name} (${severity})`);
  const more = faulty.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
