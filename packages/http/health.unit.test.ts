import { afterEach, describe, expect, it, vi } from "vitest";
import { runChecks } from "./health.ts";
import { closeServices, post, SECRET, service } from "./testing/sample-service.ts";

afterEach(closeServices);

describe("health", () => {
  it("reports that it is alive, and is ready while every check is ok", async () => {
    let ok = true;
    const checks = { database: async () => ({ ok, detail: { lag: 3 } }) };
    const { app } = await service({ checks });
    expect((await app.inject("/healthz")).json()).toEqual({
      status: "ok",
      service: "test-service",
    });
    const ready = await app.inject("/readyz");
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({
      status: "ready",
      service: "test-service",
      checks: { database: { ok: true, detail: { lag: 3 }, ms: expect.any(Number) } },
    });
    ok = false;
    // The checks run at most once per second.
    const unready = async () => {
      const answer = await app.inject("/readyz");
      return [answer.statusCode, answer.json().status];
    };
    await expect.poll(unready, { timeout: 20_000 }).toEqual([503, "not_ready"]);
  });

  it("is not ready when a check throws, and does not reveal the error's message", async () => {
    const checks = {
      database: async () => {
        throw new Error(`password of ${SECRET}`);
      },
    };
    const { app } = await service({ checks });
    const answer = await app.inject("/readyz");
    expect(answer.json().checks.database).toMatchObject({ ok: false, detail: { error: "Error" } });
    expect(answer.body).not.toContain(SECRET);
  });

  it("checks the stores once for concurrent requests", async () => {
    let asked = 0;
    const answered = Promise.withResolvers<void>();
    const checks = {
      database: async () => {
        asked += 1;
        await answered.promise;
        return { ok: true };
      },
    };
    const { app } = await service({ checks });
    const all = Array.from({ length: 50 }, () => app.inject("/readyz"));
    await expect.poll(() => asked).toBe(1);
    answered.resolve();
    expect(new Set((await Promise.all(all)).map(({ statusCode }) => statusCode))).toEqual(
      new Set([200]),
    );
    expect(asked).toBe(1);
  });

  it("does not wait for a check that hangs", async () => {
    vi.useFakeTimers();
    const running = runChecks("x", { hangs: () => new Promise<never>(() => undefined) }, false);
    await vi.advanceTimersByTimeAsync(2000);
    expect((await running).checks.hangs).toMatchObject({
      ok: false,
      detail: { error: "time limit" },
    });
    vi.useRealTimers();
  });

  it.each([
    ["from another machine", { remoteAddress: "203.0.113.9" }],
    ["through a proxy on this machine", { headers: { "x-forwarded-for": "203.0.113.9" } }],
    ["by a name that points to this machine", { headers: { host: "registry.example" } }],
  ])("shows non-operators only the status: %s", async (_how, from) => {
    const { app } = await service({ checks: { database: async () => ({ ok: true }) } });
    const ready = await app.inject({ url: "/readyz", ...from });
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: "ready" }]);
    const figures = await app.inject({ url: "/metrics", ...from });
    expect([figures.statusCode, figures.json().error.code]).toEqual([404, "not_found"]);
  });

  it("shows only the status to a direct peer when a proxy is configured", async () => {
    const { app } = await service({ trustProxyHops: 1 });
    expect((await app.inject("/readyz")).json()).toEqual({ status: "ready" });
    expect((await app.inject("/metrics")).statusCode).toBe(404);
  });

  it("logs readiness changes, not every request", async () => {
    let ok = true;
    const { app, lines } = await service({ checks: { database: async () => ({ ok }) } });
    await app.inject("/leaky");
    expect(lines.splice(0)).toHaveLength(1);
    for (const url of ["/readyz", "/readyz", "/healthz", "/metrics"]) await app.inject(url);
    expect(lines.splice(0).map((line) => JSON.parse(line))).toMatchObject([{ state: "ready" }]);
    ok = false;
    const status = async () => (await app.inject("/readyz")).statusCode;
    await expect.poll(status, { timeout: 20_000 }).toBe(503);
    expect(await status()).toBe(503);
    expect(lines.splice(0).map((line) => JSON.parse(line))).toMatchObject([
      { state: "not_ready", check: "database" },
    ]);
  });

  it("counts requests by route", async () => {
    const { app } = await service();
    await post(app, "/things/31337", { name: "x" });
    await app.inject("/nowhere/31337");
    const answer = await app.inject("/metrics");
    expect(answer.headers["content-type"]).toContain("text/plain");
    expect(answer.body).toContain('route="/things/:id",status="200"');
    expect(answer.body).toContain('route="(none)",status="404"');
    expect(answer.body).not.toContain("31337");
  });
});
