import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { limitClasses } from "#http/limits.ts";
import { buildDocsApp } from "./docs.app.ts";

/** A process of a service; it fails while `paths` returns undefined. */
async function serviceWith(paths: () => object | undefined) {
  let asked = 0;
  const server = http.createServer((_request, response) => {
    asked += 1;
    const found = paths();
    response.statusCode = found ? 200 : 503;
    response.end(JSON.stringify({ openapi: "3.1.0", paths: found ?? {} }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked: () => asked };
}

const docsOf = async (...services: string[][]) => {
  const app = await buildDocsApp({
    version: "1",
    trustProxyHops: 0,
    services: services.map((urls) => ({ order: () => urls, fetch })),
  });
  onTestFinished(() => app.close());
  return app;
};

it("shows one description of both APIs, each from its first process that responds", async () => {
  const broken = await serviceWith(() => undefined);
  const query = await serviceWith(() => ({ "/prod/a": { get: {} } }));
  const command = await serviceWith(() => ({ "/prod/a": { post: {} } }));
  const app = await docsOf([broken.url, query.url], [command.url]);
  expect((await app.inject("/docs/")).statusCode).toBe(200);
  const found = (await app.inject("/docs/json")).json();
  expect(found).toMatchObject({ paths: { "/prod/a": { get: {}, post: {} } } });
  expect((await app.inject("/docs/unknown")).statusCode).toBe(404);
});

it("fetches once for concurrent requests, and again after a failure", async () => {
  let works = false;
  const service = await serviceWith(() => (works ? {} : undefined));
  const app = await docsOf([service.url]);
  const ask = async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => app.inject(`/docs/${n % 2 ? "json" : "yaml"}`)),
    );
    return [...new Set(answers.map(({ statusCode }) => statusCode))];
  };
  expect(await ask()).toEqual([500]);
  expect(service.asked()).toBe(1);
  works = true;
  expect(await ask()).toEqual([200]);
  await ask();
  expect(service.asked()).toBe(2);
});

it.each([
  ["on", 429],
  ["off", 200],
] as const)("applies the RATE_LIMIT setting: %s", async (limits, status) => {
  const app = await buildDocsApp({ version: "1", trustProxyHops: 0, limits, services: [] });
  onTestFinished(() => app.close());
  const ask = async () => (await app.inject("/docs/yaml")).statusCode;
  for (let i = 0; i < limitClasses.read.ip.max; i += 1) expect(await ask()).toBe(200);
  expect(await ask()).toBe(status);
});
