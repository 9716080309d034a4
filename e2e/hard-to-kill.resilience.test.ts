import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataPaths } from "#launcher/data-folder.ts";
import { clusterProcesses, endLeftovers } from "#local-servers/postgres/open.ts";
import { freePort, readPostmaster } from "#local-servers/postgres/server.ts";
import { type MailCatcher, startMailCatcher } from "#test-kit/mail-catcher.ts";
import { type Random, seededRandom } from "#test-kit/random.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { onDatabase } from "./support/database.ts";
import { Load } from "./support/load.ts";
import { type Registry, runCommand, spawnRegistry, untilPrinted } from "./support/registry.ts";

/** Kills of the whole system, and as many of PostgreSQL alone. */
const KILLS = 10;
const CLIENTS = 6;
/** Long enough for a slow machine. */
const TIMEOUT_MS = 180_000;
/** A worker's lease on an email, in seconds. */
const MAIL_LEASE_SECONDS = 120;

let scratch: string;
let dataDir: string;
let port: number;
let inbox: MailCatcher;
let registry: Registry;
let random: Random;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-killed-"));
  dataDir = path.join(scratch, "data");
  random = seededRandom("a registry that is killed");
  inbox = await startMailCatcher();
  port = await freePort();
  await start();
});
afterAll(async () => {
  registry?.signal("SIGKILL");
  await registry?.exited;
  await endLeftovers(dataPaths(dataDir).cluster);
  await inbox?.close();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
});

const settings = () => ({ SMTP_URL: inbox.url, RATE_LIMIT: "off" });

/** Starts the registry on the same data and waits until it is ready. */
async function start(): Promise<void> {
  // Assigned immediately, so that it is killed even if nothing waits for it anymore.
  registry = await spawnRegistry({ dataDir, port, env: settings() });
  await untilPrinted(registry, /^Ready after /m);
}

async function signIn(): Promise<string> {
  const printed = (label: string) =>
    new RegExp(`^${label}: (.+)$`, "m").exec(registry.output())?.[1];
  const answer = await fetch(`${registry.url}/prod/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: printed("Admin email"), password: printed("Admin password") }),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  return data.token;
}

async function query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  return onDatabase(dataDir, async (client) => (await client.query<T>(text, values)).rows);
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It had already ended.
  }
}

/** Kills the launcher and every process of its PostgreSQL at the same moment. */
async function killEverything(): Promise<void> {
  const processes = await clusterProcesses(dataPaths(dataDir).cluster);
  for (const pid of [registry.pid, ...processes]) sendKill(pid);
  expect((await registry.exited).signal).toBe("SIGKILL");
}

async function killPostgres(): Promise<void> {
  const { pid } = await readPostmaster(dataPaths(dataDir).cluster);
  sendKill(pid as number);
  expect((await registry.exited).code).toBe(1);
  expect(registry.output()).toContain("PostgreSQL ended unexpectedly (SIGKILL)");
}

/** Returns everything that the console lists, page by page. */
async function listed(token: string): Promise<{ id: string; title: string; status: string }[]> {
  const found: { id: string; title: string; status: string }[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await fetch(
      `${registry.url}/prod/api/admin/reports?page=${page}&limit=100&sort=created_at&order=asc`,
      { headers: { authorization: `Bearer ${token}` } },
    );
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: { reports: typeof found; total: number } };
    found.push(...data.reports);
    if (data.reports.length === 0 || found.length >= data.total) return found;
  }
}

interface MailRow {
  readonly id: string;
  readonly state: "queued" | "sent" | "dropped";
  readonly attempts: number;
  readonly reason: string | null;
}

const mailRows = () =>
  query<MailRow>("select id, state, attempts, dropped_reason as reason from outbox.mail");

async function isProjected(): Promise<boolean> {
  const [row] = await query<{ done: boolean }>(
    `select bool_and(position >= lpad((select max(position) from event_log.event)::text, 20, '0'))
       as done from processor.checkpoint`,
  );
  return row?.done === true;
}

/** From this mailer's metrics: emails it took over although another mailer may have sent them. */
async function takenOver(): Promise<number> {
  const figures = await (await fetch(`${registry.url}/metrics`)).text();
  const found = /^mailer_retried_total\{[^}]*reason="lease_ended"[^}]*\} (\d+)$/m.exec(figures);
  return Number(found?.[1] ?? 0);
}

describe("a registry whose processes are killed under load", () => {
  it("stores everything acknowledged exactly once, and sends each email once except in the documented window", async () => {
    const token = await signIn();
    const followed = new Set<string>();
    const nextLink = () => {
      for (const { id, text } of inbox.mails) {
        if (followed.has(id)) continue;
        const link = /\/verify-email\/(\S+)/.exec(text)?.[1];
        if (!link) continue;
        followed.add(id);
        if (followed.size % 3 === 0) return link;
      }
      return undefined;
    };
    const load = new Load({ url: registry.url, token, links: nextLink });
    const running = load.run(CLIENTS);

    const kills = [
      ...Array.from({ length: KILLS }, () => killEverything),
      ...Array.from({ length: KILLS }, () => killPostgres),
    ];
    let lastStart = "";
    while (kills.length > 0) {
      const [kill] = kills.splice(random.between(0, kills.length - 1), 1);
      const goal = load.acknowledged + random.between(5, 60);
      await eventually("some more are acknowledged", () => load.acknowledged >= goal, TIMEOUT_MS);
      await kill?.();
      lastStart = new Date().toISOString();
      await start();
    }
    load.stop();
    await running;
    expect(load.refused).toEqual([]);

    await eventually("every processor is at the head of the log", isProjected, TIMEOUT_MS);
    // Leases of killed workers expire now, instead of in two minutes.
    const leftBehind = await query(
      `update outbox.mail set leased_until = now()
       where state = 'queued' and leased_until < $1::timestamptz + make_interval(secs => $2)
       returning id`,
      [lastStart, MAIL_LEASE_SECONDS],
    );
    // So do the delays of emails about decisions.
    await query(
      "update outbox.mail set next_attempt_at = null where state = 'queued' and attempts = 0",
    );
    await eventually(
      "every mail is sent or dropped",
      async () => (await mailRows()).every(({ state }) => state !== "queued"),
      TIMEOUT_MS,
    );
    await eventually("ready", async () => (await fetch(`${registry.url}/readyz`)).ok, TIMEOUT_MS);

    const reports = await listed(token);
    const byTitle = new Map(reports.map((report) => [report.title, report]));
    expect(reports.length).toBe(load.reports.length);
    expect(byTitle.size).toBe(reports.length);
    for (const { id, title, approved } of load.reports)
      expect(byTitle.get(title)).toMatchObject({ id, status: approved ? "approved" : "pending" });
    const events = await query<{ type: string; number: number }>(
      `select type, count(*)::int as number from event_log.event
       where stream like 'report-%' group by type order by type`,
    );
    expect(events).toEqual([
      { type: "ReportApproved", number: load.reports.filter(({ approved }) => approved).length },
      { type: "ReportSubmitted", number: load.reports.length },
      { type: "ReportVerifiedByLink", number: load.verified },
    ]);

    const mails = await mailRows();
    const newDevices = await query(
      `select 1 from event_log.event
       where type = 'SessionStarted' and data->>'device' = 'new'`,
    );
    expect(mails.length).toBe(
      events.reduce(
        (sum, { type, number }) => sum + (type === "ReportVerifiedByLink" ? 0 : number),
        newDevices.length,
      ),
    );
    const received = new Map<string, number>();
    for (const { id } of inbox.mails) {
      const [mail = ""] = id.slice(1).split("@");
      received.set(mail, (received.get(mail) ?? 0) + 1);
    }
    let twice = 0;
    for (const { id, state, attempts, reason } of mails) {
      const times = received.get(id) ?? 0;
      received.delete(id);
      // If someone opened the link before the email was marked, it is not sent again.
      const least = state === "sent" ? 1 : 0;
      expect(times, `${id} ${state} ${reason}`).toBeGreaterThanOrEqual(least);
      // More than once only if a worker died before marking it; the attempts count that.
      expect(times, `${id} ${state} after ${attempts} attempts`).toBeLessThanOrEqual(attempts);
      if (state === "dropped") expect(reason).toBe("superseded");
      if (times > 1) twice += 1;
    }
    expect([...received.keys()]).toEqual([]);
    const again = mails.filter(({ attempts }) => attempts > 1).length;
    expect(twice).toBeLessThanOrEqual(again);
    // The mailer's metric restarts with each process.
    expect(await takenOver()).toBeGreaterThanOrEqual(leftBehind.length);

    expect(await runCommand("audit-verify", [], { dataDir })).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^All \d+ events of \d+ streams are verified/m),
    });
    expect(await runCommand("parked", [], { dataDir })).toMatchObject({
      code: 0,
      output: expect.stringContaining("Nothing is parked."),
    });
    console.log(
      `${load.reports.length} reports, ${load.retried} requests sent again, ${mails.length} mails: ${again} taken up again, ${twice} of them sent twice`,
    );
    expect(await registry.stop()).toBe(0);
  }, 900_000);
});
