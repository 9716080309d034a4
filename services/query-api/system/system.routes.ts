import { BACKUPS, BackupListReply } from "#contracts/http/backups.ts";
import { SystemStatusReply } from "#contracts/http/system.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { runPart } from "#operations/part-check.ts";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findBackups, findReports, presentStatus } from "./system-status.ts";

/** Milliseconds for which one run of the checks is cached for all callers. */
const CACHE_MS = 2000;

export function systemRoutes(app: ServiceInstance, { db, parts, caches, asked }: ReadSide): void {
  const checkStatus = shareResult(async () => {
    const checkedAt = new Date();
    const [own, reports, others] = await Promise.all([
      Promise.all(parts.map(runPart)),
      findReports(db),
      asked.ask(),
    ]);
    return presentStatus(own, reports, others, checkedAt);
  }, CACHE_MS);
  const status = caches.add(checkStatus);
  const read = reads(["admin"], "system");
  app.get(
    "/prod/api/system/status",
    read({
      summary: "The status of each part of the system, checked now, and its processes",
      reply: SystemStatusReply,
    }),
    async () => succeed(await status()),
  );
  app.get(
    BACKUPS,
    read({
      summary: "The backups when last listed, and their location",
      reply: BackupListReply,
    }),
    async () => {
      const found = await findBackups(db);
      return succeed(
        omitUndefined({ listed_at: found?.listed_at?.toISOString(), list: found?.list }),
      );
    },
  );
}
