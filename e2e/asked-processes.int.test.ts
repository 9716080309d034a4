import { afterAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { SystemStatus } from "#contracts/http/system.ts";
import { buildWebApps } from "#launcher/web-build.ts";
import { freePort } from "#local-servers/postgres/server.ts";
import { startQueryApi } from "#services/query-api/testing/query-api.fixture.ts";
import { noHaproxy, startHaproxy } from "../deploy/testing/haproxy.fixture.ts";
import { endProcesses, startProcess } from "./support/processes.ts";

afterAll(endProcesses);

beforeEach((context) => {
  if (noHaproxy) context.skip(noHaproxy);
});

it("shows what web and HAProxy take, and says which one does not answer any more", async () => {
  await buildWebApps(console.log);
  const port = await freePort();
  const haproxy = await startHaproxy({});
  onTestFinished(() => haproxy.stop());
  const operationsUrls = [`http://127.0.0.1:${port}`, haproxy.operators];
  const service = await startQueryApi({ operationsUrls });
  onTestFinished(() => service.close());
  const queryUrl = await service.api.app.listen({ port: 0, host: "127.0.0.1" });
  const web = startProcess("web", {
    PUBLIC_URL: "http://registry.example",
    QUERY_API_URL: queryUrl,
    OPERATIONS_PORT: String(port),
  });
  await web.url();
  const asked = async () => {
    const { app } = await service.startProcess();
    const headers = service.headersOf("admin");
    const reply = await app.inject({ url: "/prod/api/system/status", headers });
    expect(reply.statusCode).toBe(200);
    return (reply.json().data as SystemStatus).asked;
  };
  await expect.poll(async () => (await asked())[0]?.figures, { timeout: 30_000 }).toBeDefined();
  const figures = {
    uptime: expect.any(Number),
    memory: expect.any(Number),
    cpu: expect.any(Number),
  };
  const found = await asked();
  expect(found).toEqual([
    { address: 1, figures: { service: "web", ...figures } },
    { address: 2, figures: { service: "haproxy", ...figures } },
  ]);
  // A process of Node.js takes more than 20 MB, and HAProxy less than what its container has.
  expect(found[0]?.figures?.memory).toBeGreaterThan(20_000_000);
  expect(found[0]?.figures?.uptime).toBeLessThan(600);
  expect(found[1]?.figures?.memory).toBeGreaterThan(10_000);
  web.child.kill("SIGSTOP");
  expect(await asked()).toEqual([
    { address: 1 },
    expect.objectContaining({ address: 2, figures: expect.anything() }),
  ]);
});
