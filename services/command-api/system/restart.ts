import type { RequestStore } from "./request.store.ts";
import type { SystemAction } from "./system-action.ts";

/**
 * Writes that every process restarts. Each ends by itself within a minute once it finishes what it does; see
 * `ProcessReporter`.
 */
export function restart(requests: Pick<RequestStore, "ask">): SystemAction {
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
            "Each process ends within a minute, once it has finished what it is doing, and is started again. web and HAProxy are not asked: what starts them can restart them.",
        });
      return 1;
    },
  };
}
