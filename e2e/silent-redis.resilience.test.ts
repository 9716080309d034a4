import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { runChecks } from "#http/health.ts";
import { noOwnRedis, type OwnRedis, startOwnRedis } from "#test-kit/redis-server.ts";
import { type System, startSystem } from "./support/in-process.ts";
import { chargeback } from "./support/reports.ts";
import { recovered, requestDuringSilence, soon, withTimeout } from "./support/silence.ts";

if (noOwnRedis) it("a silent Redis server", ({ skip }) => skip(noOwnRedis));
else describe("a Redis server that accepts and never answers", { timeout: 400_000 }, testSilence);

function testSilence(): void {
  let redis: OwnRedis;
  let counters: TcpProxy;
  let jobs: TcpProxy;
  let system: System;
  let callers = 0;

  beforeAll(async () => {
    redis = await startOwnRedis();
    const target = { host: "127.0.0.1", port: Number(new URL(redis.url).port) };
    [counters, jobs] = [await startTcpProxy(target), await startTcpProxy(target)];
    system = await startSystem({
      rateLimitUrl: `redis://127.0.0.1:${counters.port}`,
      jobsUrl: `redis://127.0.0.1:${jobs.port}`,
      limits: "on",
    });
  }, 120_000);
  afterEach(() => {
    for (const network of [counters, jobs]) network.restore();
  });
  afterAll(async () => {
    await system?.close();
    for (const network of [counters, jobs]) await network?.close();
    await redis?.dispose();
  }, 120_000);

  /** From a new address each time: this tests the counter, not its limit. */
  const from = () => {
    callers += 1;
    return `198.51.${callers >> 8}.${callers & 255}`;
  };
  const submit = () =>
    system.commandApi.app.inject({
      method: "POST",
      url: "/prod/api/reports/submit",
      remoteAddress: from(),
      headers: { "idempotency-key": randomUUID() },
      payload: { ...chargeback, reporter_email: `${randomUUID()}@shop.example` },
    });
  const signIn = () =>
    system.commandApi.app.inject({
      method: "POST",
      url: "/prod/api/auth/login",
      remoteAddress: from(),
      payload: { email: `${randomUUID()}@shop.example`, password: "Wrong-horse-9" },
    });
  const search = () =>
    system.queryApi.app.inject({
      url: "/prod/api/reports/search?q=ames",
      remoteAddress: from(),
    });
  const services = ["commandApi", "queryApi"] as const;
  const limitsOf = async (service: (typeof services)[number]) => {
    const { status, checks } = await system[service].app.checkReadiness();
    return { status, ...checks.rate_limits?.detail };
  };

  it.each([
    ["sign-in", signIn, 401],
    ["submission", submit, 200],
    ["search", search, 200],
  ] as const)("delays no %s when it counts requests", async (_what, ask, expected) => {
    for (const service of services)
      await expect
        .poll(() => limitsOf(service), recovered)
        .toMatchObject({ status: "ready", reachable: true });
    const answers = await requestDuringSilence(() => counters.swallow(), ask);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => expected));
    counters.restore();
    for (const service of services)
      await expect.poll(() => limitsOf(service), recovered).toMatchObject({ reachable: true });
    // Waits until requests are counted on the shared server again.
    const isShared = async () => {
      const { fallbacks } = system.commandApi.app.limits.counters.state();
      expect((await submit()).statusCode).toBe(200);
      return system.commandApi.app.limits.counters.state().fallbacks === fallbacks;
    };
    await expect.poll(isShared, recovered).toBe(true);
  });

  it("is reported by the services that use it, even without requests", async () => {
    for (const service of services)
      await expect.poll(() => limitsOf(service), recovered).toMatchObject({ reachable: true });
    counters.swallow();
    for (const service of services)
      await expect
        .poll(() => limitsOf(service), soon)
        .toMatchObject({ status: "ready", reachable: false });
    counters.restore();
    for (const service of services)
      await expect.poll(() => limitsOf(service), recovered).toMatchObject({ reachable: true });
  });

  it("delays no submission when it queues emails; each email is sent once afterwards", async () => {
    const readiness = async () => {
      const { status, checks } = await runChecks("mailer", system.mailer.checks, false);
      const { queued, failing } = (checks.mails?.detail ?? {}) as Record<string, number>;
      return `${status}, ${queued} queued, ${failing} failing`;
    };
    const settled = "ready, 0 queued, 0 failing";
    await expect.poll(readiness, recovered).toBe(settled);
    const before = (await readdir(system.mailFolder)).length;
    const answers = await requestDuringSilence(() => jobs.swallow(), submit);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    await expect.poll(readiness, soon).toMatch(/^not_ready/);
    expect((await withTimeout(submit())).statusCode).toBe(200);
    jobs.restore();
    await expect.poll(readiness, recovered).toBe(settled);
    // One file for each submission: an email's file is named by the email's id.
    expect((await readdir(system.mailFolder)).length).toBe(before + answers.length + 1);
    const { rows } = await system.db.query("select id from outbox.mail where attempts <> 1");
    expect(rows).toEqual([]);
  });
}
