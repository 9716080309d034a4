import http from "node:http";
import { describe, expect, it } from "vitest";
import {
  answer,
  cut,
  open,
  post,
  refused,
  type Seen,
  upstream,
} from "./testing/gateway.fixture.ts";

const UPLOADS = "/prod/api/uploads";

describe("the gateway and files", () => {
  it("passes a file on that is larger than any other body", async () => {
    const seen: Seen[] = [];
    const gateway = await open({ commandApi: [await upstream("command", seen, answer)] });
    const body = "x".repeat(3 * 1024 * 1024);
    const found = await post(gateway + UPLOADS, { "content-type": "image/png" }, body);
    expect(found.status).toBe(200);
    expect(seen).toMatchObject([{ url: UPLOADS, headers: { "content-type": "image/png" } }]);
    expect(seen[0]?.body === body).toBe(true);
    const other = await post(`${gateway}${UPLOADS}/1`, { "content-type": "image/png" }, body);
    expect(other.status).toBe(413);
  });

  it("begins to pass it on before it is whole", async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const server = http.createServer((request, response) => {
      if (request.url === "/readyz") return response.end("{}");
      request.once("data", () => resolve());
      request.once("end", () => response.end("whole"));
      request.resume();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as { port: number };
    const gateway = await open({ commandApi: [`http://127.0.0.1:${port}`] });
    const request = http.request(gateway + UPLOADS, { method: "POST" });
    const replied = new Promise<number | undefined>((done) =>
      request.once("response", (response) => done(response.resume().statusCode)),
    );
    request.write("the first part");
    await begun;
    request.end("the last part");
    expect(await replied).toBe(200);
    server.close();
  });

  it("sends a file to one process only", async () => {
    const seen: Seen[] = [];
    const healthy = await upstream("healthy", seen, answer);
    for (const broken of [await refused(), await upstream("broken", [], cut)]) {
      const gateway = await open({ commandApi: [broken, healthy] });
      const found = await post(gateway + UPLOADS, { "content-type": "image/png" }, "bytes");
      expect(found.status).toBe(503);
      const again = await post(gateway + UPLOADS, { "content-type": "image/png" }, "bytes");
      expect(again.status).toBe(200);
    }
    expect(seen).toHaveLength(2);
  });
});
