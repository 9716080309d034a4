import { setTimeout as delay } from "node:timers/promises";
import type { JobRun, NewJobLine } from "../jobs/job-kind.ts";
import type { Asked, RequestStore } from "./request.store.ts";
import type { SystemAction } from "./system-action.ts";

/** Milliseconds between two looks for answers, and in all. Each process looks every five seconds. */
const TIMES = { lookMs: 500, mostMs: 30_000 };

/** The site's servers have no database. */
const SITE = {
  target: "web",
  outcome: "done",
  message: "web empties its pictures before it sends the next one. It does not say how many.",
} as const satisfies NewJobLine;

/** Empties what every process keeps in memory, and says how many entries each has removed. */
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
        await delay(times.lookMs, undefined, { signal: run.signal }).catch(() => undefined);
      }
      if (!run.signal.aborted && !told.has(SITE.target)) await run.line(SITE);
      return (await requests.asked(run.id)).reduce((sum, { count = 0 }) => sum + count, 0);
    },
  };
}

/** Notes what became of one process, once. */
async function tell(
  { id, service, count, isGone }: Asked,
  isLate: boolean,
  told: Set<string>,
  run: JobRun,
): Promise<void> {
  if (told.has(id)) return;
  const line = (): Omit<NewJobLine, "target"> | undefined => {
    if (count !== undefined)
      return { outcome: "done", message: `${service} removed ${count} entries.` };
    if (isGone) return { outcome: "gone", message: `${service} has stopped meanwhile.` };
    if (isLate)
      return { outcome: "failed", code: "unavailable", message: `${service} did not answer.` };
    return undefined;
  };
  const result = line();
  if (!result) return;
  await run.line({ target: id, ...result });
  told.add(id);
}
