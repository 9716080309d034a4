import { expect, it } from "vitest";
import type { JobRun, NewJobLine } from "../jobs/job-kind.ts";
import { restart } from "./restart.ts";

/** One attempt at the job. */
function attempt(finished: readonly string[]) {
  const lines: NewJobLine[] = [];
  const abort = new AbortController();
  let asked = 0;
  const action = restart(() => {
    asked += 1;
    abort.abort();
  });
  const run = {
    finished: new Set(finished),
    signal: abort.signal,
    line: async (line: NewJobLine) => void lines.push(line),
  } as unknown as JobRun;
  return {
    abort,
    async over() {
      const count = await action.run(run);
      return { count, asked, targets: lines.map(({ target }) => target) };
    },
  };
}

it("asks for the restart, and notes that first", async () => {
  expect(await attempt([]).over()).toEqual({ count: undefined, asked: 1, targets: ["asked"] });
});

it("asks for none after it, and says that all is back", async () => {
  expect(await attempt(["asked"]).over()).toEqual({ count: 1, asked: 0, targets: ["back"] });
});

it("asks for none once somebody has stopped it", async () => {
  const { abort, over } = attempt([]);
  abort.abort();
  expect((await over()).asked).toBe(0);
});
