import { describe, expect, it } from "vitest";
import { API_ROUTES } from "#contracts/http/routes.ts";
import { pickBackend } from "#launcher/one-port/one-port.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startSystem } from "./support/in-process.ts";
import { submit } from "./support/reports.ts";

const system = forFile(() => startSystem());

type AnyMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
const METHODS: readonly AnyMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Sends a request to the backend for its method and path. */
function send(method: AnyMethod, url: string, headers: Record<string, string> = {}) {
  const backend = pickBackend(method, url) === "queryApi" ? system.queryApi : system.commandApi;
  return backend.app.inject({ method, url, headers });
}
const filled = (pattern: string) =>
  pattern.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000");

describe("the methods of the contract", () => {
  it("are those of the running services", () => {
    const running: Record<string, Set<string>> = {};
    for (const { app } of [system.queryApi, system.commandApi])
      for (const { method, url } of app.routeTable)
        if (url.startsWith("/prod/")) {
          running[url] ??= new Set();
          running[url].add(method);
        }
    const sorted = (methods: Iterable<string>) => [...methods].sort();
    expect(
      Object.entries(API_ROUTES)
        .map(([url, methods]) => [url, sorted(Object.keys(methods))])
        .sort(),
    ).toEqual(
      Object.entries(running)
        .map(([url, methods]) => [url, sorted(methods)])
        .sort(),
    );
  });

  it("are the only ones that either backend allows on a path", async () => {
    const wrong: unknown[] = [];
    for (const [pattern, methods] of Object.entries(API_ROUTES)) {
      const allowed: string[] = [...Object.keys(methods), ...(methods.GET ? ["HEAD"] : [])].sort();
      for (const method of METHODS) {
        const { statusCode, headers, body } = await send(method, filled(pattern));
        const isRefused = statusCode === 405 && headers.allow === allowed.join(", ");
        const inShape = method === "HEAD" || body.includes('"code":"method_not_allowed"');
        const expected = allowed.includes(method) ? statusCode !== 405 : isRefused && inShape;
        if (!expected) wrong.push([method, pattern, statusCode, headers.allow]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("answer HEAD like GET, without a body", async () => {
    for (const [pattern, methods] of Object.entries(API_ROUTES)) {
      if (!methods.GET) continue;
      const [get, head] = [await send("GET", filled(pattern)), await send("HEAD", filled(pattern))];
      expect([pattern, head.statusCode, head.body]).toEqual([pattern, get.statusCode, ""]);
    }
  });

  it("let no HEAD request change anything", async () => {
    const id = await submit(system);
    const { token } = await system.signIn("admin");
    for (const action of ["approve", "delete", "verify"]) {
      const url = `/prod/api/reports/all?emergency_${action}=true&report_id=${id}`;
      const answer = await send("HEAD", url, { authorization: `Bearer ${token}` });
      expect(answer.statusCode).toBe(404);
    }
    const { rows } = await system.db.query("select type from event_log.event where stream = $1", [
      `report-${id}`,
    ]);
    expect(rows).toEqual([{ type: "ReportSubmitted" }]);
  });
});
