import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DoneReply } from "#contracts/http/envelope.ts";
import { done } from "./envelope.ts";
import { addressKey, limitClasses } from "./limits.ts";
import { makeOriginToken, X_ORIGIN_TOKEN } from "./origin.ts";
import type { ServiceInstance, ServiceOptions } from "./service.ts";
import { createTestService } from "./testing/test-service.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z").getTime();
const USER = "6f1c2d34-1111-4222-8333-444455556666";
const everybody = ["visitor", "user", "admin", "auditor"] as const;

const apps: ServiceInstance[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function service(options: Partial<ServiceOptions> = {}) {
  const { app, accounts } = await createTestService({ limits: "on", ...options });
  apps.push(app);
  const schema = { response: { 200: DoneReply } };
  for (const limit of ["mail", "view", "search", "probe"] as const)
    app.get(`/${limit}`, { config: { roles: everybody, limit }, schema }, async () => done("ok"));
  await app.ready();
  const account = { id: USER, role: "user", tokenVersion: 1, sessionId: USER } as const;
  accounts.rows.set(USER, { ...account, active: true });
  const { token } = app.tokens.issue(account);
  const ask = (url: string, remoteAddress = "203.0.113.1", headers = {}) =>
    app.inject({ url, remoteAddress, headers });
  const times = async (count: number, call: () => ReturnType<typeof ask>) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i += 1) statuses.push((await call()).statusCode);
    return statuses;
  };
  return { app, ask, times, bearer: { authorization: `Bearer ${token}` } };
}

const MAX = limitClasses.mail.ip.max;
const allowed = (count: number) => Array.from({ length: count }, () => 200);

describe("limits", () => {
  it("reject calls over the limit in the contract's error format, with a Retry-After", async () => {
    const { ask, times } = await service();
    expect(await times(MAX, () => ask("/mail"))).toEqual(allowed(MAX));
    vi.setSystemTime(NOW + 90_500);
    const over = await ask("/mail");
    expect(over.statusCode).toBe(429);
    expect(over.json()).toEqual({
      success: false,
      error: { code: "too_many_requests", message: expect.stringMatching(/wait/) },
    });
    expect(over.headers["retry-after"]).toBe("510");
    // A reply doesn't reveal how many calls are left.
    expect(Object.keys(over.headers).filter((name) => /ratelimit/i.test(name))).toEqual([]);
    vi.setSystemTime(NOW + limitClasses.mail.ip.windowMs);
    expect((await ask("/mail")).statusCode).toBe(200);
  });

  it("count each address and each class separately", async () => {
    const { ask, times } = await service();
    await times(MAX + 1, () => ask("/mail"));
    expect((await ask("/mail", "203.0.113.2")).statusCode).toBe(200);
    expect((await ask("/view")).statusCode).toBe(200);
    expect((await ask("/mail")).statusCode).toBe(429);
  });

  it("count an IPv6 /64 as one address", async () => {
    const { ask, times } = await service();
    let last = 0;
    const next = () => ask("/mail", `2001:db8:1:2::${(++last).toString(16)}`);
    expect(await times(MAX, next)).toEqual(allowed(MAX));
    expect((await next()).statusCode).toBe(429);
    expect((await ask("/mail", "2001:db8:1:3::1")).statusCode).toBe(200);
  });

  it("count an account across addresses", async () => {
    const { ask, times, bearer } = await service();
    let last = 0;
    const next = () => ask("/mail", `198.51.100.${++last}`, bearer);
    expect(await times(MAX, next)).toEqual(allowed(MAX));
    expect((await next()).statusCode).toBe(429);
    expect((await ask("/mail", "198.51.100.99")).statusCode).toBe(200);
  });

  it("count rejected tokens too", async () => {
    const { ask, times } = await service();
    const guess = () => ask("/mail", undefined, { authorization: "Bearer a.b.c" });
    expect(await times(MAX, guess)).toEqual(Array.from({ length: MAX }, () => 401));
    expect((await guess()).statusCode).toBe(429);
  });

  it("count requests to unknown routes", async () => {
    const { ask, times } = await service();
    const { max } = limitClasses.not_found.ip;
    expect(new Set(await times(max, () => ask("/nowhere")))).toEqual(new Set([404]));
    expect((await ask("/nowhere/else")).statusCode).toBe(429);
  });

  it("do not apply to probes, to this process's sample loader, or when turned off", async () => {
    const originToken = makeOriginToken();
    const { ask, times } = await service({ originToken });
    expect(await times(200, () => ask("/probe"))).toEqual(allowed(200));
    const samples = { [X_ORIGIN_TOKEN]: originToken };
    const loading = () => ask("/mail", undefined, samples);
    expect(await times(MAX + 5, loading)).toEqual(allowed(MAX + 5));
    const guessing = () => ask("/mail", undefined, { [X_ORIGIN_TOKEN]: makeOriginToken() });
    expect((await times(MAX + 1, guessing)).at(-1)).toBe(429);
    const off = await service({ limits: "off" });
    expect(await off.times(MAX + 5, () => off.ask("/mail"))).toEqual(allowed(MAX + 5));
  });

  it("trust forwarded addresses only from the configured number of proxies", async () => {
    const forward = { "x-forwarded-for": "192.0.2.1, 203.0.113.77" };
    const seen = async (trustProxyHops: number) => {
      const { app } = await createTestService({ trustProxyHops });
      apps.push(app);
      let ip = "";
      const config = { roles: everybody, limit: "probe" } as const;
      app.get("/ip", { config, schema: { response: { 200: DoneReply } } }, async (request) => {
        ip = request.ip;
        return done("ok");
      });
      await app.inject({ url: "/ip", remoteAddress: "10.0.0.1", headers: forward });
      return ip;
    };
    expect(await seen(0)).toBe("10.0.0.1");
    expect(await seen(1)).toBe("203.0.113.77");
    expect(await seen(2)).toBe("192.0.2.1");
  });
});

describe("the pace of searches", () => {
  it("slows down after ten, and resets after a minute without a search", async () => {
    const { ask, times } = await service();
    expect(await times(10, () => ask("/search"))).toEqual(allowed(10));
    vi.setSystemTime(NOW + 5999);
    const early = await ask("/search");
    expect([early.statusCode, early.headers["retry-after"]]).toEqual([429, "1"]);
    vi.setSystemTime(NOW + 6000);
    expect((await ask("/search")).statusCode).toBe(200);
    expect((await ask("/search")).statusCode).toBe(429);
    vi.setSystemTime(NOW + 6000 + 60_000);
    expect(await times(10, () => ask("/search"))).toEqual(allowed(10));
  });
});

describe("addressKey", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::"],
    ["::1", "::"],
    ["fe80::1%eth0", "fe80::"],
    ["nonsense", "unknown"],
  ])("reads %s as %s", (address, key) => {
    const parsed = addressKey(address);
    expect(parsed).toBe(key);
  });
});
