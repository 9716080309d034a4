import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createSharedPort } from "#http/shared-port.ts";
import { Upstreams, verifiedProcesses } from "#http/upstreams.ts";
import { createWorkerService } from "#http/worker-service.ts";
import { createLogger } from "#runtime/log.ts";
import { compose, makeSettledSecrets, serviceOf } from "./testing/compose.ts";
import { noHaproxy, openHaproxy } from "./testing/haproxy.fixture.ts";
import { host } from "./testing/upstream.fixture.ts";

let folder: string;
let secrets: string;
let strangers: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-service-certificates-"));
  secrets = path.join(folder, "secrets");
  strangers = path.join(folder, "strangers");
  await makeSettledSecrets(secrets);
  await makeSettledSecrets(strangers);
});
afterAll(() => rm(folder, { recursive: true }));

async function pairOf(name: string, from = secrets) {
  const read = (kind: string) => readFile(path.join(from, `${name}_${kind}`), "utf8");
  return { cert: await read("certificate"), key: await read("key") };
}

/** Starts a process that is ready and records requests. @returns its address, without a scheme. */
async function process(seen: string[], tls?: Awaited<ReturnType<typeof pairOf>>): Promise<string> {
  const port = createSharedPort(
    (request, response) => {
      if (request.url !== "/readyz") seen.push(request.url ?? "");
      response.end("{}");
    },
    { tls },
  );
  onTestFinished(() => port.drain(0));
  return `${host}:${(await port.listen({ host, port: 0 })).port}`;
}

/** Processes that cannot prove to be query-api. */
const IMPOSTORS = {
  "one with a certificate of another authority": () => pairOf("query_api", strangers),
  "one with another service's certificate": () => pairOf("command_api"),
  "one without a certificate": async () => undefined,
};

describe("HAProxy of docker-compose.yml", () => {
  beforeEach((context) => {
    if (noHaproxy) context.skip(noHaproxy);
  });

  const environment = () => {
    const { TLS_CA_FILE = "", TLS_CERTIFICATE_FILE = "" } = serviceOf("haproxy").environment ?? {};
    const here = (file: string) => path.join(secrets, path.basename(file));
    return { TLS_CA_FILE: here(TLS_CA_FILE), TLS_CERTIFICATE_FILE: here(TLS_CERTIFICATE_FILE) };
  };

  it("calls each service and checks its readiness only if the service proves its identity", async () => {
    const seen: string[] = [];
    const at = async (name: string) => [`http://${await process(seen, await pairOf(name))}`];
    const { url } = await openHaproxy(
      {
        commandApi: await at("command_api"),
        queryApi: await at("query_api"),
        web: await at("web"),
      },
      { environment: environment() },
    );
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    for (const [method, at] of [
      ["GET", "/prod/x"],
      ["POST", "/prod/y"],
      ["POST", "/prod/api/uploads"],
      ["GET", "/prod/api/admin/changes"],
      ["GET", "/z"],
    ])
      expect((await fetch(url + at, { method: method ?? "" })).status, at).toBe(200);
    expect(seen).toEqual([
      "/prod/x",
      "/prod/y",
      "/prod/api/uploads",
      "/prod/api/admin/changes",
      "/z",
    ]);
  });

  it.each(Object.entries(IMPOSTORS))("sends nothing to %s", async (_name, pair) => {
    const seen: string[] = [];
    const impostor = await process(seen, await pair());
    const { url } = await openHaproxy(
      { queryApi: [`http://${impostor}`] },
      { environment: environment() },
    );
    for (const at of ["/prod/x", "/prod/api/admin/changes"])
      expect((await fetch(url + at)).status, at).toBe(503);
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
    // None is ready, so any running process is used, as on an overloaded machine.
    expect((await fetch(`${url}/prod/x`)).status).toBe(503);
    expect(seen).toEqual([]);
  });

  it("shows operators metrics only over HTTPS, with its own certificate", async () => {
    const { operators } = await openHaproxy({}, { environment: environment() });
    const { port } = new URL(operators);
    const figures = ({ urls: [url], fetch }: ReturnType<typeof verifiedProcesses>) =>
      fetch(`${url}/metrics`).then(({ status }) => status);
    const authority = (from: string) => `?tlsCAFile=${from}/certificate_authority`;
    const at = `https://localhost:${port}`;
    expect(await figures(verifiedProcesses([`${at}${authority(secrets)}`]))).toBe(200);
    await expect(figures(verifiedProcesses([`${at}${authority(strangers)}`]))).rejects.toThrow();
    const plain = await fetch(`http://localhost:${port}/metrics`).catch(() => undefined);
    expect(plain?.ok ?? false).toBe(false);
  });
});

describe("calls of services to each other", () => {
  const address = (at: string, from = secrets) =>
    `https://localhost:${at.split(":")[1]}?tlsCAFile=${from}/certificate_authority`;

  it("reach any process that proves to have the name in the address", async () => {
    const seen: string[] = [];
    const at = await process(seen, await pairOf("query_api"));
    const upstreams = new Upstreams([address(at)], { resolve: async () => [host] });
    await upstreams.probe();
    expect(upstreams.states()).toMatchObject([{ url: `https://${at}`, ok: true }]);
    const [url] = upstreams.order();
    expect((await upstreams.fetch(`${url}/x`, { method: "POST", body: "{}" })).status).toBe(200);
    expect(seen).toEqual(["/x"]);
  });

  it("do not reach one with another name, another authority or no certificate", async () => {
    const seen: string[] = [];
    const named = await process(seen, await pairOf("query_api"));
    const plain = await process(seen);
    const tried = [
      [address(named).replace("localhost", "command-api"), "ERR_TLS_CERT_ALTNAME_INVALID"],
      [address(named, strangers), /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/],
      [address(named).split("?")[0], /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/],
      [address(plain), /SSL|TLS/],
    ] as const;
    for (const [each = "", code] of tried) {
      const upstreams = new Upstreams([each], { resolve: async () => [host] });
      await upstreams.probe();
      const [{ url = "", ok } = {}] = upstreams.states();
      expect([each, ok]).toEqual([each, false]);
      const failure = await upstreams.fetch(`${url}/x`).catch((error: Error) => error.cause);
      expect((failure as { code?: string }).code, each).toMatch(code);
    }
    expect(seen).toEqual([]);
  });

  it("are answered only over HTTPS if a service has a certificate", async () => {
    const app = await createWorkerService({
      name: "sample",
      version: "1",
      log: createLogger({ name: "sample", level: "silent" }),
      checks: {},
      tls: await pairOf("command_api"),
    });
    onTestFinished(() => app.close());
    const at = new URL(await app.listen({ port: 0, host }));
    expect(at.protocol).toBe("https:");
    const { urls, fetch: verified } = verifiedProcesses([address(at.host)]);
    expect((await verified(`${urls[0]}/healthz`)).status).toBe(200);
    await expect(fetch(`http://${at.host}/healthz`)).rejects.toThrow("fetch failed");
  });
});

describe("the addresses of services in docker-compose.yml", () => {
  it("all require a certificate from the authority", () => {
    const own = ["command-api", "query-api", "web", "haproxy"];
    const found = Object.entries(compose.services).flatMap(([name, { environment = {} }]) =>
      Object.values(environment)
        .flatMap((value) => value.split(","))
        .filter((value) => own.some((each) => value.includes(`//${each}:`)))
        .map((value) => `${name} ${value}`),
    );
    const authority = "?tlsCAFile=/run/secrets/certificate_authority";
    expect(found.toSorted()).toEqual([
      `query-api https://haproxy:3006${authority}`,
      `query-api https://web:3006${authority}`,
      `web https://command-api:3001${authority}`,
      `web https://query-api:3002${authority}`,
    ]);
  });
});
