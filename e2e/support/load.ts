import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { chargeback } from "./reports.ts";

/** Statuses that a client retries: the registry, or a part of it, is down. */
const PASSING = new Set([500, 502, 503, 504]);
const RETRY_MS = 200;

export interface AcknowledgedReport {
  readonly id: string;
  readonly title: string;
  approved: boolean;
}

/** Clients that submit, approve and verify. Each step is retried under one key until it is acknowledged. */
export class Load {
  readonly #url: string;
  readonly #token: string;
  readonly #links: () => string | undefined;
  readonly #stopping = new AbortController();
  /** Reports whose submission succeeded. */
  readonly reports: AcknowledgedReport[] = [];
  /** Verification links opened successfully. */
  verified = 0;
  /** Requests that succeeded. */
  acknowledged = 0;
  /** Requests that lost their connection or were told to retry. */
  retried = 0;
  /** Replies that no client should get. */
  readonly refused: string[] = [];

  /**
   * @param token of an admin.
   * @param links returns the link of the next verification email.
   */
  constructor(options: { url: string; token: string; links: () => string | undefined }) {
    this.#url = options.url;
    this.#token = options.token;
    this.#links = options.links;
  }

  /** Runs the load; resolves after `stop`, once every client has its last reply. */
  async run(clients: number): Promise<void> {
    const { signal } = this.#stopping;
    const reporter = async () => {
      while (!signal.aborted) await this.#report();
    };
    const follower = async () => {
      while (!signal.aborted) {
        const token = this.#links();
        if (token && (await this.#post(`/prod/api/verify-email/${token}`, {}))) this.verified += 1;
        else await delay(RETRY_MS);
      }
    };
    await Promise.all([...Array.from({ length: clients }, reporter), follower()]);
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #report(): Promise<void> {
    // Letters only: in one of a few thousand UUIDs the digits look like a card number, which is refused.
    const letters = randomUUID().replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)));
    const title = `Order ${letters}`;
    const reporter_email = `${randomUUID()}@shop.example`;
    const body = { ...chargeback, title, reporter_email };
    const answer = await this.#post("/prod/api/reports/submit", body);
    if (!answer) return;
    const report = { id: answer.data?.id ?? "", title, approved: false };
    this.reports.push(report);
    if (this.reports.length % 2 === 0) return;
    const approve = `/prod/api/admin/reports/${report.id}/approve`;
    report.approved = (await this.#post(approve, {}, this.#token)) !== undefined;
  }

  /** Repeats one request under one key until it is answered. */
  async #post(
    path: string,
    body: object,
    token?: string,
  ): Promise<{ data?: { id: string } } | undefined> {
    const key = randomUUID();
    for (;;) {
      try {
        const answer = await fetch(this.#url + path, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "idempotency-key": key,
            ...(token ? { authorization: `Bearer ${token}` } : {}),
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(20_000),
        });
        const text = await answer.text();
        if (answer.ok) {
          this.acknowledged += 1;
          return JSON.parse(text);
        }
        if (!PASSING.has(answer.status)) {
          this.refused.push(`${path}: ${answer.status} ${text}`);
          return undefined;
        }
      } catch {
        // The connection was refused or lost, so it's unknown whether the request was accepted.
      }
      this.retried += 1;
      await delay(RETRY_MS);
    }
  }
}
