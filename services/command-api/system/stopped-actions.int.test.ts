import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import type { RunBackup } from "#operations/backup-table.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";

/** A server that accepts connections but never responds. */
async function silentServer() {
  const asked = Promise.withResolvers<Socket>();
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    asked.resolve(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { host: `127.0.0.1:${port}`, asked: asked.promise };
}

async function commandApi(options: Parameters<typeof startCommandApi>[0]) {
  const fixture = await startCommandApi(options);
  onTestFinished(() => fixture.close());
  return fixture;
}

async function begin({ call }: Fixture, action: string): Promise<string> {
  const reply = await call("POST", "/prod/api/system/actions", { as: "admin", body: { action } });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data.job_id;
}

/** Returns how a job ended, the lines it wrote, and how its end was logged. */
async function endOf({ api, db }: Fixture, id: string) {
  await api.jobs.settled();
  const job = await db.query("select state, error_code from command.job where id = $1", [id]);
  const lines = await db.query(
    "select target from command.job_line where job_id = $1 order by number",
    [id],
  );
  const events = await db.query(
    "select data::jsonb as data from event_log.event where stream = $1 order by revision",
    [`system-${id}`],
  );
  const { outcome, count } = events.rows.at(-1)?.data ?? {};
  const targets: string[] = lines.rows.map(({ target }) => target);
  return { ...job.rows[0], targets, end: { outcome, count } };
}
const stop = (fixture: Fixture, id: string) =>
  fixture.call("POST", `/prod/api/system/jobs/${id}/stop`, { as: "admin", body: {} });

it("a security scan that waits for a server stops immediately and skips the remaining checks", async () => {
  const server = await silentServer();
  const fixture = await commandApi({ publicUrl: `https://${server.host}` });
  const id = await begin(fixture, "security-scan");
  await server.asked;
  expect((await stop(fixture, id)).statusCode).toBe(200);
  const { state, targets, end } = await endOf(fixture, id);
  expect(state).toBe("stopped");
  expect(end).toEqual({ outcome: "stopped", count: undefined });
  expect(targets).toContain("log_rights");
  expect(targets).not.toContain("certificates");
  expect(targets).not.toContain("open_metrics");
});

it("a security scan fails if its process ends, and does not count as done", async () => {
  const server = await silentServer();
  const fixture = await commandApi({ publicUrl: `https://${server.host}` });
  const id = await begin(fixture, "security-scan");
  await server.asked;
  await fixture.api.jobs.end();
  const { state, error_code, end } = await endOf(fixture, id);
  expect([state, error_code, end.outcome]).toEqual(["failed", "interrupted", "failed"]);
});

it("a backup fails if its process ends, and does not count as done", async () => {
  const begun = Promise.withResolvers<void>();
  const make: RunBackup = (signal) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ outcome: "failed", reason: "other" }));
      begun.resolve();
    });
  const fixture = await commandApi({ backups: { make, time: "02:00" } });
  const id = await begin(fixture, "backup");
  await begun.promise;
  await fixture.api.jobs.end();
  const { state, error_code, end } = await endOf(fixture, id);
  expect([state, error_code, end.outcome]).toEqual(["failed", "interrupted", "failed"]);
});

it("a check for updates that waits for the package registry stops immediately and aborts the query", async () => {
  const server = await silentServer();
  vi.stubEnv("npm_config_registry", `http://${server.host}/`);
  const fixture = await commandApi({ updateCheck: "on" });
  const id = await begin(fixture, "check-updates");
  const socket = await server.asked;
  const closed = once(socket.resume(), "close");
  expect((await stop(fixture, id)).statusCode).toBe(200);
  const { state, targets, end } = await endOf(fixture, id);
  expect(state).toBe("stopped");
  expect(end).toEqual({ outcome: "stopped", count: undefined });
  expect(targets).toEqual(["version", "node", "processes", "build", "build_scan"]);
  await closed;
});
