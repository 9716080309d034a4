import { sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { MAX_WINDOW } from "../placed-lists.ts";

/** Milliseconds between two looks while somebody listens. */
const LOOKS_MS = 1_000;
/** In place of what was seen where no look has succeeded; different from all claims. */
const UNKNOWN = "";

interface Deps {
  readonly db: ReadModelDatabase;
  /** Told once of each outage. */
  readonly onError: (error: unknown) => void;
  readonly looksMs?: number;
}

/**
 * Notices that moderators take reports of the queue and that they are free again, also by the time or with the
 * session of whoever took them, which nothing is written for. So it compares, once for the whole
 * process, while somebody listens.
 */
export class ClaimWatch {
  readonly #deps: Deps;
  readonly #listeners = new Set<() => void>();
  readonly #looks: Periodic;
  #seen: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#looks = new Periodic(() => this.#compare(), {
      everyMs: deps.looksMs ?? LOOKS_MS,
      onError: (error, isFirst) => {
        // What changes before the first look that succeeds is noticed by that.
        this.#seen ??= UNKNOWN;
        if (isFirst) deps.onError(error);
      },
    });
  }

  /** @returns how to stop, once every later claim is noticed. */
  async listen(listener: () => void): Promise<() => void> {
    this.#listeners.add(listener);
    this.#looks.start();
    if (this.#seen === undefined) await this.#looks.now();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#looks.pause();
      this.#seen = undefined;
    };
  }

  async #compare(): Promise<void> {
    const claims = await this.#claims();
    if (this.#listeners.size === 0) return;
    const before = this.#seen;
    this.#seen = claims;
    if (before === undefined || before === claims) return;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Who has which report, and until when, as one text. */
  async #claims(): Promise<string> {
    const rows = await this.#deps.db
      .selectFrom("command.queue_lease as l")
      .leftJoin("command.session as s", "s.id", "l.session_id")
      .select(["l.report_id", "l.account_id", "l.until"])
      .where("s.ended_at", "is", null)
      .where("l.until", ">", sql<Date>`now()`)
      .orderBy("l.report_id")
      .limit(MAX_WINDOW)
      .execute();
    return JSON.stringify(rows);
  }
}
