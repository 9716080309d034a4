import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ManyProcesses } from "../support/many-processes.ts";
import { createRegistryClient, dataOf } from "../support/registry-client.ts";
import { chargeback } from "../support/reports.ts";

/** What is asked for while parts fail. */
export const KINDS = ["list", "search", "page", "submit"] as const;
export type Kind = (typeof KINDS)[number];

/** One request through HAProxy. Times in milliseconds since the load began. */
export interface Asked {
  readonly kind: Kind;
  readonly begun: number;
  readonly ended: number;
  /** 0 for a connection that was refused or broken. */
  readonly status: number;
}

const READS: Readonly<Record<Exclude<Kind, "submit">, string>> = {
  list: "/prod/api/reports/recent",
  search: "/prod/api/reports/search?q=load",
  page: "/",
};
const REPORTERS = 3;
/** Between two reads of one visitor: the load is small, so that waits are of what fails and not of the machine. */
const BETWEEN_READS_MS = 50;
/** Keeps a reporter below the limit of submits, which counts each try. */
const BETWEEN_TRIES_MS = 1_000;
/** No request waits longer: HAProxy's own limits are shorter. */
const LIMIT_MS = 60_000;
const DOMAIN = "load.example";

/** Reporters who repeat each report until it is acknowledged, and visitors who read. */
export class MeasuredLoad {
  /** Ids of acknowledged reports, by the reporter's address. */
  readonly acknowledged = new Map<string, string>();
  readonly asked: Asked[] = [];
  readonly #registry: ManyProcesses;
  readonly #running: Promise<unknown>;
  #goesOn = true;
  #reports = 0;

  constructor(registry: ManyProcesses) {
    this.#registry = registry;
    this.#running = Promise.all([
      ...Array.from({ length: REPORTERS }, () => this.#report()),
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
    const client = createRegistryClient(this.#registry);
    while (this.#goesOn) {
      const number = this.#reports++;
      const email = `reporter-${number}@${DOMAIN}`;
      const call = {
        headers: { "idempotency-key": randomUUID() },
        body: { ...chargeback, last_name: "Load", title: `From ${email}`, reporter_email: email },
      };
      for (let tries = 0; ; tries += 1) {
        // From another address each time, as a failure may last longer than one address may try.
        const visitor = `10.${1 + (tries % 200)}.${number >> 8}.${number & 255}`;
        const answer = await this.#timed("submit", () =>
          client.call("POST", "/prod/api/reports/submit", { ...call, visitor }),
        );
        if (answer?.ok) {
          this.acknowledged.set(email, (await dataOf(answer)).id);
          break;
        }
        await delay(BETWEEN_TRIES_MS);
      }
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
