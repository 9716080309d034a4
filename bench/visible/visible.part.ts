import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import { uniqueLastName } from "../seeding/made-up-reports.ts";
import { Random } from "../seeding/random.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";
import { Background } from "./background.ts";
import { type Caller, createCaller } from "./caller.ts";
import { submitReport } from "./submit-report.ts";

/** Events per second that everybody else causes. */
const BACKGROUND = 50;
const POLL_MS = 5;
/** An approval that is not found within this time fails the run. */
const LIMIT_MS = 30_000;
/** Pause between two approvals that are timed. */
const PAUSE_MS = 20;
/** Last names that nobody else has, so that each search finds one report. */
const FIRST_NAME_NUMBER = 2_000_000;

/** Time from the reply to an approval until a plain search shows the report. */
export async function visibleRow(
  system: System,
  stores: BenchStores,
  { samples, seed }: BenchOptions,
): Promise<Row> {
  let busy = 0;
  const onBusy = () => {
    busy += 1;
  };
  const call = createCaller(system.url, await system.signIn(), onBusy);
  // Nobody approves a report of their own account.
  const visitor = createCaller(system.url, undefined, onBusy);
  const random = new Random(seed);
  const waiting: { readonly id: string; readonly name: string }[] = [];
  for (let n = 0; n < samples; n += 1) {
    const name = uniqueLastName(FIRST_NAME_NUMBER + n);
    waiting.push({ id: await submitReport(visitor, random, FIRST_NAME_NUMBER + n), name });
  }
  const background = new Background(BACKGROUND, { call, visitor }, random);
  background.start();
  const times: number[] = [];
  try {
    for (const { id, name } of waiting) {
      background.check();
      await call("POST", `/prod/api/admin/reports/${id}/approve`, {});
      times.push(await untilFound(call, name, performance.now()));
      await delay(PAUSE_MS);
    }
  } finally {
    await background.stop();
  }
  const p50 = rounded(percentile(times, 0.5));
  return rowOf({
    name: "approval to plain search",
    profile: stores.profile.name,
    value: p50,
    unit: "ms",
    p50,
    p99: rounded(percentile(times, 0.99)),
    target: { of: "p99", atMost: 150 },
    detail: {
      samples,
      busy,
      longest: rounded(Math.max(...times)),
      backgroundPerSecond: rounded(background.perSecond),
    },
  });
}

/**
 * Polls like a reader who sends no position.
 * @returns milliseconds since `start`.
 */
async function untilFound(call: Caller, name: string, start: number): Promise<number> {
  for (;;) {
    const asked = performance.now();
    const path = `/prod/api/reports/search?q=${name}`;
    const { total } = await call<{ total: number }>("GET", path);
    const now = performance.now();
    if (total > 0) return now - start;
    if (now - start > LIMIT_MS) throw new Error(`${name} was not found within ${LIMIT_MS} ms`);
    await delay(Math.max(0, POLL_MS - (now - asked)));
  }
}
