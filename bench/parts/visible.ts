import { setTimeout as delay } from "node:timers/promises";
import { closedLoop, percentile } from "../load.ts";
import { makePerson, makeReport, Random, uniqueReport } from "../made-up-reports.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";

/** Reports per second that others submit, verify and approve in the background: 50 events. */
const BACKGROUND = 50 / 3;
const POLL_MS = 5;
/** A run fails if an approval is not found within this time. */
const LIMIT_MS = 30_000;
/** Pause between two timed approvals. */
const PAUSE_MS = 20;
const SUBMIT = "/prod/api/reports/submit";

/** Measures the time from an approval's reply until a plain search shows it, compared with one search. */
export async function* visibleRows(
  { visitor, as, signIn }: System,
  { profile }: BenchStores,
  { samples }: BenchOptions,
): AsyncGenerator<Row> {
  const random = new Random();
  const admin = as(await signIn());
  // No one can approve a report from their own account.
  const submit = async (body: object) => (await visitor<{ id: string }>("POST", SUBMIT, body)).id;
  const act = (id: string, step: string) =>
    admin("POST", `/prod/api/admin/reports/${id}/${step}`, {});
  // Like a reader who sends no position.
  const find = async (name: string) =>
    (await visitor<{ total: number }>("GET", `/prod/api/reports/search?q=${name}`)).total > 0;
  const waiting: { readonly id: string; readonly name: string }[] = [];
  for (let n = 0; n < samples; n += 1) {
    const { body, name } = uniqueReport(random);
    waiting.push({ id: await submit(body), name });
  }
  const others = steadily(async () => {
    const id = await submit(makeReport(random, makePerson(random)));
    await act(id, "verify");
    await act(id, "approve");
  });
  const times: number[] = [];
  try {
    for (const { id, name } of waiting) {
      await act(id, "approve");
      times.push(await untilSo(name, () => find(name)));
      await delay(PAUSE_MS);
    }
  } finally {
    await others.stop();
  }
  const calm = await closedLoop({ connections: 1, seconds: 1 }, (n) =>
    find(waiting[n % samples]?.name ?? ""),
  );
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  yield rowOf({
    name: "approval to plain search",
    profile,
    value: p50,
    unit: "ms",
    baseline: calm.p50,
    baselineName: "one search alone",
    p50,
    p99,
    target: { of: "p99", atMost: 150 },
    detail: { samples, longest: percentile(times, 1), backgroundPerSecond: others.perSecond() * 3 },
  });
}

/** Repeats the work without overlap. `stop` throws its error, if any. */
function steadily(work: () => Promise<void>) {
  const start = performance.now();
  const running = new Set<Promise<void>>();
  let done = 0;
  let failed: unknown;
  const timer = setInterval(() => {
    if (running.size >= BACKGROUND) return;
    const run: Promise<void> = work()
      .then(() => void done++)
      .catch((error) => {
        failed ??= error;
      })
      .finally(() => running.delete(run));
    running.add(run);
  }, 1000 / BACKGROUND);
  return {
    perSecond: () => rounded((done * 1000) / (performance.now() - start)),
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      if (failed) throw failed;
    },
  };
}

/** Polls until the condition holds. @returns the milliseconds it took. */
async function untilSo(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  for (;;) {
    const asked = performance.now();
    const isThere = await isSo();
    const now = performance.now();
    if (isThere) return now - start;
    if (now - start > LIMIT_MS) throw new Error(`${what} was not found within ${LIMIT_MS} ms`);
    await delay(Math.max(0, POLL_MS - (now - asked)));
  }
}
