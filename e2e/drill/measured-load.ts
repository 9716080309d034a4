import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Upload } from "#contracts/http/evidence.ts";
import { UPLOAD_SECRET } from "#contracts/report/evidence-rules.ts";
import { UPLOADS } from "#http/bounds.ts";
import { pdf } from "#pictures/testing/made-files.ts";
import type { ManyProcesses } from "../support/many-processes.ts";
import { createRegistryClient, dataOf, type RegistryClient } from "../support/registry-client.ts";
import { chargeback } from "../support/reports.ts";

/** What is asked for while parts fail. */
export const KINDS = ["list", "search", "page", "submit", "upload"] as const;
export type Kind = (typeof KINDS)[number];

/** One request through HAProxy. Times in milliseconds since the load began. */
export interface Asked {
  readonly kind: Kind;
  readonly begun: number;
  readonly ended: number;
  /** 0 for a connection that was refused or broken. */
  readonly status: number;
}

const READS: Readonly<Record<Exclude<Kind, "submit" | "upload">, string>> = {
  list: "/prod/api/reports/recent",
  search: "/prod/api/reports/search?q=load",
  page: "/",
};
const REPORTERS = 3;
/** Between two reads of one visitor: the load is small, so that waits are of what fails and not of the machine. */
const BETWEEN_READS_MS = 50;
/** Between two reports that come with a file. */
const BETWEEN_FILES_MS = 500;
/** Between two approvals, which is below what a moderator may do in a minute. */
const BETWEEN_APPROVALS_MS = 1_000;
/** Between two attempts of one reporter. */
const BETWEEN_TRIES_MS = 1_000;
/** No request waits longer: HAProxy's own limits are shorter. */
const LIMIT_MS = 60_000;
const DOMAIN = "load.example";

/**
 * Reporters who repeat each report until it is acknowledged, one of them with files, a moderator who
 * approves some of them, and visitors who read.
 */
export class MeasuredLoad {
  /** Ids of acknowledged reports, by the reporter's address. */
  readonly acknowledged = new Map<string, string>();
  /** Ids of acknowledged files. */
  readonly files: string[] = [];
  /** Ids of reports whose approval was acknowledged: these are in the search. */
  readonly approved: string[] = [];
  readonly asked: Asked[] = [];
  readonly #registry: ManyProcesses;
  readonly #moderator: RegistryClient;
  readonly #running: Promise<unknown>;
  #goesOn = true;
  #reports = 0;

  /** @param moderator signs in when it has to. */
  constructor(registry: ManyProcesses, moderator: RegistryClient) {
    this.#registry = registry;
    this.#moderator = moderator;
    this.#running = Promise.all([
      ...Array.from({ length: REPORTERS }, () => this.#report()),
      this.#reportWithFiles(),
      this.#approve(),
      ...Object.entries(READS).map(([kind, path], n) => this.#read(kind as Kind, path, n)),
    ]);
  }

  /** Lets every report that was begun be acknowledged. */
  async end(): Promise<void> {
    this.#goesOn = false;
    await this.#running;
  }

  async #read(kind: Kind, path: string, network: number): Promise<void> {
    for (let visitor = 0; this.#goesOn; visitor = (visitor + 1) % 250) {
      const headers = { "x-forwarded-for": `10.0.${network}.${visitor}` };
      await this.#timed(kind, (signal) =>
        fetch(this.#registry.url + path, { headers, signal }).then(async (answer) => {
          await answer.arrayBuffer();
          return answer;
        }),
      );
      await delay(BETWEEN_READS_MS);
    }
  }

  async #report(): Promise<void> {
    while (this.#goesOn) await this.#submit(this.#reports++);
  }

  async #reportWithFiles(): Promise<void> {
    while (this.#goesOn) {
      const number = this.#reports++;
      const { id, secret } = await this.#upload(number);
      this.files.push(id);
      await this.#submit(number, { evidence: [{ id, secret, name: "invoice.pdf" }] });
      await delay(BETWEEN_FILES_MS);
    }
  }

  async #submit(number: number, more: object = {}): Promise<void> {
    const email = `reporter-${number}@${DOMAIN}`;
    const client = createRegistryClient(this.#registry);
    const call = {
      headers: { "idempotency-key": randomUUID() },
      body: {
        ...chargeback,
        last_name: "Load",
        title: `From ${email}`,
        reporter_email: email,
        ...more,
      },
    };
    const answer = await this.#insist("submit", number, (visitor) =>
      client.call("POST", "/prod/api/reports/submit", { ...call, visitor }),
    );
    this.acknowledged.set(email, (await dataOf(answer)).id);
  }

  async #approve(): Promise<void> {
    while (this.#goesOn) {
      await delay(BETWEEN_APPROVALS_MS);
      const newest = [...this.acknowledged.values()].at(-1);
      if (newest === undefined || newest === this.approved.at(-1)) continue;
      await this.#insistOnApproval(newest);
      this.approved.push(newest);
    }
  }

  /** Repeats one approval, under one key, until it is acknowledged. */
  async #insistOnApproval(id: string): Promise<void> {
    const call = { headers: { "idempotency-key": randomUUID() }, body: {} };
    for (;;) {
      const answer = await this.#moderator
        .call("POST", `/prod/api/admin/reports/${id}/approve`, call)
        .catch(() => undefined);
      if (answer?.ok) return;
      // The run may last longer than a sign-in.
      if (answer?.status === 401) await this.#moderator.signIn().catch(() => undefined);
      else if (answer && answer.status < 500 && answer.status !== 429)
        throw new Error(`an approval was refused with ${answer.status}`);
      await delay(BETWEEN_TRIES_MS);
    }
  }

  /** Each attempt has the same secret, and so replaces what the one before it left. */
  async #upload(number: number): Promise<Upload> {
    const secret = randomBytes(32).toString("base64url");
    const answer = await this.#insist("upload", number, (visitor, signal) =>
      fetch(this.#registry.url + UPLOADS, {
        method: "POST",
        headers: {
          "content-type": "application/octet-stream",
          "x-forwarded-for": visitor,
          [UPLOAD_SECRET]: secret,
        },
        body: new Uint8Array(pdf(`4 0 obj<</Load ${number}>>endobj\n`)),
        signal,
      }),
    );
    return await dataOf(answer);
  }

  /** Repeats a request until it is acknowledged. */
  async #insist(
    kind: Kind,
    number: number,
    ask: (visitor: string, signal: AbortSignal) => Promise<Response>,
  ): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      // From another address each time, as a failure may last longer than one address may try.
      const visitor = `10.${1 + (tries % 200)}.${number >> 8}.${number & 255}`;
      const answer = await this.#timed(kind, (signal) => ask(visitor, signal));
      if (answer?.ok) return answer;
      await delay(BETWEEN_TRIES_MS);
    }
  }

  async #timed(
    kind: Kind,
    ask: (signal: AbortSignal) => Promise<Response>,
  ): Promise<Response | undefined> {
    const begun = performance.now();
    const answer = await ask(AbortSignal.timeout(LIMIT_MS)).catch(() => undefined);
    this.asked.push({ kind, begun, ended: performance.now(), status: answer?.status ?? 0 });
    return answer;
  }
}
