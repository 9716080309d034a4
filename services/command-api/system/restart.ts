import { once } from "node:events";
import type { SystemAction } from "./system-action.ts";

/**
 * Ends this process once what it does is finished, and has it started again. It returns at once.
 */
export type RestartProcess = () => void;

const ASKED = "asked";

/**
 * Restarts the process that runs all services. The job is given back while it ends, and goes on when it is
 * there again: its first line tells which half is left to do.
 */
export function restart(again: RestartProcess): SystemAction {
  return {
    name: "restart",
    whenInterrupted: "continue",
    async run(run) {
      if (run.finished.has(ASKED)) {
        const message = "It runs again, and has taken up what waited.";
        await run.line({ target: "back", outcome: "done", message });
        return 1;
      }
      const message = "The process finishes what it is doing, ends, and is started again.";
      await run.line({ target: ASKED, outcome: "done", message });
      if (run.signal.aborted) return undefined;
      const ending = once(run.signal, "abort");
      again();
      await ending;
      return undefined;
    },
  };
}
