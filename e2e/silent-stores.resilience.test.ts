import { describe, type ExpectStatic, it, type TestContext } from "vitest";
import { type BehindProxies, type Store, startBehindProxies } from "./support/behind-proxies.ts";
import { recovered, requestDuringSilence, soon, withTimeout } from "./support/silence.ts";

type Answer = Awaited<ReturnType<BehindProxies["submit"]>>;

/** Every step of a stop has its own timeout. */
const STOP_MS = 120_000;
const start = ({ onTestFinished }: TestContext) =>
  startBehindProxies((undo) => onTestFinished(undo, STOP_MS));

/** Expects every request to be answered: at first with success, then with 503. */
async function expectAnswers(
  expect: ExpectStatic,
  silence: () => void,
  ask: () => Promise<Answer>,
): Promise<void> {
  const answers = await requestDuringSilence(silence, ask);
  for (const answer of answers) expect([200, 201, 503]).toContain(answer.statusCode);
  const last = answers.at(-1) as Answer;
  expect(last.statusCode).toBe(503);
  expect(last.headers["retry-after"]).toBeDefined();
  expect(last.json()).toMatchObject({ success: false, error: { code: "unavailable" } });
}

const history = (reportId: string) => `/prod/api/admin/reports/${reportId}/history`;
const READS: readonly (readonly [store: Store, address: (reportId: string) => string])[] = [
  ["database", () => "/prod/api/reports/recent"],
  ["search", () => "/prod/api/reports/search?q=ames"],
  ["keys", history],
  ["log", history],
];

// Each test spends nearly all of its time waiting for timeouts, so they run concurrently.
describe.concurrent("a store that accepts connections and never answers", {
  timeout: 400_000,
}, () => {
  // A submit needs no other store: it reads its keys and makes one append.
  it.for(["keys", "log"] as const)(
    "delays no submission beyond the request timeout: %s",
    async (store, context) => {
      const { expect } = context;
      const { networks, isReady, submit } = await start(context);
      await expect.poll(() => isReady("command-api"), recovered).toBe(true);
      expect((await submit()).statusCode).toBe(200);
      await expectAnswers(expect, () => networks[store].swallow(), submit);
      await expect.poll(() => isReady("command-api"), soon).toBe(false);
      networks[store].restore();
      await expect.poll(() => isReady("command-api"), recovered).toBe(true);
      await expect.poll(async () => (await submit()).statusCode, recovered).toBe(200);
    },
  );

  it("accepts submissions while the read-model database is silent; reads answer 503", async (context) => {
    const { expect } = context;
    const { commandApi, networks, isReady, submit, read, hasReached } = await start(context);
    await expect.poll(() => isReady("command-api"), recovered).toBe(true);
    const recent = () => read("/prod/api/reports/recent");
    await expect.poll(async () => (await recent()).statusCode, recovered).toBe(200);
    const answers = await requestDuringSilence(() => networks.database.swallow(), submit);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect((await withTimeout(recent())).statusCode).toBe(503);
    await expect.poll(() => isReady("query-api"), soon).toBe(false);
    expect((await withTimeout(submit())).statusCode).toBe(200);
    networks.database.restore();
    await expect.poll(async () => (await recent()).statusCode, recovered).toBe(200);
    const head = (await commandApi.store.head()) as string;
    await expect.poll(() => hasReached(head), recovered).toBe(true);
  });

  it.for(READS)(
    "delays no read beyond the request timeout: %s",
    async ([store, address], context) => {
      const { expect } = context;
      const { networks, isReady, submit, read } = await start(context);
      const reportId = (await submit()).json().data.id;
      const ask = () => read(address(reportId));
      await expect.poll(async () => (await ask()).statusCode, recovered).toBe(200);
      await expectAnswers(expect, () => networks[store].swallow(), ask);
      await expect.poll(() => isReady("query-api"), soon).toBe(false);
      networks[store].restore();
      await expect.poll(() => isReady("query-api"), recovered).toBe(true);
      await expect.poll(async () => (await ask()).statusCode, recovered).toBe(200);
    },
  );

  it.for(["database", "keys", "log"] as const)(
    "is reported by a projector, which recovers by itself: %s",
    async (store, context) => {
      const { expect } = context;
      const { commandApi, networks, isReady, submit, hasReached } = await start(context);
      await expect.poll(() => isReady("projector"), recovered).toBe(true);
      networks[store].swallow();
      await expect.poll(() => isReady("projector"), soon).toBe(false);
      networks[store].restore();
      await expect.poll(() => isReady("command-api"), recovered).toBe(true);
      expect((await submit()).statusCode).toBe(200);
      const head = (await commandApi.store.head()) as string;
      await expect.poll(() => hasReached(head), recovered).toBe(true);
      await expect.poll(() => isReady("projector"), recovered).toBe(true);
    },
  );

  it.for(["database", "keys", "log", "jobs"] as const)(
    "is reported by a mailer, which recovers by itself: %s",
    async (store, context) => {
      const { expect } = context;
      const { networks, readiness, isReady, submit } = await start(context);
      await expect.poll(() => isReady("mailer"), recovered).toBe(true);
      networks[store].swallow();
      await expect.poll(() => isReady("mailer"), soon).toBe(false);
      networks[store].restore();
      await expect.poll(() => isReady("mailer"), recovered).toBe(true);
      await expect.poll(async () => (await submit()).statusCode, recovered).toBe(200);
      const waiting = async () => {
        const { checks } = await readiness.mailer();
        const { queued, failing } = (checks.mails?.detail ?? {}) as Record<string, number>;
        return `${queued} queued, ${failing} failing`;
      };
      await expect.poll(waiting, recovered).toBe("0 queued, 0 failing");
    },
  );
});
