import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { faultyPackages, installedPackages } from "./advisories.ts";

/** Starts a package registry that answers with this listener. @returns its address. */
async function registry(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PACKAGES = { left: ["1.0.0"], middle: ["2.0.0", "3.0.0"], right: ["1.1.0"] };

it("sends the registry names and versions, and sorts the worst package first", async () => {
  const told: unknown[] = [];
  const url = await registry((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      told.push(request.method, request.url, JSON.parse(body), request.headers.authorization);
      const found = {
        left: [{ severity: "low" }, { severity: "moderate" }],
        right: [{ severity: "critical" }],
        unasked: [{ severity: "high" }],
        middle: [],
      };
      response.end(JSON.stringify(found));
    });
  });
  expect(await faultyPackages(PACKAGES, { registry: url })).toEqual([
    { name: "right", severity: "critical" },
    { name: "left", severity: "moderate" },
  ]);
  expect(told).toEqual(["POST", "/-/npm/v1/security/advisories/bulk", PACKAGES, undefined]);
});

it("times out on a registry that never answers or stops midway", async () => {
  const silent = await registry(() => undefined);
  const torn = await registry((_, response) => void response.write("{"));
  for (const url of [silent, torn])
    await expect(faultyPackages(PACKAGES, { registry: url, mostMs: 200 })).rejects.toThrow(
      /timeout/i,
    );
});

it("stops asking when the answer is no longer wanted", async () => {
  const asked = Promise.withResolvers<IncomingMessage>();
  const silent = await registry((request) => asked.resolve(request));
  const unwanted = new AbortController();
  const answer = faultyPackages(PACKAGES, { registry: silent, unwanted: unwanted.signal });
  const ended = once((await asked.promise).socket, "close");
  unwanted.abort(new Error("stopped"));
  await expect(answer).rejects.toThrow("stopped");
  await ended;
});

it("rejects an error, a redirect and an endless answer", async () => {
  const refuses = await registry((_, response) => void response.writeHead(503).end("{}"));
  await expect(faultyPackages(PACKAGES, { registry: refuses })).rejects.toThrow("503");
  const fine = await registry((_, response) => void response.end("{}"));
  const moves = await registry(
    (_, response) => void response.writeHead(307, { location: fine }).end(),
  );
  await expect(faultyPackages(PACKAGES, { registry: moves })).rejects.toThrow();
  const talks = await registry((_, response) => void response.end(" ".repeat(3_000_000)));
  await expect(faultyPackages(PACKAGES, { registry: talks })).rejects.toThrow("too much");
});

it("reads the installed runtime packages, without those for tests and builds", async () => {
  const packages = await installedPackages();
  expect(packages.fastify).toHaveLength(1);
  expect(Object.keys(packages)).toContain("@aws-sdk/client-s3");
  expect(Object.keys(packages)).not.toContain("vitest");
});
