import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { SystemStatus } from "#contracts/http/system.ts";
import { makeComposeSecrets } from "#deploy/secret-files.ts";
import { verifiedProcesses } from "#http/upstreams.ts";
import { freePort } from "#local-servers/postgres/server.ts";
import { startQueryApi } from "#services/query-api/testing/query-api.fixture.ts";
import { noHaproxy, startHaproxy } from "../deploy/testing/haproxy.fixture.ts";
import { endProcesses, startProcess } from "./support/processes.ts";

afterAll(endProcesses);

beforeEach((context) => {
  if (noHaproxy) context.skip(noHaproxy);
});

it("shows the resource usage of web and HAProxy over HTTPS, and which one stopped answering", async () => {
  const secrets = await mkdtemp(path.join(os.tmpdir(), "registry-asked-"));
  onTestFinished(() => rm(secrets, { recursive: true }));
  await makeComposeSecrets(secrets);
  const file = (name: string) => path.join(secrets, name);
  const at = (address: string) =>
    `https://localhost:${new URL(address).port}?tlsCAFile=${file("certificate_authority")}`;
  const port = await freePort();
  const environment = { TLS_CERTIFICATE_FILE: file("haproxy_certificate_and_key") };
  const haproxy = await startHaproxy({}, { environment });
  onTestFinished(() => haproxy.stop());
  const operationsUrls = [at(`https://localhost:${port}`), at(haproxy.operators)];
  const [cert, key] = [file("query_api_certificate"), file("query_api_key")];
  const tls = { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
  const service = await startQueryApi({ operationsUrls, tls });
  onTestFinished(() => service.close());
  const web = startProcess("web", {
    PUBLIC_URL: "http://registry.example",
    QUERY_API_URL: at(await service.api.app.listen({ port: 0, host: "127.0.0.1" })),
    OPERATIONS_PORT: String(port),
    TLS_CERTIFICATE_FILE: file("web_certificate"),
    TLS_KEY_FILE: file("web_key"),
  });
  const { urls, fetch } = verifiedProcesses([at(await web.url())]);
  const { href } = new URL("/terms", urls[0]);
  await expect.poll(async () => (await fetch(href)).status, { timeout: 30_000 }).toBe(200);
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
  // A Node.js process uses more than 20 MB, HAProxy less than its container's limit.
  expect(found[0]?.figures?.memory).toBeGreaterThan(20_000_000);
  expect(found[0]?.figures?.uptime).toBeLessThan(600);
  expect(found[1]?.figures?.memory).toBeGreaterThan(10_000);
  web.child.kill("SIGSTOP");
  expect(await asked()).toEqual([
    { address: 1 },
    expect.objectContaining({ address: 2, figures: expect.anything() }),
  ]);
});
