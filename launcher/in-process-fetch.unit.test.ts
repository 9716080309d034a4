import Fastify from "fastify";
import { expect, it } from "vitest";
import { inProcessFetch } from "./services.ts";

it.each([0, 1])("calls an app that trusts %i proxies for the visitor", async (hops) => {
  const app = Fastify({ trustProxy: hops > 0 && ((_address: string, hop: number) => hop < hops) });
  app.post("/echo", async ({ ip, body, query, headers }, reply) =>
    reply
      .code(418)
      .header("x-position", "7")
      .send({ ip, body, query, key: headers["idempotency-key"] }),
  );
  const reply = await inProcessFetch(app)("http://anywhere.test/echo?_cb=1", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": "k",
      "x-forwarded-for": "203.0.113.7",
    },
    body: JSON.stringify({ a: 1 }),
  });
  expect(reply.status).toBe(418);
  expect(reply.headers.get("x-position")).toBe("7");
  expect(await reply.json()).toEqual({
    ip: "203.0.113.7",
    body: { a: 1 },
    query: { _cb: "1" },
    key: "k",
  });
});
