import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openSharedCounters } from "#http/counters/redis/shared-counters.ts";
import { freePort } from "#local-servers/postgres/server.ts";
import { openRedis, redisVersion } from "#runtime/redis/open-redis.ts";
import { openRedisMailJobs } from "#services/mailer/jobs/redis-mail-jobs.ts";
import { noOwnRedis, type OwnRedis, startOwnRedis } from "#test-kit/redis-server.ts";
import { fixedKey } from "#vault/keys/key-store.ts";
import { makeComposeSecrets } from "./secret-files.ts";
import { makeSettledSecrets, serviceOf, usersOf } from "./testing/compose.ts";

const soon = { timeout: 25_000, interval: 20 };

let secrets: string;
let server: OwnRedis;
let tlsPort: number;
beforeAll(async () => {
  secrets = await mkdtemp(path.join(os.tmpdir(), "registry-redis-users-"));
  await makeSettledSecrets(secrets);
  if (noOwnRedis !== undefined) return;
  const file = (name: string) => path.join(secrets, name);
  tlsPort = await freePort();
  server = await startOwnRedis({
    aclfile: file("redis_users"),
    "tls-port": String(tlsPort),
    "tls-cert-file": file("redis_certificate"),
    "tls-key-file": file("redis_key"),
    "tls-auth-clients": "no",
  });
});
afterAll(async () => {
  await server?.dispose();
  await rm(secrets, { recursive: true });
});

/** Returns the URL in a secret, with this test's server, whose certificate has this name too. */
async function urlOf(secret: string, host = "localhost"): Promise<string> {
  const url = new URL(await readFile(path.join(secrets, secret), "utf8"));
  url.host = `${host}:${tlsPort}`;
  return url.href;
}

function client(from: string): Redis {
  const made = openRedis(from, { maxRetriesPerRequest: 1 });
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
    const pace = { whenUnavailable: "open", after: 1, everyMs: 60_000, resetMs: 60_000 } as const;
    const name = randomUUID();
    expect(await counters?.keepPace(pace, name)).toBe(0);
    expect(await counters?.keepPace(pace, name)).toBeGreaterThan(0);
  });

  test("let command-api read the server's version", async () => {
    expect(await redisVersion(await urlOf("rate_limit_url"))).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("let the mailer queue and process emails", async () => {
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

  test("keep each user from the other's keys and from administering the server", async () => {
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

  test("connect only to a server that proves its name", async () => {
    const log = { info: () => undefined, warn: vi.fn() };
    const keys = { liveKey: async () => fixedKey(Buffer.alloc(32, 7)) };
    const other = path.join(secrets, "other");
    await makeSettledSecrets(other);
    const strange = new URL(await urlOf("rate_limit_url"));
    strange.searchParams.set("tlsCAFile", path.join(other, "certificate_authority"));
    const unsaid = new URL(await urlOf("rate_limit_url"));
    unsaid.search = "";
    for (const url of [await urlOf("rate_limit_url", "127.0.0.1"), strange.href, unsaid.href]) {
      const counters = await openSharedCounters(url, keys, log, 20_000);
      onTestFinished(() => counters?.close());
      await expect(counters?.ping()).rejects.toThrow();
    }
    expect(await client(await urlOf("rate_limit_url")).ping()).toBe("PONG");
  });

  test("survive a connection that closes while its certificate is rejected", async () => {
    // A second error on a connection would be unhandled, which fails the run.
    const url = await urlOf("rate_limit_url", "127.0.0.1");
    const closed = Array.from({ length: 20 }, async () => {
      const redis = client(url);
      await new Promise(process.nextTick);
      const end = new Promise((resolve) => redis.once("end", resolve));
      redis.disconnect();
      await end;
    });
    await Promise.all(closed);
  });

  test("let everyone else only ping the server", async () => {
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
    const { username } = new URL(await urlOf("jobs_url"));
    const { host } = new URL(server.url);
    const guess = new Redis(`redis://${host}`, { enableReadyCheck: false });
    guess.on("error", () => undefined);
    onTestFinished(() => guess.disconnect());
    await expect(guess.call("AUTH", username, "guessed")).rejects.toThrow(/WRONGPASS/);
  });

  it("are the list that the server starts with, which holds no password", async () => {
    expect(usersOf("redis_users")).toEqual(["redis"]);
    const { command = [], healthcheck } = serviceOf("redis");
    const words = command.join(" ");
    expect(words).toContain(" --aclfile /run/secrets/redis_users");
    // No port without TLS, and no rejection of everyone else because the default user has no password.
    expect(words).toContain(" --port 0 --tls-port 6379 ");
    expect(words).toContain(" --protected-mode no");
    const [, program, ...options] = healthcheck?.test ?? [];
    expect([program, options.at(-1)]).toEqual(["redis-cli", "ping"]);
    expect(options).toEqual(expect.arrayContaining(["-e", "--tls", "--cacert"]));
    const list = await readFile(path.join(secrets, "redis_users"), "utf8");
    for (const secret of ["rate_limit_url", "jobs_url"]) {
      const { username, password } = new URL(await readFile(path.join(secrets, secret), "utf8"));
      expect(list).toContain(`\nuser ${username} on #`);
      expect(list).not.toContain(password);
    }
  });

  it("pick up a replaced password", async () => {
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
