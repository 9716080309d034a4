import { afterEach, describe, expect, it } from "vitest";
import { closeServices, SECRET, service } from "./testing/sample-service.ts";

afterEach(closeServices);

describe("replies", () => {
  it("drop what the schema does not declare", async () => {
    const { app } = await service();
    const answer = await app.inject("/leaky");
    expect(answer.body).toBe('{"success":true,"data":{"name":"x"}}');
  });

  it.each(["/wrong", "/undeclared-status"])("from %s are neither sent nor logged", async (url) => {
    const { app, lines } = await service();
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(500);
    expect(answer.json().error.code).toBe("internal_error");
    expect(answer.body + lines.join("")).not.toContain(SECRET);
    expect(lines.join("")).toContain("InvalidReply");
  });

  it("carry a refusal's code, message and fields", async () => {
    const { app } = await service();
    const answer = await app.inject("/refused");
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      success: false,
      error: {
        code: "reason_required",
        message: "A rejection needs a reason",
        fields: { reason: "Say why" },
      },
    });
  });

  it("never explain a server error; the log does, without the data", async () => {
    const { app, lines } = await service();
    const answer = await app.inject(`/broken?_cb=${SECRET}`);
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      success: false,
      error: { code: "internal_error", message: expect.not.stringMatching(/token|Syntax/) },
    });
    const failure = lines.map((line) => JSON.parse(line)).find((line) => line.level === "error");
    expect(failure).toMatchObject({ route: "/broken", err: { type: "SyntaxError" } });
    expect(failure.err.stack).toContain("sample-service.ts");
    expect(lines.join("")).not.toContain(SECRET);
  });

  it("are 503 with Retry-After if a store is down, a newer version has written, or a handler hangs", async () => {
    const { app } = await service({ handlerTimeoutMs: 50 });
    for (const url of ["/away", "/newer", "/hangs"]) {
      const answer = await app.inject(url);
      expect([answer.statusCode, answer.json().error.code]).toEqual([503, "unavailable"]);
      expect(answer.headers["retry-after"]).toBe("5");
    }
  });

  it("with 503 are logged as warnings with a code and no stack, unless an upgrade is needed", async () => {
    const { app, lines } = await service({ handlerTimeoutMs: 50 });
    for (const [url, level] of [
      ["/away", "warn"],
      ["/hangs", "warn"],
      ["/newer", "error"],
    ] as const) {
      lines.splice(0);
      await app.inject(url);
      const found = lines.map((line) => JSON.parse(line)).filter(({ route }) => route === url);
      const logged = found.find(({ level }) => level === "warn" || level === "error");
      expect([url, logged.level, logged.err !== undefined]).toEqual([
        url,
        level,
        level === "error",
      ]);
      if (level === "warn") expect(JSON.stringify(logged)).not.toMatch(/stack| {4}at |\.ts:/);
      if (url === "/hangs") expect(logged.code).toBe("FST_ERR_HANDLER_TIMEOUT");
    }
  });

  it("have a strict policy, allow no other origins, and are not cached", async () => {
    const { app } = await service();
    for (const url of ["/leaky", "/nowhere", "/healthz", "/metrics", "/%E0%A4%A"]) {
      const { headers } = await app.inject(url);
      expect([url, headers["strict-transport-security"]]).toEqual([url, "max-age=31536000"]);
    }
    const { headers } = await app.inject({
      url: "/leaky",
      headers: { origin: "https://a.example" },
    });
    for (const directive of ["default-src", "frame-ancestors", "base-uri"])
      expect(headers["content-security-policy"]).toContain(`${directive} 'none'`);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(headers["x-powered-by"]).toBeUndefined();
  });

  it("allow only the configured origins", async () => {
    const { app } = await service({ corsOrigins: ["https://a.example"] });
    const ask = (origin: string) =>
      app.inject({
        method: "OPTIONS",
        url: "/optional",
        headers: { origin, "access-control-request-method": "POST" },
      });
    expect((await ask("https://a.example")).headers["access-control-allow-origin"]).toBe(
      "https://a.example",
    );
    expect((await ask("https://b.example")).headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("echo the caller's request ID if it is a UUID", async () => {
    const { app } = await service();
    const id = "6f1c2d34-1111-4222-8333-444455556666";
    const ask = (sent: string) => app.inject({ url: "/leaky", headers: { "x-request-id": sent } });
    expect((await ask(id)).headers["x-request-id"]).toBe(id);
    expect((await ask(SECRET)).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});
