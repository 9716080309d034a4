import { once } from "node:events";
import net from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { freePort } from "#local-servers/postgres/server.ts";
import { type Backend, checkAddress, createOnePort, handleBy, type OnePort } from "./one-port.ts";

const host = "127.0.0.1";
let onePort: OnePort | undefined;

afterEach(async () => {
  await onePort?.drain(0);
  onePort = undefined;
});

/** Starts apps that answer with their own names. `/prod/slow` waits until it is released. */
async function open(slow: Promise<void> = Promise.resolve()) {
  const names: Backend[] = ["commandApi", "queryApi", "operations", "console", "site"];
  const entries = await Promise.all(
    names.map(async (name): Promise<[Backend, FastifyInstance]> => {
      const app = Fastify();
      app.get("/prod/slow", async () => {
        reached.resolve();
        await slow;
        return name;
      });
      app.all("/*", async () => name);
      await app.ready();
      return [name, app];
    }),
  );
  const reached = Promise.withResolvers<void>();
  const port = await freePort();
  onePort = createOnePort({ host, port });
  await onePort.answerWith(
    handleBy(Object.fromEntries(entries) as Record<Backend, FastifyInstance>),
  );
  return { port, url: `http://${host}:${port}`, reached: reached.promise };
}

/** Sends these raw bytes and returns the server's answer. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = net.connect({ host, port });
  socket.write(bytes);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  await once(socket, "close");
  return answer;
}

describe("one port", () => {
  it("routes each request to the app that owns it", async () => {
    const { url } = await open();
    const answer = async (path: string, method = "GET") =>
      (await fetch(url + path, { method })).text();
    expect(await answer("/prod/api/reports/recent")).toBe("queryApi");
    expect(await answer("/prod/api/reports/submit", "POST")).toBe("commandApi");
    expect(await answer("/prod/api/reports/all?emergency_delete=true")).toBe("commandApi");
    expect(await answer("/readyz")).toBe("operations");
    expect(await answer("/admin/reports")).toBe("console");
    expect(await answer("/search?q=x")).toBe("site");
  });

  it("finishes running requests while draining, and accepts no new ones", async () => {
    const release = Promise.withResolvers<void>();
    const { url, reached } = await open(release.promise);
    const running = fetch(`${url}/prod/slow`);
    await reached;
    const drained = onePort?.drain(5000);
    await expect(fetch(`${url}/`)).rejects.toThrow();
    release.resolve();
    expect(await (await running).text()).toBe("queryApi");
    await drained;
  });

  it("aborts requests that do not finish within the limit", async () => {
    const { url, reached } = await open(new Promise(() => {}));
    const running = fetch(`${url}/prod/slow`);
    const cutOff = expect(running).rejects.toThrow();
    await reached;
    await onePort?.drain(100);
    await cutOff;
  });

  it("cuts off event streams immediately, whatever the limit", async () => {
    const { url, reached } = await open(new Promise(() => {}));
    const headers = { accept: "text/event-stream" };
    const cutOff = expect(fetch(`${url}/prod/slow`, { headers })).rejects.toThrow();
    await reached;
    await onePort?.drain(600_000);
    await cutOff;
  });

  it("answers invalid HTTP in the error format of the contract", async () => {
    const { port } = await open();
    expect(await raw(port, "NONSENSE\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 .*\r\n\r\n\{"success":false,"error":\{"code":"invalid_request"/s,
    );
    const long = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await raw(port, long)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it("says which port is in use", async () => {
    const { port } = await open();
    await expect(checkAddress({ host, port })).rejects.toThrow(
      `Port ${port} is taken by another program: set PORT to a free one.`,
    );
    await expect(checkAddress({ host: "203.0.113.9", port })).rejects.toThrow(
      "HOST names 203.0.113.9, which is not an address of this machine.",
    );
  });
});
