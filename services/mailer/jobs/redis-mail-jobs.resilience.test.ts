import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startTcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { CannotStart } from "#runtime/lifecycle/explain-failure.ts";
import { noOwnRedis, type OwnRedis, startOwnRedis } from "#test-kit/redis-server.ts";
import { mailJobsContract } from "./contract-suite.ts";
import { JobsUnavailable } from "./port.ts";
import { openRedisMailJobs } from "./redis-mail-jobs.ts";

/** Commands that a Redis client has sent or queued and that are unanswered. */
type HeldCommands = Record<"commandQueue" | "offlineQueue", { readonly length: number }>;

const soon = { timeout: 25_000, interval: 20 };

async function onServer<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

mailJobsContract(
  "redis",
  openRedisMailJobs,
  async () => {
    const server = await startOwnRedis();
    return {
      ...server,
      wipes: {
        FLUSHALL: () => onServer(server.url, async (client) => void (await client.flushall())),
        "a restart without data": async () => {
          await server.kill();
          await server.start();
        },
      },
    };
  },
  ["FLUSHALL", "a restart without data"],
  noOwnRedis,
);

describe("mail jobs on a Redis server", () => {
  let server: OwnRedis;
  beforeAll(async () => {
    if (noOwnRedis === undefined) server = await startOwnRedis();
  });
  afterAll(() => server?.dispose());

  const test = (title: string, run: () => Promise<void>) =>
    it(title, { timeout: 180_000 }, async (context) => {
      if (noOwnRedis) context.skip(noOwnRedis);
      await run();
    });

  test("prevent the start if the server refuses the login, which waiting can't fix", async () => {
    const guarded = await startOwnRedis();
    onTestFinished(() => guarded.dispose());
    await onServer(guarded.url, (client) => client.config("SET", "requirepass", "right"));
    const by = (login: string) => {
      const url = guarded.url.replace("//", `//${login}`);
      return openRedisMailJobs({ url, handle: async () => "done", onError: () => undefined });
    };
    await expect(by(":wrong@")).rejects.toThrow(
      "Redis rejected the connection (WRONGPASS): check the user and password in JOBS_URL.",
    );
    await expect(by("nobody:right@")).rejects.toThrow(CannotStart);
    await expect(by("")).rejects.toThrow("(NOAUTH)");
    const jobs = await by(":right@");
    await jobs.close();
  });

  async function open(queue: string, url = server.url) {
    const handled: string[] = [];
    const jobs = await openRedisMailJobs({
      url,
      queue,
      onError: () => undefined,
      handle: async ({ mailId }) => {
        handled.push(mailId);
        return "done";
      },
    });
    onTestFinished(() => jobs.close());
    const isThere = () =>
      jobs.check().then(
        () => true,
        () => false,
      );
    return { jobs, handled, isThere };
  }

  test("give up on a server that does not answer, and resume when it does", async () => {
    const { jobs, handled, isThere } = await open("frozen");
    jobs.run();
    await expect.poll(isThere, soon).toBe(true);
    await server.freeze();
    onTestFinished(() => server.thaw());
    await expect(jobs.check()).rejects.toThrow(JobsUnavailable);
    await expect(jobs.add("mail-a")).rejects.toThrow(JobsUnavailable);
    server.thaw();
    await expect.poll(isThere, soon).toBe(true);
    await jobs.add("mail-b");
    await expect.poll(() => handled, soon).toContain("mail-b");
  });

  test("keep no pending calls to a silent server in memory, however many there are", async () => {
    const proxy = await startTcpProxy({
      host: "127.0.0.1",
      port: Number(new URL(server.url).port),
    });
    onTestFinished(() => proxy.close());
    const connecting = vi.spyOn(Redis.prototype, "connect");
    const { jobs, handled, isThere } = await open("silent", `redis://127.0.0.1:${proxy.port}`);
    jobs.run();
    await expect.poll(isThere, soon).toBe(true);
    const clients = new Set(connecting.mock.contexts as unknown as HeldCommands[]);
    connecting.mockRestore();
    expect(clients.size).toBeGreaterThan(1);
    const held = () =>
      [...clients].map(
        ({ commandQueue, offlineQueue }) => commandQueue.length + offlineQueue.length,
      );
    const flood = () =>
      Promise.allSettled(Array.from({ length: 200 }, (_, n) => jobs.add(`mail-${n}`)));
    const early = flood();
    proxy.swallow();
    const added = [...(await early), ...(await flood()), ...(await flood())];
    expect(added.slice(200).map(({ status }) => status)).toEqual(Array(400).fill("rejected"));
    // A worker sends its commands one after another.
    await expect.poll(() => Math.max(...held()), soon).toBeLessThanOrEqual(5);
    proxy.restore();
    await expect.poll(isThere, { timeout: 60_000, interval: 20 }).toBe(true);
    await jobs.add("mail-late");
    await expect.poll(() => handled, { timeout: 60_000, interval: 20 }).toContain("mail-late");
  });

  test("can be opened and closed while the server is down or does not answer", async () => {
    await server.kill();
    const away = await open("away");
    away.jobs.run();
    await expect(away.jobs.add("mail-a")).rejects.toThrow(JobsUnavailable);
    await server.start();
    await expect.poll(away.isThere, soon).toBe(true);
    await away.jobs.add("mail-b");
    await expect.poll(() => away.handled, soon).toEqual(["mail-b"]);
    await server.freeze();
    onTestFinished(() => server.thaw());
    const frozen = await open("frozen too");
    frozen.jobs.run();
    await frozen.jobs.close();
    await away.jobs.close();
  });

  test("hold only ids, and nothing about finished jobs", async () => {
    const { jobs, handled, isThere } = await open("done");
    await expect.poll(isThere, soon).toBe(true);
    jobs.run();
    await jobs.add("mail-done");
    await expect.poll(() => handled, soon).toEqual(["mail-done"]);
    const left = () => onServer(server.url, (client) => client.keys("registry:jobs:done:mail-*"));
    await expect.poll(left, soon).toEqual([]);
  });
});
