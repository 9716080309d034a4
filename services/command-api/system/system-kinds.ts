import type { Pool } from "pg";
import type { Logger } from "pino";
import { pause } from "#event-store/follow-log.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { CommandApiConfig } from "../config.ts";
import { type JobKind, type JobRun, type NewJobLine, RunOver } from "../jobs/job-kind.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { type Backups, checkBackups, createBackup } from "./backups.ts";
import { checkUpdates } from "./check-updates.ts";
import { type RequestedProcess, RequestStore } from "./request.store.ts";
import { runningServers } from "./running-servers.ts";
import {
  certificateCheck,
  configurationChecks,
  databaseChecks,
  openMetricsCheck,
  type ScanCheck,
  secretChecks,
} from "./scan/checks.ts";
import { type SystemAction, systemActionKind, unlessStopped } from "./system-action.ts";

/** Creates the job kinds that act on the registry as a whole. */
export function systemKinds(deps: {
  readonly config: CommandApiConfig;
  readonly pool: Pool;
  readonly handler: CommandHandler;
  readonly log: Pick<Logger, "warn">;
  /** Absent if backups are made only by the operator's command. */
  readonly backups: Backups | undefined;
  /** Whether staff currently need a second factor. */
  readonly staffFactor: () => "on" | "off";
  /** Returns the service itself, once it is built. */
  readonly app: () => Pick<ServiceInstance, "inject">;
}): JobKind[] {
  const { config, pool, handler, log, backups, staffFactor, app } = deps;
  const stores = {
    DATABASE_URL: config.databaseUrl,
    EVENT_STORE_URL: config.eventStoreUrl,
    KEYS_URL: config.keysUrl,
    RATE_LIMIT_URL: config.rateLimitUrl,
  };
  const requests = new RequestStore(pool);
  const isAsked = !config.backups?.make;
  const actions = [
    ...(config.endToRestart ? [restart(requests)] : []),
    ...(backups ? [createBackup(backups, isAsked), checkBackups(backups, isAsked)] : []),
    checkUpdates({
      version: config.version,
      asks: config.updateCheck === "on",
      servers: runningServers(config),
      pool,
      log,
    }),
    clearCache(requests),
    securityScan(
      [
        ...configurationChecks({ ...config, staffFactor }),
        ...secretChecks(stores, config.masterKeys),
        ...databaseChecks(pool),
        certificateCheck({ ...stores, PUBLIC_URL: config.publicUrl }, () => Date.now()),
        openMetricsCheck(app),
      ],
      { log },
    ),
  ];
  return actions.map((action) => systemActionKind(action, { handler }));
}

/** Asks every process to restart, which each does within a minute; see `ProcessReporter`. */
function restart(requests: Pick<RequestStore, "ask">): SystemAction {
  return {
    name: "restart",
    whenInterrupted: "continue",
    async run(run) {
      await requests.ask(run.id, "restart");
      if (!run.finished.has("asked"))
        await run.line({
          target: "asked",
          outcome: "done",
          message:
            "Each process restarts within a minute, after finishing its current work. web and HAProxy aren't included: restart them with your service manager.",
        });
      return 1;
    },
  };
}

/** Milliseconds between two checks for answers, and in total. Processes check for requests every five seconds. */
const TIMES = { lookMs: 500, mostMs: 30_000 };

/** The site's servers have no database access. */
const SITE = {
  target: "web",
  outcome: "done",
  message: "web clears its images on the next request (count unknown).",
} as const satisfies NewJobLine;

/** Clears every process's in-memory caches, and reports how many entries each has removed. */
export function clearCache(
  requests: Pick<RequestStore, "ask" | "asked">,
  times: typeof TIMES = TIMES,
): SystemAction {
  return {
    name: "clear-cache",
    whenInterrupted: "continue",
    async run(run) {
      await requests.ask(run.id, "clear-cache");
      const told = new Set(run.finished);
      const until = performance.now() + times.mostMs;
      for (;;) {
        const asked = await requests.asked(run.id);
        const isLate = performance.now() >= until;
        await run.total(asked.length + 1);
        for (const each of asked) await tell(each, isLate, told, run);
        if (asked.every(({ id }) => told.has(id)) || run.signal.aborted) break;
        await pause(times.lookMs, run.signal);
      }
      if (!run.signal.aborted && !told.has(SITE.target)) await run.line(SITE);
      return (await requests.asked(run.id)).reduce((sum, { count }) => sum + (count ?? 0), 0);
    },
  };
}

/** Writes the line of a process once it has answered, is gone, or is late. */
async function tell(
  { id, service, count, isGone }: RequestedProcess,
  isLate: boolean,
  told: Set<string>,
  run: JobRun,
): Promise<void> {
  if (told.has(id)) return;
  const line = (): Omit<NewJobLine, "target"> | undefined => {
    if (count !== null) return { outcome: "done", message: `${service} removed ${count} entries.` };
    if (isGone) return { outcome: "gone", message: `${service} has since stopped.` };
    if (isLate)
      return { outcome: "failed", code: "unavailable", message: `${service} did not answer.` };
    return undefined;
  };
  const result = line();
  if (!result) return;
  await run.line({ target: id, ...result });
  told.add(id);
}

/** Checks for security weaknesses. Findings become lines of the job, and the log gets their number. */
function securityScan(
  checks: readonly ScanCheck[],
  { log }: { readonly log: Pick<Logger, "warn"> },
): SystemAction {
  return {
    name: "security-scan",
    // It only takes seconds, and half a scan is useless.
    whenInterrupted: "fail",
    async run(run) {
      await run.total(checks.length);
      let findings = 0;
      for (const check of checks) {
        const line = await unlessStopped(lineOf(check, log), run.signal);
        await run.line({ target: check.code, ...line });
        if (line.outcome === "refused") findings += 1;
      }
      return findings;
    },
  };
}

async function lineOf(
  { code, fine, find }: ScanCheck,
  log: Pick<Logger, "warn">,
): Promise<Omit<NewJobLine, "target">> {
  try {
    const found = await find();
    return found === undefined
      ? { outcome: "done", message: fine }
      : { outcome: "refused", code, message: found };
  } catch (error) {
    if (error instanceof RunOver) throw error;
    log.warn({ err: error, check: code }, "a check of the security scan failed");
    return { outcome: "failed", code: "unavailable", message: `Couldn't check ${code}.` };
  }
}
