import { expect, it } from "vitest";
import type { PlannedProcess } from "#operations/request-table.ts";
import type { JobRun, NewJobLine } from "../jobs/job-kind.ts";
import { restartProcesses } from "./restart-processes.ts";

const OWN = "own";
const process = (id: string, service: string, processId = id): PlannedProcess => ({
  id,
  process_id: processId,
  service,
});

/** What a supervisor does with the processes of a plan, and what the job says. */
function world(
  plan: readonly PlannedProcess[],
  { isBack = (_id: string): boolean => true, answers = (_id: string): number | null => 1 } = {},
) {
  const turns: string[] = [];
  const lines: NewJobLine[] = [];
  const abort = new AbortController();
  const requests = {
    plan: async () => plan,
    turn: async (_job: string, id: string) => {
      turns.push(id);
      if (plan.find((each) => each.id === id)?.process_id === OWN) abort.abort();
    },
    standing: async (_job: string, { id, service }: PlannedProcess) => {
      const answer = answers(id);
      const before = plan.filter((each) => each.service === service).length;
      return { is_there: answer !== 1, answer, others: isBack(id) ? before : before - 1 };
    },
  };
  const run = (finished: readonly string[] = []) =>
    restartProcesses(requests, { lookMs: 1, hearMs: 15, backMs: 15 }, OWN).run({
      id: "job",
      finished: new Set(finished),
      signal: abort.signal,
      total: async () => undefined,
      line: async (line: NewJobLine) => void lines.push(line),
    } as unknown as JobRun);
  return {
    run,
    turns,
    lines,
    outcomes: () => lines.map(({ target, outcome }) => [target, outcome]),
  };
}

it("restarts one after the other, its own process last, and leaves the return of that one to be noted", async () => {
  const plan = [
    process("c1", "command-api", OWN),
    process("c2", "command-api"),
    process("m", "mailer"),
  ];
  const { run, turns, outcomes } = world(plan);
  expect(await run()).toBeUndefined();
  expect(turns).toEqual(["c2", "m", "c1"]);
  expect(outcomes()).toEqual([
    ["c2", "done"],
    ["m", "done"],
  ]);
});

it("goes on after those that are noted, and says at its end that web was not asked", async () => {
  const { run, turns, outcomes } = world([process("q", "query-api"), process("c", "command-api")]);
  expect(await run(["q"])).toBe(1);
  expect(turns).toEqual(["c"]);
  expect(outcomes()).toEqual([
    ["c", "done"],
    ["web", "done"],
  ]);
});

it("ends with the first that does not run again, and leaves the others alone", async () => {
  const plan = [process("m", "mailer"), process("q", "query-api"), process("c", "command-api")];
  const { run, turns, outcomes } = world(plan, { isBack: (id) => id !== "q" });
  await expect(run()).rejects.toThrow("query-api did not run again in time");
  expect(turns).toEqual(["m", "q"]);
  expect(outcomes()).toEqual([
    ["m", "done"],
    ["q", "failed"],
  ]);
});

it("leaves one alone that nothing would start again, and goes on", async () => {
  const plan = [process("m", "mailer"), process("q", "query-api")];
  const { run, outcomes } = world(plan, { answers: (id) => (id === "m" ? 0 : 1) });
  expect(await run()).toBe(1);
  expect(outcomes()).toEqual([
    ["m", "refused"],
    ["q", "done"],
    ["web", "done"],
  ]);
});

it("waits for no process for ever that does not answer", async () => {
  const { run } = world([process("m", "mailer")], { answers: () => null });
  await expect(run()).rejects.toThrow("mailer did not run again");
});
