import { expect } from "vitest";
import { X_MIN_POSITION, X_POSITION } from "#contracts/http/position-headers.ts";
import type { CaughtMail } from "#test-kit/mail-catcher.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { ADMIN, type ManyProcesses } from "./many-processes.ts";
import { chargeback } from "./reports.ts";

/** Long enough for a busy machine; no test depends on its length. */
export const TIMEOUT_MS = 120_000;

export interface Call {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** IP address of an anonymous visitor; without it the admin sends the call, once signed in. */
  readonly visitor?: string;
}

/** One browser's requests through HAProxy, with read-your-writes. */
export interface RegistryClient {
  call(method: string, path: string, call?: Call): Promise<Response>;
  /** Retries until the reply is as expected, because waiting for a position has its own limit. */
  reads(path: string, wished: (found: unknown) => boolean): Promise<unknown>;
  /** Waits until a search finds this many reports. */
  finds(words: string, total: number): Promise<void>;
  mailTo(address: string): Promise<CaughtMail[]>;
  /** Submits a report as a visitor and opens the emailed link. @returns the report's ID. */
  submitAndConfirm(address: string): Promise<string>;
  /** Sends later calls as the first admin. */
  signIn(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what they should be
export const dataOf = async (answer: Response) => ((await answer.json()) as { data: any }).data;

export function createRegistryClient(registry: ManyProcesses): RegistryClient {
  let token = "";
  let position = "";

  const client: RegistryClient = {
    async call(method, path, { body, headers = {}, visitor } = {}) {
      const answer = await fetch(registry.url + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(token && !visitor ? { authorization: `Bearer ${token}` } : {}),
          ...(visitor ? { "x-forwarded-for": visitor } : {}),
          ...(position && method === "GET" ? { [X_MIN_POSITION]: position } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const written = answer.headers.get(X_POSITION) ?? "";
      if (method !== "GET" && written > position) position = written;
      return answer;
    },

    async reads(path, wished) {
      let found: unknown;
      await eventually(
        `${path} is as it should be`,
        async () => {
          const answer = await client.call("GET", path);
          found = answer.ok ? await dataOf(answer) : { status: answer.status };
          return wished(found);
        },
        TIMEOUT_MS,
      );
      return found;
    },

    async finds(words, total) {
      const path = `/prod/api/reports/search?q=${encodeURIComponent(words)}`;
      await client.reads(path, (found) => (found as { total?: number }).total === total);
    },

    async mailTo(address) {
      const mails = () => registry.mail.mails.filter(({ to }) => to === address);
      await eventually(`a mail to ${address}`, () => mails().length > 0, TIMEOUT_MS);
      return mails();
    },

    async submitAndConfirm(address) {
      const body = { ...chargeback, reporter_email: address };
      // If the admin submitted it, they couldn't decide on it.
      const visitor = "203.0.113.20";
      const answer = await client.call("POST", "/prod/api/reports/submit", { body, visitor });
      expect(answer.status).toBe(200);
      const { id } = await dataOf(answer);
      const [mail] = await client.mailTo(address);
      const link = /http:\/\/registry\.example(\/verify-email\/\S+)/.exec(mail?.text ?? "")?.[1];
      expect((await fetch(`${registry.url}${link}`)).status).toBe(200);
      const verified = await client.call("POST", `/prod/api${link}`, { body: {} });
      expect([verified.status, await verified.text()]).toEqual([200, expect.any(String)]);
      return id;
    },

    async signIn() {
      const login = await client.call("POST", "/prod/api/auth/login", { body: ADMIN });
      expect(login.status).toBe(200);
      token = (await dataOf(login)).token;
    },
  };
  return client;
}
