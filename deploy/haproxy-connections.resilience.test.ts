import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { read } from "./testing/compose.ts";
import { noHaproxy, openHaproxy } from "./testing/haproxy.fixture.ts";
import { answer, upstream } from "./testing/upstream.fixture.ts";

/** Maximum connections of one visitor in these tests. */
const MAX = 3;
const instead = { "gt 400": `gt ${MAX}` };

/** Opens a connection from a loopback address, and sends one request. @returns the status, or that it is closed. */
async function connect(url: string, from: string) {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), localAddress: from });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on("error", () => undefined);
  socket.write(`GET /healthz HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  const said = await Promise.race([
    once(socket, "data").then(
      ([bytes]) => String(bytes).split(" ")[1],
      () => "closed",
    ),
    once(socket, "close").then(() => "closed"),
  ]);
  return { socket, said };
}

describe("HAProxy, of one visitor's connections", () => {
  beforeEach((context) => {
    if (noHaproxy) context.skip(noHaproxy);
  });

  it("closes those beyond a limit, while others are served", async () => {
    const { url } = await openHaproxy({}, { instead });
    const held = [];
    for (let count = 0; count < MAX; count += 1) held.push(await connect(url, "127.0.0.2"));
    expect(held.map(({ said }) => said)).toEqual(Array(MAX).fill("200"));
    expect((await connect(url, "127.0.0.2")).said).toBe("closed");
    expect((await connect(url, "127.0.0.3")).said).toBe("200");
    held[0]?.socket.destroy();
    await expect.poll(async () => (await connect(url, "127.0.0.2")).said).toBe("200");
  });

  it.each([
    ["an IPv4 address", Array(MAX).fill("203.0.113.7"), "203.0.113.7", "203.0.113.8"],
    [
      "an IPv6 /64",
      ["2001:db8::1", "2001:db8::2", "2001:db8::3"],
      "2001:db8::4",
      "2001:db8:0:1::1",
    ],
  ] as const)(
    "counts concurrent requests of %s behind a proxy",
    async (_of, holders, more, other) => {
      const waiting: ServerResponse[] = [];
      const queryApi = await upstream("query", [], (request, response) => {
        if (request.url === "/prod/hold") waiting.push(response);
        else answer(request, response);
      });
      const { url } = await openHaproxy({ queryApi: [queryApi] }, { trustProxy: 1, instead });
      const agent = new http.Agent({ keepAlive: true });
      onTestFinished(() => agent.destroy());
      const ask = async (path: string, visitor: string) => {
        const headers = { "x-forwarded-for": `198.51.100.1, ${visitor}` };
        const [reply] = (await once(http.get(url + path, { agent, headers }), "response")) as [
          IncomingMessage,
        ];
        const code = /"code":"(\w+)"/.exec(await text(reply))?.[1];
        return [reply.statusCode, code, reply.headers["retry-after"]];
      };
      const held = holders.map((visitor) => ask("/prod/hold", visitor));
      await expect.poll(() => waiting.length).toBe(MAX);
      expect(await ask("/prod/x", more)).toEqual([429, "too_many_requests", "2"]);
      expect(await ask("/prod/x", other)).toEqual([200, undefined, undefined]);
      for (const response of waiting) response.end();
      for (const reply of held) expect((await reply)[0]).toBe(200);
      // The proxy's connections stay open, and count for no visitor.
      await expect.poll(async () => (await ask("/prod/x", more))[0]).toBe(200);
    },
  );
});

it("deploy/haproxy.cfg allows one visitor a tenth of all connections, with or without a proxy in front", async () => {
  const config = await read("deploy/haproxy.cfg");
  const bounds = [...config.matchAll(/sc0_conn_cur gt (\d+)/g)].map(([, bound]) => Number(bound));
  const all = Number(/^ {2}maxconn (\d+)$/m.exec(config)?.[1]);
  expect(bounds).toEqual([all / 10, all / 10]);
});
