import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { besideRow, LIST_END, PLACE } from "#contracts/http/list-place.ts";
import { MAILS_AT_ONCE } from "#runtime/config/variables.ts";
import { eventually } from "#test-kit/reached-position.ts";
import type { ManyProcesses } from "./many-processes.ts";
import { dataOf, type RegistryClient, TIMEOUT_MS } from "./registry-client.ts";
import { chargeback } from "./reports.ts";

const REPORTERS = 4;
/** Keeps a reporter below the submission limit, which counts each attempt, while a server starts. */
const BETWEEN_TRIES_MS = 1_000;
/** Reports that must be acknowledged before the kill, and again after it. */
const ENOUGH = 20;
/** Most emails that one mailer sends concurrently. */
const HANDS = MAILS_AT_ONCE;
const PAGE = 200;
/** Domain of the reporters' addresses. Emails to other domains are not held. */
const DOMAIN = "load.example";

/**
 * Kills one process of each pair with SIGKILL while reports are submitted, pages are read and both mailers are
 * busy. Then compares what is stored with what was acknowledged.
 * @param client signed in as an admin.
 * @returns IDs of the acknowledged reports.
 */
export async function loseOneOfEach(
  registry: ManyProcesses,
  client: RegistryClient,
): Promise<string[]> {
  const { mail, pairs } = registry;
  const load = startLoad(registry, client);
  let heldAtTheKill: string[] = [];
  mail.hold(DOMAIN);
  try {
    await load.until("reports, and emails held by both mailers", (acknowledged) => {
      return acknowledged >= ENOUGH && mail.held >= 2 * HANDS;
    });
    const victims = [
      pairs["command-api"][0],
      await registry.ownerOf("outbox"),
      pairs.mailer[0],
      pairs["query-api"][0],
      pairs.web[0],
    ];
    for (const { child } of victims) child.kill("SIGKILL");
    for (const { exited } of victims) expect((await exited).signal).toBe("SIGKILL");
    heldAtTheKill = (await queuedMails(registry)).flatMap(({ lease }) => lease ?? []);
    const before = load.acknowledged.size;
    mail.release();
    await load.until("reports after the kill", (acknowledged) => acknowledged >= before + ENOUGH);
  } finally {
    mail.release();
    await load.end();
  }
  expect(load.refusals, failuresOf(registry)).toEqual([]);
  await expectEachReportOnce(client, load.acknowledged);

  // The killed mailer's emails are due when its leases expire, in minutes. The test expires them now.
  expect(heldAtTheKill).toHaveLength(2 * HANDS);
  const unsent = async () => (await queuedMails(registry)).map(({ lease }) => lease ?? "none");
  await eventually(
    "only the killed mailer's emails are unsent",
    async () => (await unsent()).every((lease) => heldAtTheKill.includes(lease)),
    TIMEOUT_MS,
  );
  await registry.db.query("update outbox.mail set leased_until = now() where lease = any($1)", [
    heldAtTheKill,
  ]);
  await eventually("every email was sent", async () => (await unsent()).length === 0, TIMEOUT_MS);
  await expectOneMailEach(registry, [...load.acknowledged.keys()]);
  return [...load.acknowledged.values()];
}

/** HAProxy's log lines for 503 replies, since only it knows which backend sent them. */
const failuresOf = ({ haproxy }: ManyProcesses) =>
  haproxy
    .output()
    .split("\n")
    .filter((line) => line.includes('"status":503'))
    .join("\n");

export interface Load {
  /** IDs of acknowledged reports, by the reporter's address. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Statuses of failed replies to visitors. */
  readonly refusals: readonly number[];
  /**
   * Keeps the load running until the condition holds.
   * @throws the first error of a reporter or a visitor.
   */
  until(what: string, condition: (acknowledged: number) => boolean): Promise<void>;
  end(): Promise<void>;
}

/** Reporters submit one report after another, and visitors read one page after another. */
export function startLoad(registry: ManyProcesses, client: RegistryClient): Load {
  const acknowledged = new Map<string, string>();
  const refusals: number[] = [];
  let goesOn = true;
  let count = 0;

  /** Submits one report and retries until it is acknowledged. */
  async function report(): Promise<void> {
    const number = count++;
    const email = `reporter-${number}@${DOMAIN}`;
    const title = `From ${email}`;
    const call = {
      headers: { "idempotency-key": randomUUID() },
      body: { ...chargeback, last_name: "Load", title, reporter_email: email },
      visitor: `10.1.${number >> 8}.${number & 255}`,
    };
    await eventually(
      `the report from ${email} is accepted`,
      async () => {
        const path = "/prod/api/reports/submit";
        const answer = await client.call("POST", path, call).catch(() => undefined);
        if (!answer?.ok) {
          // 503 asks for a retry. Any other status would refuse a valid request.
          expect(answer?.status ?? 503).toBe(503);
          await delay(BETWEEN_TRIES_MS);
          return false;
        }
        acknowledged.set(email, (await dataOf(answer)).id);
        return true;
      },
      TIMEOUT_MS,
    );
  }

  /** A reply may be cut off midway, but none may report a failure. */
  async function visit(path: string, network: number): Promise<void> {
    for (let visitor = 0; goesOn; visitor = (visitor + 1) % 250) {
      const headers = { "x-forwarded-for": `10.0.${network}.${visitor}` };
      const answer = await fetch(registry.url + path, { headers }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer && !answer.ok) refusals.push(answer.status);
    }
  }

  const all = Promise.all([
    ...Array.from({ length: REPORTERS }, async () => {
      while (goesOn) await report();
    }),
    ...["/prod/api/reports/recent", "/", "/admin"].map(visit),
  ]);
  all.catch(() => {
    goesOn = false;
  });
  return {
    acknowledged,
    refusals,
    async until(what, condition) {
      const holds = () => !goesOn || condition(acknowledged.size);
      await eventually(what, holds, TIMEOUT_MS);
      if (!goesOn) await all;
    },
    async end() {
      goesOn = false;
      await all;
    },
  };
}

/** Checks that every acknowledged report exists exactly once, and that the load left no others. */
export async function expectEachReportOnce(
  client: RegistryClient,
  acknowledged: ReadonlyMap<string, string>,
): Promise<void> {
  expect(new Set(acknowledged.values()).size).toBe(acknowledged.size);
  let rows: { id: string; title: string }[] = [];
  await eventually(
    "the other projector took over",
    async () => {
      rows = (await listedReports(client)).filter(({ title }) => title.endsWith(`@${DOMAIN}`));
      return rows.length >= acknowledged.size;
    },
    TIMEOUT_MS,
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual([...acknowledged.values()].toSorted());
  expect(rows.map(({ title }) => title).toSorted()).toEqual(
    [...acknowledged.keys()].map((email) => `From ${email}`).toSorted(),
  );
}

/**
 * Returns every report that moderators see; none while reads are older than the last submit.
 * @throws on any other refusal, which waiting would not fix.
 */
async function listedReports(client: RegistryClient): Promise<{ id: string; title: string }[]> {
  const rows: { id: string; title: string }[] = [];
  let last: string | null = null;
  for (let from = 0; ; from += PAGE) {
    const query = new URLSearchParams({ range: `[${from},${from + PAGE - 1}]` });
    // Pages past the 10,000th row need the row before them as a cursor.
    if (last) query.set(PLACE, besideRow("after", last));
    const answer = await client.call("GET", `/prod/admin/reports?${query}`);
    if (answer.status === 503) return [];
    if (!answer.ok) throw new Error(`the list of reports was refused with ${answer.status}`);
    const page = (await answer.json()) as typeof rows;
    rows.push(...page);
    if (page.length < PAGE) return rows;
    last = answer.headers.get(LIST_END);
  }
}

async function queuedMails({ db }: ManyProcesses): Promise<{ lease: string | null }[]> {
  const { rows } = await db.query<{ lease: string | null }>(
    "select lease from outbox.mail where state = 'queued'",
  );
  return rows;
}

/** The killed mailer had not sent its emails, so each was attempted twice and sent once. */
async function expectOneMailEach(
  { db, mail }: ManyProcesses,
  addresses: readonly string[],
): Promise<void> {
  const got = new Map<string, number>();
  for (const { to } of mail.mails) got.set(to, (got.get(to) ?? 0) + 1);
  expect(addresses.map((address) => [address, got.get(address)])).toEqual(
    addresses.map((address) => [address, 1]),
  );
  const { rows } = await db.query<{ state: string; again: string }>(
    `select state, count(*) filter (where attempts > 1) as again from outbox.mail
     where kind = 'verification' group by state`,
  );
  expect(rows).toEqual([{ state: "sent", again: String(HANDS) }]);
}

/** Stops the remaining processes with SIGTERM and expects clean exits. */
export async function expectCleanEnds({ pairs }: ManyProcesses, count: number) {
  const all = Object.values(pairs).flat();
  const left = all.filter(({ child }) => child.signalCode === null);
  expect(left).toHaveLength(count);
  for (const { child } of left) child.kill("SIGTERM");
  for (const { name, exited } of left)
    expect([name, await exited]).toEqual([name, { code: 0, signal: null }]);
}
