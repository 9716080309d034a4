import { sql } from "kysely";
import {
  type AskedProcess,
  MAX_PROCESSES,
  type PartReport,
  type PartStatus,
  type PartSummary,
  SYSTEM_PART_NAMES,
  type SystemPart,
  type SystemProcess,
  type SystemStatus,
} from "#contracts/http/system.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { belowSafeSentence, EMBEDDED_WAY_OUT, isBelowSafe } from "#operations/running-server.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { SERVICE_NAMES } from "#runtime/db/service-roles.ts";

/** Seconds without a report after which a process counts as gone. It has then missed three reports. */
export const PROCESS_TIMEOUT_SECONDS = 16;

type Taken = Pick<SystemProcess, "uptime" | "memory" | "cpu">;

/** From good to bad. */
const SEVERITY: Readonly<Record<PartStatus, number>> = { connected: 0, error: 1, disconnected: 2 };

/**
 * @param own this process's checks. @param reports newest first. @param asked processes that don't report their
 * status.
 */
export function presentStatus(
  own: readonly PartReport[],
  reports: readonly ServiceReport[],
  asked: AskedProcess[],
  checkedAt: Date,
): SystemStatus {
  const all = processesOf(reports);
  const running = all.filter(({ state }) => state === "running");
  const seen = [...own, ...running.flatMap(({ parts }) => parts)];
  const parts = SYSTEM_PART_NAMES.map((part) => summarise(part, seen));
  const statusOf = (part: SystemPart) =>
    parts.find((each) => each.part === part)?.status ?? "disconnected";
  const takes = [...running, ...asked.flatMap(({ figures = [] }) => figures)];
  const sum = (of: (process: Taken) => number) =>
    takes.reduce((total, process) => total + of(process), 0);
  return {
    database: statusOf("database"),
    redis: statusOf("redis"),
    s3: statusOf("s3"),
    email: statusOf("email"),
    uptime: Math.max(0, ...takes.map(({ uptime }) => uptime)),
    memory: sum(({ memory }) => memory),
    cpu: toTenths(sum(({ cpu }) => cpu)),
    parts,
    processes: all.slice(0, MAX_PROCESSES),
    asked,
    processors: reports
      .filter(({ age }) => age < PROCESS_TIMEOUT_SECONDS)
      .flatMap(({ processors }) => processors),
    old_servers: oldServers(reports.filter(({ age }) => age < PROCESS_TIMEOUT_SECONDS)),
    checked_at: checkedAt.toISOString(),
  };
}

/** Groups services by process ID. Running processes come first. */
function processesOf(reports: readonly ServiceReport[]): SystemProcess[] {
  const byId = Map.groupBy(reports, ({ process_id }) => process_id);
  const found = [...byId].map(([id, [newest, ...others]]) => {
    const { version, memory_bytes, cpu_share, age } = newest as ServiceReport;
    const services = [newest as ServiceReport, ...others];
    return {
      id,
      services: [...new Set(services.map(({ service }) => service))].sort(),
      version,
      state: age < PROCESS_TIMEOUT_SECONDS ? ("running" as const) : ("gone" as const),
      uptime: Math.max(...services.map(({ uptime_seconds }) => uptime_seconds)),
      memory: memory_bytes,
      cpu: toTenths(cpu_share * 100),
      reported: age,
      parts: services.flatMap(({ parts }) => parts),
    };
  });
  const rank = ({ state }: SystemProcess) => (state === "running" ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b) || (nameOf(a) < nameOf(b) ? -1 : 1));
}

const nameOf = ({ services, id }: SystemProcess) => `${services.join()} ${id}`;

/** Summarizes a part by its worst report; `disconnected` if no process reports it. */
function summarise(part: SystemPart, seen: readonly PartReport[]): PartSummary {
  const found = seen.filter((report) => report.part === part);
  const [worst] = found.toSorted((a, b) => SEVERITY[b.status] - SEVERITY[a.status]);
  const isExternal = found.some(({ mode }) => mode === "external");
  return {
    part,
    status: worst?.status ?? "disconnected",
    mode: isExternal ? "external" : "embedded",
    ...omitUndefined({ ms: worst && Math.max(...found.map(({ ms }) => ms)) }),
  };
}

/** A sentence for each server older than the oldest safe version, with the remedy. */
function oldServers(reports: readonly ServiceReport[]): string[] {
  const sentences = reports
    .flatMap(({ servers }) => servers)
    .filter(({ program, version }) => isBelowSafe(program, version))
    .map(({ program, version, isEmbedded }) => {
      const wayOut = isEmbedded ? EMBEDDED_WAY_OUT : "Update it.";
      return `${belowSafeSentence(program, version)} ${wayOut}`;
    });
  return [...new Set(sentences)];
}

function toTenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Returns the services' own status reports, newest first, with their age in seconds. */
export function findReports(db: ReadModelDatabase) {
  return db
    .selectFrom("ops.process")
    .select([
      "process_id",
      "service",
      "version",
      "uptime_seconds",
      "memory_bytes",
      "cpu_share",
      "parts",
      "processors",
      "servers",
      sql<number>`greatest(0, extract(epoch from now() - beat_at))::int`.as("age"),
    ])
    .orderBy("beat_at", "desc")
    .limit(MAX_PROCESSES * SERVICE_NAMES.length)
    .execute();
}

/** Returns the backups as last listed; undefined before the first backup. */
export function findBackups(db: ReadModelDatabase) {
  return db
    .selectFrom("ops.backup_place")
    .select(["list", "listed_at"])
    .where("list", "is not", null)
    .executeTakeFirst();
}

export type ServiceReport = Awaited<ReturnType<typeof findReports>>[number];
