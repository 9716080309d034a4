import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Type } from "typebox";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { DoneReply } from "#contracts/http/envelope.ts";
import { ARRIVAL, BODY_MS, boundsOf, UPLOAD_BOUNDS, UPLOADS } from "./bounds.ts";
import { done } from "./envelope.ts";
import type { ServiceInstance } from "./service.ts";
import { createSharedPort } from "./shared-port.ts";
import { createTestService } from "./testing/test-service.ts";

const config = { roles: ["visitor"], limit: "probe" } as const;
const schema = { response: { 200: DoneReply } };

let app: ServiceInstance;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** A listening service with a route whose reply waits for `release`. */
async function listen() {
  const made = await createTestService();
  ({ app } = made);
  let entered = () => {};
  let release = () => {};
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  app.get("/quick", { config, schema }, async () => done("quick"));
  app.get("/slow", { config, schema }, async () => {
    entered();
    await gate;
    return done("slow");
  });
  app.post("/body", { config, schema }, async () => done("body"));
  const hasty = { ...config, bounds: { bodyBytes: 100, values: 5, rows: 1, bodyMs: 100 } };
  app.post("/hasty", { config: hasty, schema }, async () => done("hasty"));
  const admins = { roles: ["admin"], limit: "write" } as const;
  app.post("/admins", { config: admins, schema }, async () => done("admins"));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return { port, inside, release, accounts: made.accounts };
}

async function read(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += chunk;
  return text;
}

function request(
  port: number,
  path: string,
  agent: Agent,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, agent }, async (message) => {
      resolve({ status: message.statusCode ?? 0, body: await read(message) });
    }).on("error", reject);
  });
}

/** Everything the server sends until it closes the connection. */
function collect(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

function send(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  sockets.push(socket);
  return collect(socket);
}

describe("a service that stops", () => {
  it("finishes running requests, accepts no new ones, and does not wait for idle connections", async () => {
    const { port, inside, release } = await listen();
    const agent = new Agent({ keepAlive: true });
    expect((await request(port, "/quick", agent)).status).toBe(200);
    const slow = request(port, "/slow", new Agent({ keepAlive: true }));
    await inside;
    const idle = await vi.waitFor(() => {
      const [socket] = Object.values(agent.freeSockets).flat();
      if (!socket) throw new Error("no idle connection");
      return socket;
    }, 30_000);

    // The idle connection closes even though a request on another one is still running.
    const idleClosed = once(idle, "close");
    const closing = app.close();
    await expect(request(port, "/quick", new Agent())).rejects.toThrow(/ECONNRE(FUSED|SET)/);
    await idleClosed;
    release();
    expect(await slow).toMatchObject({ status: 200, body: expect.stringContaining("slow") });
    await closing;
    agent.destroy();
  });

  it("answers 503 in the same format on connections that are still open", async () => {
    const { port } = await listen();
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET /quick HTTP/1.1\r\nHost: x\r\n"),
    );
    sockets.push(socket);
    const text = collect(socket);
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
    // The reply on a second connection proves that the server has read the first.
    await request(port, "/quick", new Agent());
    const closing = app.close();
    await expect(request(port, "/quick", new Agent())).rejects.toThrow(/ECONNRE(FUSED|SET)/);
    socket.write("\r\n");
    expect(await text).toMatch(
      /^HTTP\/1.1 503 [^{]*\{"success":false,"error":\{"code":"unavailable"/,
    );
    expect(await text).toMatch(/connection: close/i);
    await closing;
  });
});

describe("a body that arrives slowly", () => {
  const begin = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
    "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{";

  it("is ended with 408 after its own route's timeout, while another route still waits", async () => {
    const { port } = await listen();
    const patient = connect(port, "127.0.0.1", () => patient.write(begin("/body")));
    sockets.push(patient);
    const answer = collect(patient);
    expect(await send(port, begin("/hasty"))).toMatch(
      /^HTTP\/1.1 408 [^{]*\{"success":false,"error":\{"code":"request_timeout"/,
    );
    patient.write("}");
    expect(await answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it("gets two minutes if it is a file, and 30 seconds otherwise", async () => {
    await listen();
    expect(app.server.requestTimeout).toBe(120_000);
    expect(boundsOf({ limit: "upload", bounds: UPLOAD_BOUNDS }).bodyMs).toBe(120_000);
    expect(boundsOf({ limit: "upload" }).bodyMs ?? BODY_MS).toBe(30_000);
  });
});

describe("a request whose headers never end", () => {
  const HALF = "GET /quick HTTP/1.1\r\nHost: x\r\nX-Half:";

  it("is ended by a service with 408", { timeout: 20_000 }, async () => {
    const { port } = await listen();
    // Node looks for late requests every 30 seconds by default, which is longer than this test.
    app.server.headersTimeout = 50;
    expect(await send(port, HALF)).toMatch(/^HTTP\/1.1 408 /);
    expect(ARRIVAL.headersTimeout).toBe(10_000);
  });

  it("is ended by a shared port even while a file is still arriving", async () => {
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      void read(request).then((body) => response.end(body));
    const shared = createSharedPort(handle, {
      arrival: { headersTimeout: 50, requestTimeout: 60_000, connectionsCheckingInterval: 10 },
    });
    const { port } = await shared.listen({ host: "127.0.0.1", port: 0 });
    onTestFinished(() => shared.drain(0));
    const file = connect(port, "127.0.0.1", () =>
      file.write(
        `POST ${UPLOADS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
          "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{",
      ),
    );
    sockets.push(file);
    const answer = collect(file);
    expect(await send(port, HALF)).toMatch(/^HTTP\/1.1 408 /);
    expect(await send(port, "")).toMatch(/^HTTP\/1.1 408 /);
    file.write("}");
    expect(await answer).toMatch(/^HTTP\/1.1 200 /);
    expect(await answer).toContain("strict-transport-security: max-age=31536000\r\n");
  });
});

describe("a body that is announced before it is sent", () => {
  const announce = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  it("is requested if within its route's limit", async () => {
    const { port } = await listen();
    const socket = connect(port, "127.0.0.1", () => socket.write(announce("/body", 2)));
    sockets.push(socket);
    socket.once("data", () => socket.write("{}"));
    expect(await collect(socket)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });

  it.each([
    ["too long", "/body", 3000, 413],
    ["not the caller's to send", "/admins", 2, 401],
  ])("is never requested if it is %s", async (_what, path, length, status) => {
    const { port } = await listen();
    const answer = await send(port, announce(path, length));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe("bytes that are not a request", () => {
  it.each([
    ["nonsense", "NONSENSE\r\n\r\n", 400, "invalid_request"],
    [
      "headers without end",
      `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      400,
      "invalid_request",
    ],
  ])("(%s) are rejected in the same format", async (_what, bytes, status, code) => {
    const { port } = await listen();
    const text = await send(port, bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toContain("Strict-Transport-Security: max-age=31536000\r\n");
    expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({
      success: false,
      error: { code },
    });
  });
});

it("answers 503 to a request whose handler hangs, even with a body", async () => {
  ({ app } = await createTestService({ handlerTimeoutMs: 100 }));
  const hang = () => new Promise<never>(() => undefined);
  const body = Type.Object({ a: Type.Integer() });
  app.post("/hangs", { config: { ...config, limit: "write" }, schema: { ...schema, body } }, hang);
  app.post("/body", { config, schema }, async () => done("body"));
  const admins = { roles: ["admin"], limit: "write" } as const;
  app.post("/admins", { config: admins, schema }, async () => done("admins"));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/hangs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"a":1}',
  });
  expect([answer.status, (await answer.json()).error.code]).toEqual([503, "unavailable"]);
  expect(answer.headers.get("retry-after")).toBe("5");
});

describe("a body that arrives slowly", () => {
  const subject = {
    id: "6f1c2d34-1111-4222-8333-444455556666",
    role: "admin",
    tokenVersion: 3,
    sessionId: "6f1c2d34-5555-4666-8777-888899990000",
  } as const;

  it.each([
    ["whose session is still active", { active: true }, "200"],
    ["whose session has ended", undefined, "401"],
    ["who is banned", { active: false }, "401"],
    ["whose role changed", { active: true, role: "user" }, "403"],
  ] as const)(
    "is accepted only from a sender who is still allowed to send it when it ends: %s",
    async (_, then, status) => {
      const { port, accounts } = await listen();
      const row = { ...subject, active: true };
      accounts.rows.set(subject.id, row);
      const check = vi.spyOn(accounts, "check");
      const { token } = app.tokens.issue(subject);
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(
          `POST /admins HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
            "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{",
        ),
      );
      sockets.push(socket);
      await expect.poll(() => check.mock.calls.length).toBe(1);
      await check.mock.results[0]?.value;
      if (then) accounts.rows.set(subject.id, { ...row, ...then });
      else accounts.rows.delete(subject.id);
      socket.write("}");
      expect(await collect(socket)).toContain(`HTTP/1.1 ${status}`);
    },
  );
});
