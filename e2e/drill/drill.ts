import { randomBytes, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UPLOAD_SECRET } from "#contracts/report/evidence-rules.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { UPLOADS } from "#http/bounds.ts";
import { pdf } from "#pictures/testing/made-files.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { expectEachReportOnce } from "../support/lose-one-of-each.ts";
import {
  type ManyProcesses,
  type ManyProcessesOptions,
  startManyProcesses,
} from "../support/many-processes.ts";
import { createRegistryClient, dataOf, TIMEOUT_MS } from "../support/registry-client.ts";
import { chargeback } from "../support/reports.ts";

const BEFORE_MS = 3_000;
const FAULT_MS = 20_000;
/** Reports accepted before the first failure. */
const FIRST = 20;
const REPORTERS = 3;
/**
 * Between two reads of one visitor: the load is small, so that waits come from the failure and not from the
 * machine.
 */
const BETWEEN_READS_MS = 50;
/** Between two reports with a file, two approvals or two attempts: below the limits per minute. */
const PAUSE_MS = 1_000;
/** No request waits longer: HAProxy's own timeouts are shorter. */
const LIMIT_MS = 60_000;

const READS = {
  list: "/prod/api/reports/recent",
  search: "/prod/api/reports/search?q=load",
  page: "/",
};
const KINDS = ["list", "search", "page", "submit", "upload"] as const;
type Kind = (typeof KINDS)[number];

/** A part that fails, and how the failure ends. */
export interface Fault {
  readonly name: string;
  /** The longest that any answer may take, if another process takes over. */
  readonly mostMs?: number;
  /** Why it can't be tried here; undefined if it can. */
  readonly absent?: () => string | undefined;
  readonly begin: (registry: ManyProcesses) => unknown;
  readonly end: (registry: ManyProcesses) => unknown;
}

/**
 * Starts reporters who retry each report until it is acknowledged, one of them with files, a moderator who
 * approves some of them, and visitors who read.
 */
function startLoad(registry: ManyProcesses, moderator: ReturnType<typeof createRegistryClient>) {
  /** Ids of reports by the reporter's address, of files, and of approved reports, all acknowledged. */
  const acknowledged = new Map<string, string>();
  const files: string[] = [];
  const approved: string[] = [];
  /** Each request, with status 0 for a refused or broken connection. */
  const asked: { kind: Kind; begun: number; ended: number; status: number }[] = [];
  let goesOn = true;
  let reports = 0;

  async function timed(kind: Kind, ask: (signal: AbortSignal) => Promise<Response>) {
    const begun = performance.now();
    const answer = await ask(AbortSignal.timeout(LIMIT_MS)).catch(() => undefined);
    asked.push({ kind, begun, ended: performance.now(), status: answer?.status ?? 0 });
    return answer;
  }

  async function insist(ask: (tries: number) => Promise<Response | undefined>): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      const answer = await ask(tries);
      if (answer?.ok) return answer;
      await delay(PAUSE_MS);
    }
  }

  // From a different address each time: a failure may outlast the attempts that one address is allowed.
  const visitorOf = (number: number, tries: number) =>
    `10.${1 + (tries % 200)}.${number >> 8}.${number & 255}`;

  async function read(kind: Kind, path: string, network: number): Promise<void> {
    for (let visitor = 0; goesOn; visitor = (visitor + 1) % 250) {
      const headers = { "x-forwarded-for": `10.0.${network}.${visitor}` };
      await timed(kind, async (signal) => {
        const answer = await fetch(registry.url + path, { headers, signal });
        await answer.arrayBuffer();
        return answer;
      });
      await delay(BETWEEN_READS_MS);
    }
  }

  async function report(number: number, more: object = {}): Promise<void> {
    const reporter_email = `reporter-${number}@load.example`;
    const title = `From ${reporter_email}`;
    const client = createRegistryClient(registry);
    const headers = { "idempotency-key": randomUUID() };
    const body = { ...chargeback, last_name: "Load", title, reporter_email, ...more };
    const answer = await insist((tries) =>
      timed("submit", () => {
        const call = { headers, body, visitor: visitorOf(number, tries) };
        return client.call("POST", "/prod/api/reports/submit", call);
      }),
    );
    acknowledged.set(reporter_email, (await dataOf(answer)).id);
  }

  /** Each attempt has the same secret, so it replaces what the previous one left. */
  async function reportWithFile(number: number): Promise<void> {
    const headers = {
      "content-type": "application/octet-stream",
      [UPLOAD_SECRET]: randomBytes(32).toString("base64url"),
    };
    const body = new Uint8Array(pdf(`4 0 obj<</Load ${number}>>endobj\n`));
    const answer = await insist((tries) =>
      timed("upload", (signal) => {
        const from = { "x-forwarded-for": visitorOf(number, tries) };
        const sent = { method: "POST", headers: { ...headers, ...from }, body, signal };
        return fetch(registry.url + UPLOADS, sent);
      }),
    );
    const { id, secret } = await dataOf(answer);
    files.push(id);
    await report(number, { evidence: [{ id, secret, name: "invoice.pdf" }] });
    await delay(PAUSE_MS);
  }

  async function approve(): Promise<void> {
    await delay(PAUSE_MS);
    const newest = [...acknowledged.values()].at(-1);
    if (newest === undefined || newest === approved.at(-1)) return;
    const call = { headers: { "idempotency-key": randomUUID() }, body: {} };
    await insist(async () => {
      const path = `/prod/api/admin/reports/${newest}/approve`;
      const answer = await moderator.call("POST", path, call).catch(() => undefined);
      // The run may outlast a sign-in.
      if (answer?.status === 401) await moderator.signIn().catch(() => undefined);
      else if (answer && !answer.ok && answer.status < 500 && answer.status !== 429)
        throw new Error(`an approval was refused with ${answer.status}`);
      return answer;
    });
    approved.push(newest);
  }

  const repeat = async (work: () => Promise<void>) => {
    while (goesOn) await work();
  };
  const running = Promise.all([
    ...Array.from({ length: REPORTERS }, () => repeat(() => report(reports++))),
    repeat(() => reportWithFile(reports++)),
    repeat(approve),
    ...Object.entries(READS).map(([kind, path], n) => read(kind as Kind, path, n)),
  ]);
  /** Waits until every report that was begun is acknowledged. */
  async function end(): Promise<void> {
    goesOn = false;
    await running;
  }
  return { acknowledged, files, approved, asked, end };
}

/** Makes one part after another fail, for twenty seconds each, and measures what visitors notice. */
export function drill(
  name: string,
  faults: readonly Fault[],
  prepare: () => Promise<ManyProcessesOptions>,
): void {
  let registry: ManyProcesses;
  let client: ReturnType<typeof createRegistryClient>;
  let load: ReturnType<typeof startLoad>;
  const table = [
    "| what fails, for 20 s | list | search | page | submit | file | refused | answers after | read models after |",
    "|---|---|---|---|---|---|---|---|---|",
  ];
  function note(line: string): void {
    table.push(line);
    console.log(line);
  }

  beforeAll(async () => {
    registry = await startManyProcesses(await prepare());
    client = createRegistryClient(registry);
    load = startLoad(registry, client);
    await eventually("reports are taken", () => load.acknowledged.size >= FIRST, TIMEOUT_MS);
  });
  afterAll(async () => {
    console.log(table.join("\n"));
    await registry?.close();
  });

  describe(name, () => {
    it.for(faults)("keeps going when $name", async (fault, { skip }) => {
      const absent = fault.absent?.();
      if (absent) skip(absent);
      await delay(BEFORE_MS);
      const begun = performance.now();
      await fault.begin(registry);
      await delay(FAULT_MS);
      await fault.end(registry);
      const mended = performance.now();
      const first = (kind: Kind) =>
        load.asked.find((one) => one.kind === kind && one.begun >= mended && isGood(one.status));
      await eventually("everything answers", () => KINDS.every(first), TIMEOUT_MS);
      const back = Math.max(...KINDS.map((kind) => (first(kind)?.ended ?? 0) - mended));
      // Requests in flight when the failure begins wait for it too.
      const asked = load.asked.filter(({ ended }) => ended >= begun);
      const waits = KINDS.map((kind) =>
        asked
          .filter((one) => one.kind === kind)
          .reduce((most, one) => Math.max(most, one.ended - Math.max(one.begun, begun)), 0),
      );
      const refused = Map.groupBy(
        asked.filter(({ status }) => !isGood(status)),
        ({ kind, status }) => `${kind} ${status || "broken"}`,
      );
      const refusals = [...refused].map(([what, all]) => `${what}: ${all.length}`).join(", ");
      await everythingIsProjected(registry);
      const projected = performance.now() - mended;
      const times = [
        ...waits.map(seconds),
        refusals || "nothing",
        seconds(back),
        seconds(projected),
      ];
      note(`| ${[fault.name, ...times].join(" | ")} |`);
      for (const [n, wait] of waits.entries())
        if (fault.mostMs) expect.soft(wait, KINDS[n]).toBeLessThanOrEqual(fault.mostMs);
    });

    it("loses nothing that it acknowledged, and does nothing twice", async () => {
      await load.end();
      await client.signIn();
      await expectEachReportOnce(client, load.acknowledged);
      await client.finds("load", load.approved.length);
      const { rows } = await registry.db.query("select 1 from processor.parked_stream");
      expect(rows).toEqual([]);
      note(`${load.acknowledged.size} reports were acknowledged: each is there once.`);
      note(`${load.approved.length} approvals were acknowledged: each is in the search once.`);
    });

    it("stores each acknowledged file once, and no other", async () => {
      const options = { recursive: true, withFileTypes: true } as const;
      // A killed process leaves unfinished files for an hour.
      const stored = (await readdir(registry.filesFolder, options)).filter(
        (each) => each.isFile() && !each.parentPath.endsWith("unfinished"),
      );
      expect(stored.map((file) => file.name).toSorted()).toEqual(load.files.toSorted());
      note(`${stored.length} files were acknowledged: each is there once.`);
    });

    it("emails each reporter whose report was acknowledged", async () => {
      const { db, mail } = registry;
      // Emails held by a killed mailer are due when its lease expires.
      await db.query("update outbox.mail set leased_until = now() where state = 'queued'");
      const addresses = [...load.acknowledged.keys()];
      const isMailed = () => {
        const got = new Set(mail.mails.map(({ to }) => to));
        return addresses.every((address) => got.has(address));
      };
      await eventually("every link is emailed", isMailed, TIMEOUT_MS);
      const ids = mail.mails.map(({ id }) => id);
      note(`${ids.length - new Set(ids).size} of ${ids.length} mails came again.`);
    });
  });
}

/** Waits until each read model and the search have caught up with the log. */
async function everythingIsProjected({ eventStoreUrl, pairs, postgres }: ManyProcesses) {
  // Uses new connections: those to a failed store may be broken.
  const url = /^postgres/.test(eventStoreUrl) ? postgres.url : eventStoreUrl;
  const log = await openEventStore(url, { install: false });
  const head = await log.head().finally(() => log.close());
  /** Returns how far each processor is, from the projector that is furthest along. */
  const positions = async () => {
    const reached = new Map<string, string>();
    for (const projector of pairs.projector) {
      if (projector.child.signalCode !== null) continue;
      const signal = AbortSignal.timeout(5_000);
      const { checks = {} } = await fetch(`${await projector.url()}/readyz`, { signal })
        .then((answer) => answer.json() as Promise<Readiness>)
        .catch((): Readiness => ({}));
      for (const [name, { detail: { state, position } = {} }] of Object.entries(checks))
        if (state !== undefined && (position ?? "") >= (reached.get(name) ?? ""))
          reached.set(name, position ?? "");
    }
    return [...reached.values()];
  };
  const isThere = async () => {
    const all = await positions();
    return all.length > 0 && all.every((each) => each >= head);
  };
  await eventually(`everything is projected up to ${head}`, isThere, TIMEOUT_MS);
}

interface Readiness {
  readonly checks?: Record<string, { detail?: { state?: string; position?: string } }>;
}

const isGood = (status: number) => status >= 200 && status < 400;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
