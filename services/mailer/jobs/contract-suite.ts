import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { OpenMailJobs } from "./port.ts";

/** A server that only this suite uses. */
interface JobsServer {
  readonly url: string;
  /** Ways to lose jobs while the server runs. */
  readonly wipes: Readonly<Record<string, () => Promise<void>>>;
  kill(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

const soon = { timeout: 25_000, interval: 20 };

/**
 * The guarantees that relay and mailer need from the queue.
 * @param wipes names of the server's `wipes`.
 * @param skipped why the suite cannot run here.
 */
export function mailJobsContract(
  name: string,
  open: OpenMailJobs,
  startServer: () => Promise<JobsServer>,
  wipes: readonly string[],
  skipped?: string,
): void {
  describe(`mail jobs contract: ${name}`, () => {
    let server: JobsServer;
    beforeAll(async () => {
      if (!skipped) server = await startServer();
    });
    afterAll(() => server?.dispose());

    const test = (title: string, run: () => Promise<void>) =>
      it(title, { timeout: 90_000 }, async (context) => {
        if (skipped) context.skip(skipped);
        await run();
      });

    /** Opens the queue as one mailer does. Mailers with the same queue share its jobs. */
    async function user(
      queue: string,
      work: (mailId: string) => Promise<unknown> = async () => {},
    ) {
      const handled: string[] = [];
      const errors: unknown[] = [];
      const jobs = await open({
        url: server.url,
        queue,
        onError: (error) => errors.push(error),
        async handle({ mailId }) {
          handled.push(mailId);
          return (await work(mailId)) === "later" ? "later" : "done";
        },
      });
      onTestFinished(() => jobs.close());
      const isThere = () =>
        jobs.check().then(
          () => true,
          () => false,
        );
      await expect.poll(isThere, soon).toBe(true);
      return { jobs, handled, errors, isThere };
    }
    const newQueue = () => `mail-${randomUUID()}`;
    const ids = (count: number) => Array.from({ length: count }, () => `mail-${randomUUID()}`);

    test("delivers every job once, to one of two workers", async () => {
      const queue = newQueue();
      const [one, two] = [await user(queue), await user(queue)];
      one.jobs.run();
      two.jobs.run();
      const added = ids(30);
      for (const id of added) await one.jobs.add(id);
      const handled = () => [...one.handled, ...two.handled].sort();
      await expect.poll(() => handled().length, soon).toBeGreaterThanOrEqual(30);
      expect(handled()).toEqual([...added].sort());
    });

    test("keeps one copy of a job that is added again while it waits", async () => {
      const { jobs, handled } = await user(newQueue());
      const [id, last] = ids(2) as [string, string];
      for (let n = 0; n < 3; n += 1) await jobs.add(id);
      await jobs.add(last);
      jobs.run();
      await expect.poll(() => handled, soon).toContain(last);
      expect(handled).toEqual([id, last]);
    });

    test("accepts a job again once it is done or failed", async () => {
      let fails = true;
      const { jobs, handled, errors } = await user(newQueue(), async () => {
        if (fails) throw new Error("this job fails");
      });
      const [id] = ids(1) as [string];
      jobs.run();
      const addUntil = (count: number) =>
        expect
          .poll(() => jobs.add(id).then(() => handled.length), soon)
          .toBeGreaterThanOrEqual(count);
      await addUntil(1);
      await addUntil(2);
      fails = false;
      await addUntil(3);
      await addUntil(4);
      expect(errors).toEqual([]);
    });

    test("soon hands out a deferred job again, even if it was added again while it waited", async () => {
      let tries = 0;
      const { jobs, handled, errors } = await user(newQueue(), async (mailId) => {
        if (mailId === late && ++tries < 4) return "later";
      });
      const [late, next] = ids(2) as [string, string];
      jobs.run();
      await jobs.add(late);
      await expect.poll(() => handled, soon).toEqual([late]);
      const since = performance.now();
      // The relay adds it again while it waits.
      await jobs.add(late);
      await jobs.add(next);
      await expect.poll(() => handled, soon).toEqual([late, next, late, late, late]);
      expect(performance.now() - since).toBeLessThan(10_000);
      // Once done it leaves the queue, which then accepts it again.
      await expect
        .poll(() => jobs.add(late).then(() => handled.length), soon)
        .toBeGreaterThanOrEqual(6);
      expect(errors).toEqual([]);
    });

    test("waits for a job in progress before it closes", async () => {
      const gate = Promise.withResolvers<void>();
      let done = false;
      const { jobs, handled } = await user(newQueue(), async () => {
        await gate.promise;
        done = true;
      });
      jobs.run();
      await jobs.add(ids(1)[0] as string);
      await expect.poll(() => handled, soon).toHaveLength(1);
      let closed = false;
      const closing = jobs.close().then(() => {
        closed = true;
        return done;
      });
      // Another mailer works for long enough that a close which does not wait would finish.
      const other = await user(newQueue());
      other.jobs.run();
      for (const id of ids(20)) await other.jobs.add(id);
      await expect.poll(() => other.handled, soon).toHaveLength(20);
      expect(closed).toBe(false);
      gate.resolve();
      expect(await closing).toBe(true);
    });

    for (const wipe of wipes)
      test(`accepts jobs again after its store was wiped: ${wipe}`, async () => {
        const { jobs, handled } = await user(newQueue());
        const [lost, after, waits] = ids(3) as [string, string, string];
        await jobs.add(lost);
        const sweep = (id: string) =>
          jobs.add(id).then(
            () => true,
            () => false,
          );
        await server.wipes[wipe]?.();
        await expect.poll(() => sweep(lost), soon).toBe(true);
        jobs.run();
        await expect.poll(() => handled, soon).toEqual([lost]);
        await server.wipes[wipe]?.();
        await expect.poll(() => sweep(after), soon).toBe(true);
        await expect.poll(() => handled, soon).toContain(after);
        await jobs.add(waits);
        await expect.poll(() => handled, soon).toContain(waits);
      });

    test("refuses jobs while its server is down, and resumes when it is back", async () => {
      const { jobs, handled, isThere } = await user(newQueue());
      jobs.run();
      const [before, during, after] = ids(3) as [string, string, string];
      await jobs.add(before);
      await expect.poll(() => handled, soon).toEqual([before]);
      await server.kill();
      await expect.poll(isThere, soon).toBe(false);
      await expect(jobs.add(during)).rejects.toThrow();
      await server.start();
      await expect.poll(isThere, soon).toBe(true);
      await jobs.add(after);
      // The first may be handled again if the server died before learning that it was done.
      await expect.poll(() => [...new Set(handled)], soon).toEqual([before, after]);
    });

    test("closes while its server is down, with or without a job in progress", async () => {
      const gate = Promise.withResolvers<void>();
      const idle = await user(newQueue());
      const busy = await user(newQueue(), () => gate.promise);
      for (const { jobs } of [idle, busy]) jobs.run();
      await busy.jobs.add(ids(1)[0] as string);
      await expect.poll(() => busy.handled, soon).toHaveLength(1);
      await server.kill();
      onTestFinished(() => server.start());
      await expect.poll(idle.isThere, soon).toBe(false);
      await idle.jobs.close();
      gate.resolve();
      await busy.jobs.close();
    });
  });
}
