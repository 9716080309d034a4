import { readdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { openEventStore } from "#event-store/open-event-store.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { expectEachReportOnce } from "../support/lose-one-of-each.ts";
import {
  type ManyProcesses,
  type ManyProcessesOptions,
  startManyProcesses,
} from "../support/many-processes.ts";
import {
  createRegistryClient,
  PATIENCE_MS,
  type RegistryClient,
} from "../support/registry-client.ts";
import type { Fault } from "./fault.ts";
import { KINDS, type Kind, MeasuredLoad } from "./measured-load.ts";

const BEFORE_MS = 3_000;
const FAULT_MS = 20_000;
/** Reports that are taken before the first failure. */
const FIRST = 20;

const HEAD = [
  "| what fails, for 20 s | list | search | page | submit | file | refused | answers after | read models after |",
  "|---|---|---|---|---|---|---|---|---|",
];

/** A registry behind HAProxy, under load, of which one part after the other fails. */
export class Drill {
  readonly registry: ManyProcesses;
  readonly #client: RegistryClient;
  readonly #logUrl: string;
  readonly #load: MeasuredLoad;
  readonly #table: string[] = [...HEAD];

  static async begin(options: ManyProcessesOptions): Promise<Drill> {
    const registry = await startManyProcesses(options);
    const drill = new Drill(registry, options.eventStoreUrl ?? registry.postgres.url);
    await eventually(
      "reports are taken",
      () => drill.#load.acknowledged.size >= FIRST,
      PATIENCE_MS,
    );
    return drill;
  }

  private constructor(registry: ManyProcesses, logUrl: string) {
    this.registry = registry;
    this.#logUrl = logUrl;
    this.#client = createRegistryClient(registry);
    this.#load = new MeasuredLoad(registry, this.#client);
  }

  /** Lets a part fail, and notes how long what was asked for meanwhile took. */
  async withFault({ name, most, begin, end }: Fault): Promise<void> {
    await delay(BEFORE_MS);
    const begun = performance.now();
    await begin();
    await delay(FAULT_MS);
    await end();
    const mended = performance.now();
    const back = await this.#everythingAnswers(mended);
    const waits = this.#longestWaits(begun);
    const projected = await this.#everythingIsProjected(mended);
    const figures = [...KINDS.map((kind) => seconds(waits[kind])), this.#refusals(begun)];
    this.#note(`| ${[name, ...figures, seconds(back), seconds(projected)].join(" | ")} |`);
    if (most === undefined) return;
    for (const kind of KINDS)
      expect.soft(waits[kind], `${name}: ${kind}`).toBeLessThanOrEqual(most[kind]);
  }

  /** Ends the load. Each report that was acknowledged is there once, and nothing is set aside. */
  async expectNothingLost(): Promise<void> {
    await this.#load.end();
    // The run may have lasted longer than a sign-in.
    await this.#client.signIn();
    await expectEachReportOnce(this.#client, this.#load.acknowledged);
    await this.#client.finds("load", this.#load.approved.length);
    const { rows } = await this.registry.db.query("select 1 from processor.parked_stream");
    expect(rows).toEqual([]);
    const { acknowledged, approved } = this.#load;
    this.#note(`${acknowledged.size} reports were acknowledged: each is there once.`);
    this.#note(
      `${approved.length} approvals were acknowledged: each report is in the search once.`,
    );
  }

  /** Each file that was acknowledged is stored, and no other is. */
  async expectEachFileOnce(): Promise<void> {
    const entries = await readdir(this.registry.filesFolder, {
      recursive: true,
      withFileTypes: true,
    });
    const stored = entries.filter((each) => each.isFile() && !each.parentPath.endsWith(UNFINISHED));
    expect(stored.map(({ name }) => name).toSorted()).toEqual(this.#load.files.toSorted());
    this.#note(`${stored.length} files were acknowledged: each is there once.`);
  }

  async expectMails(): Promise<void> {
    const { db, mail } = this.registry;
    const addresses = [...this.#load.acknowledged.keys()];
    // What a mailer held that was killed is due when its lease ends.
    await db.query("update outbox.mail set leased_until = now() where state = 'queued'");
    await eventually(
      "every link is mailed",
      () => {
        const got = new Set(mail.mails.map(({ to }) => to));
        return addresses.every((address) => got.has(address));
      },
      PATIENCE_MS,
    );
    const ids = mail.mails.map(({ id }) => id);
    const again = ids.length - new Set(ids).size;
    this.#note(
      `Each reporter was mailed; ${again} of ${ids.length} mails came again, as they were on their way.`,
    );
  }

  async end(): Promise<void> {
    console.log(this.#table.join("\n"));
    await this.registry.close();
  }

  #note(line: string): void {
    this.#table.push(line);
    console.log(line);
  }

  /**
   * Waits until each kind of request is answered again, and more reports are.
   * @returns how long, in milliseconds.
   */
  async #everythingAnswers(since: number): Promise<number> {
    const first = (kind: Kind) =>
      this.#load.asked.find((one) => one.kind === kind && one.begun >= since && isGood(one.status));
    await eventually("everything answers", () => KINDS.every((kind) => first(kind)), PATIENCE_MS);
    return Math.max(...KINDS.map((kind) => (first(kind)?.ended ?? 0) - since));
  }

  /** Waits until each read model, and the search, has all that the log holds now. */
  async #everythingIsProjected(since: number): Promise<number> {
    const head = await this.#head();
    let behind: string[] = [];
    const found = async () => {
      const reached = await this.#positions();
      behind = [...reached].filter(([, each]) => each < head).map(([name]) => name);
      return reached.size > 0 && behind.length === 0;
    };
    await eventually("everything is projected", found, PATIENCE_MS).catch((error: Error) => {
      throw new Error(`${error.message}: behind ${head} are ${behind.join(", ") || "none"}`);
    });
    return performance.now() - since;
  }

  /** By connections of its own: those to a store that failed may be broken. */
  async #head(): Promise<string> {
    const log = await openEventStore(this.#logUrl, { install: false });
    try {
      return await log.head();
    } finally {
      await log.close();
    }
  }

  /** How far each processor is, by the projector that is furthest. */
  async #positions(): Promise<Map<string, string>> {
    const reached = new Map<string, string>();
    for (const projector of this.registry.pairs.projector) {
      if (projector.child.signalCode !== null) continue;
      const signal = AbortSignal.timeout(5_000);
      const answer = await fetch(`${await projector.url()}/readyz`, { signal }).catch(
        () => undefined,
      );
      const { checks = {} } = ((await answer?.json().catch(() => undefined)) ?? {}) as {
        checks?: Record<string, { detail?: { state?: string; position?: string } }>;
      };
      for (const [name, { detail }] of Object.entries(checks))
        if (detail?.state !== undefined && (detail.position ?? "") >= (reached.get(name) ?? ""))
          reached.set(name, detail.position ?? "");
    }
    return reached;
  }

  /** The longest wait for any answer, good or not, of what was asked from then on. */
  #longestWaits(since: number): Record<Kind, number> {
    const waits = { list: 0, search: 0, page: 0, submit: 0, upload: 0 };
    // What was under way when it began to fail waits for it as well.
    for (const { kind, begun, ended } of this.#load.asked)
      if (ended >= since) waits[kind] = Math.max(waits[kind], ended - Math.max(begun, since));
    return waits;
  }

  /** What was refused, by kind and status: `submit 503: 12`. */
  #refusals(since: number): string {
    const counts = new Map<string, number>();
    for (const { kind, ended, status } of this.#load.asked) {
      if (ended < since || isGood(status)) continue;
      const what = `${kind} ${status || "broken"}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    return [...counts].map(([what, n]) => `${what}: ${n}`).join(", ") || "nothing";
  }
}

/** Where the store of files writes what is not whole yet. A process that was killed leaves it there for an hour. */
const UNFINISHED = "unfinished";

const isGood = (status: number) => status >= 200 && status < 400;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
