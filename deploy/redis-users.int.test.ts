import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openSharedCounters } from "#http/counters/redis/shared-counters.ts";
import { openRedisMailJobs } from "#services/mailer/jobs/redis-mail-jobs.ts";
import { noOwnRedis, type OwnRedis, startOwnRedis } from "#test-kit/redis-server.ts";
import { fixedKey } from "#vault/keys/live-key.ts";
import { makeComposeSecrets } from "./secret-files.ts";
import { serviceOf, usersOf } from "./testing/compose.ts";

const soon = { timeout: 25_000, interval: 20 };

let secrets: string;
let server: OwnRedis;
beforeAll(async () => {
  secrets = await mkdtemp(path.join(os.tmpdir(), "registry-redis-users-"));
  await makeComposeSecrets(secrets);
  if (noOwnRedis === undefined)
    server = await startOwnRedis({ aclfile: path.join(secrets, "redis_users") });
});
afterAll(async () => {
  await server?.dispose();
  await rm(secrets, { recursive: true });
});

/** The URL in a secret, at the server of this test. */
async function urlOf(secret: string): Promise<string> {
  const url = new URL(await readFile(path.join(secrets, secret), "utf8"));
  url.host = new URL(server.url).host;
  return url.href;
}

function client(url: string): Redis {
  const made = new Redis(url, { maxRetriesPerRequest: 1 });
  made.on("error", () => undefined);
  onTestFinished(() => made.disconnect());
  return made;
}

describe("the users of Redis", () => {
  const test = (title: string, run: () => Promise<void>) =>
    it(title, { timeout: 60_000 }, async (context) => {
      if (noOwnRedis) context.skip(noOwnRedis);
      await run();
    });

  test("let the services count requests", async () => {
    const log = { info: () => undefined, warn: () => undefined };
    const keys = { liveKey: async () => fixedKey(Buffer.alloc(32, 7)) };
    const counters = await openSharedCounters(await urlOf("rate_limit_url"), keys, log, 20_000);
    onTestFinished(() => counters?.close());
    await counters?.ping();
    const pace = { whenAway: "open", after: 1, everyMs: 60_000, resetMs: 60_000 } as const;
    const name = randomUUID();
    expect(await counters?.keepPace(pace, name)).toBe(0);
    expect(await counters?.keepPace(pace, name)).toBeGreaterThan(0);
  });

  test("let the mailer queue mails and take them", async () => {
    const handled: string[] = [];
    const errors: unknown[] = [];
    const jobs = await openRedisMailJobs({
      url: await urlOf("jobs_url"),
      onError: (error) => errors.push(error),
      handle: async ({ mailId }) => {
        handled.push(mailId);
        return "done";
      },
    });
    onTestFinished(() => jobs.close());
    jobs.run();
    await vi.waitFor(() => jobs.check(), soon);
    await jobs.add("mail-1");
    await vi.waitFor(() => expect(handled).toEqual(["mail-1"]), soon);
    expect(errors).toEqual([]);
  });

  test("keep each from the other's keys, and from the server", async () => {
    const pairs = [
      ["rate_limit_url", "registry:limits:x", "registry:jobs:mail:wait"],
      ["jobs_url", "registry:jobs:x", "registry:limits:x"],
    ] as const;
    for (const [secret, own, other] of pairs) {
      const redis = client(await urlOf(secret));
      expect(await redis.set(own, "1")).toBe("OK");
      await redis.del(own);
      await expect(redis.get(other)).rejects.toThrow(/NOPERM/);
      await expect(redis.del(other)).rejects.toThrow(/NOPERM/);
      await expect(redis.flushall()).rejects.toThrow(/NOPERM/);
      await expect(redis.keys("*")).rejects.toThrow(/NOPERM/);
      await expect(redis.config("GET", "*")).rejects.toThrow(/NOPERM/);
      await expect(redis.call("ACL", "LIST")).rejects.toThrow(/NOPERM/);
    }
  });

  test("let nobody else do more than ask whether the server answers", async () => {
    const stranger = new Redis(server.url, { enableReadyCheck: false });
    stranger.on("error", () => undefined);
    onTestFinished(() => stranger.disconnect());
    expect(await stranger.ping()).toBe("PONG");
    for (const work of [
      () => stranger.get("registry:jobs:mail:wait"),
      () => stranger.set("registry:limits:x", "1"),
      () => stranger.info(),
      () => stranger.flushall(),
    ])
      await expect(work()).rejects.toThrow(/NOPERM/);
    const url = new URL(await urlOf("jobs_url"));
    const { username } = url;
    const { host } = url;
    const guess = new Redis(`redis://${host}`, { enableReadyCheck: false });
    guess.on("error", () => undefined);
    onTestFinished(() => guess.disconnect());
    await expect(guess.call("AUTH", username, "guessed")).rejects.toThrow(/WRONGPASS/);
  });

  it("are the list that the server starts with, which holds no password", async () => {
    expect(usersOf("redis_users")).toEqual(["redis"]);
    const { command = [], healthcheck } = serviceOf("redis");
    expect(command.join(" ")).toContain(" --aclfile /run/secrets/redis_users");
    expect(healthcheck?.test).toEqual(["CMD", "redis-cli", "-e", "ping"]);
    const list = await readFile(path.join(secrets, "redis_users"), "utf8");
    for (const secret of ["rate_limit_url", "jobs_url"]) {
      const { username, password } = new URL(await readFile(path.join(secrets, secret), "utf8"));
      expect(list).toContain(`\nuser ${username} on #`);
      expect(list).not.toContain(password);
    }
  });

  it("follow a password that is replaced", async () => {
    const folder = path.join(secrets, "replaced");
    await makeComposeSecrets(folder);
    const before = await readFile(path.join(folder, "redis_users"), "utf8");
    await rm(path.join(folder, "jobs_url"));
    expect(await makeComposeSecrets(folder)).toEqual(["jobs_url", "redis_users"]);
    const after = await readFile(path.join(folder, "redis_users"), "utf8");
    const linesOf = (text: string) => text.trim().split("\n");
    expect(linesOf(after).slice(0, 2)).toEqual(linesOf(before).slice(0, 2));
    expect(linesOf(after)[2]).not.toBe(linesOf(before)[2]);
  });
});
