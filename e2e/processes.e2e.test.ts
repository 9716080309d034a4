import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { X_MIN_POSITION, X_POSITION } from "#contracts/http/position-headers.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { noRedis } from "#test-kit/redis-server.ts";
import { findChromium, NO_BROWSER, openBrowser, openPage } from "./support/browser.ts";
import { ADMIN, type ManyProcesses, startManyProcesses } from "./support/many-processes.ts";
import { chargeback } from "./support/reports.ts";

const executable = findChromium();
/** Long enough for a machine that does much else; nothing is concluded from it. */
const PATIENCE_MS = 120_000;
const SUBMITS = 60;
const REPORTERS = 4;

let registry: ManyProcesses;
let token = "";
let position = "";

beforeAll(async () => {
  registry = await startManyProcesses();
  console.log(`  Redis: ${registry.servers.redis}; search: ${registry.servers.search}`);
}, 600_000);
afterAll(() => registry?.close());

interface Call {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** By somebody without an account, at this address; otherwise by the admin, once signed in. */
  readonly visitor?: string;
}

/** A request through the gateway, with what was written before in sight. */
async function call(method: string, path: string, { body, headers = {}, visitor }: Call = {}) {
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
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const written = answer.headers.get(X_POSITION);
  if (method !== "GET" && written) position = written;
  return answer;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what they should be
const data = async (answer: Response) => ((await answer.json()) as { data: any }).data;

/** Reads until the answer is as wished: the waiting for a position has a limit of its own. */
async function reads(path: string, wished: (found: unknown) => boolean): Promise<unknown> {
  let found: unknown;
  await eventually(
    `${path} is as it should be`,
    async () => {
      const answer = await call("GET", path);
      found = answer.ok ? await data(answer) : { status: answer.status };
      return wished(found);
    },
    PATIENCE_MS,
  );
  return found;
}

async function mailTo(address: string) {
  await eventually(
    `a mail to ${address}`,
    () => registry.mail.mails.some(({ to }) => to === address),
    PATIENCE_MS,
  );
  return registry.mail.mails.filter(({ to }) => to === address);
}

describe("two processes of each service behind a gateway", { timeout: 480_000 }, () => {
  let id = "";

  it("say on their pages that samples are among the reports", async () => {
    await registry.markSamplesLoaded();
    await reads("/prod/api/samples", (found) => (found as { loaded?: boolean }).loaded === true);
    for (const web of registry.pairs.web) {
      const page = await (await fetch(await web.url())).text();
      expect(page).toMatch(/Some of the reports are made-up samples\..*npm run sample:clear/);
    }
  });

  it("take a report, whose reporter confirms it by the mail's link", async () => {
    const body = { ...chargeback, reporter_email: "rae@first.example" };
    const answer = await call("POST", "/prod/api/reports/submit", { body });
    expect(answer.status).toBe(200);
    id = (await data(answer)).id;
    const [mail] = await mailTo("rae@first.example");
    const link = /http:\/\/registry\.example(\/verify-email\/\S+)/.exec(mail?.text ?? "")?.[1];
    expect((await fetch(`${registry.url}${link}`)).status).toBe(200);
    const verified = await call("POST", `/prod/api${link}`, { body: {} });
    expect([verified.status, await verified.text()]).toEqual([200, expect.any(String)]);
  });

  it("let the first admin sign in, who was made once, and approve it", async () => {
    const login = await call("POST", "/prod/api/auth/login", { body: ADMIN });
    expect(login.status).toBe(200);
    token = (await data(login)).token;
    const { rows } = await registry.db.query("select role from command.account");
    expect(rows).toEqual([{ role: "admin" }]);
    const approved = await call("POST", `/prod/api/admin/reports/${id}/approve`, { body: {} });
    expect(approved.status).toBe(200);
  });

  it("show it to visitors: search, despite a typo, and its page", async () => {
    await reads("/prod/api/reports/search?q=quin+aimes", (found) => {
      return (found as { total?: number }).total === 1;
    });
    const page = await fetch(`${registry.url}/report/quinn-ames`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Quinn Ames")]);
    expect((await fetch(`${registry.url}/admin`)).status).toBe(200);
  });

  it.skipIf(!executable)(
    `show it in a browser without complaints${executable ? "" : `: ${NO_BROWSER}`}`,
    async () => {
      const browser = await openBrowser(executable ?? "");
      try {
        const { page, complaints } = await openPage(browser);
        await page.goto(`${registry.url}/search?q=ames`);
        await page
          .getByRole("link", { name: /Quinn Ames/ })
          .first()
          .click();
        await page.getByRole("heading", { name: "Quinn Ames" }).waitFor();
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );

  it("tell its history with the visitor's address as the gateway believes it", async () => {
    await reads(`/prod/api/admin/reports/${id}/history`, (found) =>
      /ReportApproved|approved/i.test(JSON.stringify(found)),
    );
    await call("POST", `/prod/api/admin/reports/${id}/reveal`, {
      body: {},
      headers: { "x-forwarded-for": "192.0.2.1, 198.51.100.7" },
    });
    const found = await reads("/prod/api/admin/audit-logs", (log) =>
      JSON.stringify(log).includes("198.51."),
    );
    expect(JSON.stringify(found)).not.toContain("192.0.");
  });

  it("delete it for good", async () => {
    const deleted = await call("DELETE", `/prod/api/admin/reports/${id}`, {
      body: { reason_code: "court_order" },
    });
    expect(deleted.status).toBe(200);
    await reads("/prod/api/reports/search?q=ames", (found) => {
      return (found as { total?: number }).total === 0;
    });
    expect((await fetch(`${registry.url}/report/quinn-ames`)).status).toBe(410);
  });

  it.skipIf(noRedis)(`count requests together${noRedis ? `: ${noRedis}` : ""}`, async () => {
    const statuses: number[] = [];
    // Thirty submits in ten minutes are one visitor's share, of both processes together.
    for (let i = 0; i < 31; i += 1) {
      const visitor = "198.51.100.99";
      const answer = await call("POST", "/prod/api/reports/submit", { body: {}, visitor });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array(30).fill(400), 429]);
  });

  it("lose one of each pair under load, and nothing that they acknowledged", async () => {
    const acknowledged = new Map<string, string>();
    const halfway = Promise.withResolvers<void>();
    const submits = Array.from({ length: SUBMITS }, (_, i) => `reporter-${i}@load.example`);

    /** One reporter's programme: it sends each report until it is told that it was taken. */
    async function report(email: string, visitor: string): Promise<void> {
      const headers = { "idempotency-key": randomUUID() };
      const body = {
        ...chargeback,
        last_name: "Load",
        title: `From ${email}`,
        reporter_email: email,
      };
      await eventually(
        `the report of ${email} is taken`,
        async () => {
          const answer = await call("POST", "/prod/api/reports/submit", {
            body,
            headers,
            visitor,
          }).catch(() => undefined);
          if (!answer?.ok) {
            // 503: asked to try again. Anything else would be a refusal of what is right.
            expect(answer?.status ?? 503).toBe(503);
            return false;
          }
          acknowledged.set(email, (await data(answer)).id);
          if (acknowledged.size === SUBMITS / 2) halfway.resolve();
          return true;
        },
        PATIENCE_MS,
      );
    }
    const waiting = [...submits];
    const reporters = Promise.all(
      Array.from({ length: REPORTERS }, async () => {
        for (let email = waiting.pop(); email; email = waiting.pop())
          await report(email, `203.0.113.${waiting.length}`);
      }),
    );

    /** Visitors go on reading; an answer that had begun may be cut, but none says that it failed. */
    let reading = true;
    const refusals: number[] = [];
    const readers = ["/prod/api/reports/recent", "/", "/admin"].map(async (path, i) => {
      for (let visitor = 0; reading; visitor = (visitor + 1) % 250) {
        const headers = { "x-forwarded-for": `10.0.${i}.${visitor}` };
        const answer = await fetch(registry.url + path, { headers }).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => undefined);
        if (answer && !answer.ok) refusals.push(answer.status);
      }
    });

    let heldAtTheKill: string[] = [];
    try {
      await Promise.race([halfway.promise, reporters]);
      const { pairs } = registry;
      const victims = [
        pairs["command-api"][0],
        await registry.ownerOf("outbox"),
        pairs.mailer[0],
        pairs["query-api"][0],
        pairs.web[0],
      ];
      for (const { child } of victims) child.kill("SIGKILL");
      for (const { exited } of victims) expect((await exited).signal).toBe("SIGKILL");
      heldAtTheKill = (await queuedMails()).flatMap(({ lease }) => lease ?? []);
      await reporters;
    } finally {
      reading = false;
      await Promise.all(readers);
    }
    expect(refusals).toEqual([]);

    // Each acknowledged report is there, once.
    expect(acknowledged.size).toBe(SUBMITS);
    expect(new Set(acknowledged.values()).size).toBe(SUBMITS);
    const range = encodeURIComponent("[0,199]");
    const listed = async () => {
      const answer = await call("GET", `/prod/admin/reports?range=${range}`);
      return (await answer.json()) as { id: string; title: string }[];
    };
    await eventually(
      "the other projector took over",
      async () => (await listed()).length >= SUBMITS,
      PATIENCE_MS,
    );
    const rows = (await listed()).filter(({ title }) => title.endsWith("@load.example"));
    expect(rows.map(({ id: row }) => row).toSorted()).toEqual(
      [...acknowledged.values()].toSorted(),
    );
    expect(rows.map(({ title }) => title).toSorted()).toEqual(
      submits.map((email) => `From ${email}`).toSorted(),
    );

    // What the killed mailer held is due once its leases end, in minutes: the test ends them.
    await eventually(
      "nothing is unsent but what was held at the kill",
      async () => (await queuedMails()).every(({ lease }) => heldAtTheKill.includes(lease ?? "")),
      PATIENCE_MS,
    );
    await registry.db.query("update outbox.mail set leased_until = now() where lease = any($1)", [
      heldAtTheKill,
    ]);
    await eventually(
      "every mail was sent",
      async () => (await queuedMails()).length === 0,
      PATIENCE_MS,
    );
    await expectOneMailEach(submits);
  });

  async function queuedMails(): Promise<{ lease: string | null }[]> {
    const { rows } = await registry.db.query<{ lease: string | null }>(
      "select lease from outbox.mail where state = 'queued'",
    );
    return rows;
  }

  /** A second sending is allowed to mails alone that the killed mailer had in its hands. */
  async function expectOneMailEach(addresses: readonly string[]): Promise<void> {
    const { rows } = await registry.db.query<{ state: string; attempts: number; count: string }>(
      `select state, attempts, count(*) as count from outbox.mail
       where kind = 'verification' group by state, attempts`,
    );
    const sent = rows.filter(({ state }) => state === "sent");
    const takenUpAgain = sent
      .filter(({ attempts }) => attempts > 1)
      .reduce((sum, { count }) => sum + Number(count), 0);
    let twice = 0;
    for (const address of addresses) {
      const mails = await mailTo(address);
      expect(new Set(mails.map(({ id: message }) => message)).size, address).toBe(1);
      if (mails.length > 1) twice += 1;
    }
    expect(twice).toBeLessThanOrEqual(takenUpAgain);
  }

  it("go on with the survivors, which stop cleanly when they are told to", async () => {
    expect((await fetch(`${registry.url}/readyz`)).status).toBe(200);
    const all = [...Object.values(registry.pairs).flat(), registry.gateway];
    const left = all.filter(({ child }) => child.signalCode === null);
    expect(left).toHaveLength(6);
    for (const { child } of left) child.kill("SIGTERM");
    for (const { name, exited } of left)
      expect([name, await exited]).toEqual([name, { code: 0, signal: null }]);
  });
});
