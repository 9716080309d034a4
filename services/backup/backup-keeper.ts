import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { BackupReport, RunBackup } from "#operations/backup-report.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import type { BackupRequests, TakenRequest } from "./backup-requests.ts";

/** Milliseconds between two looks, and between two signs that one is being made. */
const TIMES = { lookMs: 1000, beatMs: 2000 };
/** How often a result is written while the database is away. */
const MOST_WRITES = 20;

export interface KeeperDeps {
  readonly requests: Pick<BackupRequests, "take" | "beat" | "end">;
  readonly make: RunBackup;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  readonly times?: typeof TIMES;
}

/** Makes and checks the backups that are asked for, one after the other. */
export class BackupKeeper {
  readonly #deps: KeeperDeps;
  readonly #times: typeof TIMES;
  readonly #looks: Periodic;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#times = deps.times ?? TIMES;
    this.#looks = new Periodic((signal) => this.#work(signal), {
      everyMs: this.#times.lookMs,
      onError: (err) => deps.log.warn({ err }, "what is asked for is looked at again later"),
    });
  }

  start(): void {
    this.#looks.start();
  }

  /** Stops what is being made, which then leaves nothing, and says so. */
  stop(): Promise<void> {
    return this.#looks.stop();
  }

  async #work(ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      const taken = await this.#deps.requests.take();
      if (!taken) return;
      await this.#make(taken, ending);
    }
  }

  async #make({ id, task }: TakenRequest, ending: AbortSignal): Promise<void> {
    const { make, log, requests } = this.#deps;
    const unwanted = new AbortController();
    const signal = AbortSignal.any([ending, unwanted.signal]);
    let bytes = 0;
    const beat = setInterval(() => {
      requests.beat(id, bytes).then(
        (isWanted) => {
          if (!isWanted) unwanted.abort();
        },
        (err) => log.warn({ err }, "how far the backup is was not written"),
      );
    }, this.#times.beatMs);
    try {
      log.info({ id, task: task.task }, "a backup is begun");
      const wrote = (now: number) => {
        bytes = now;
      };
      const report = await make(signal, { id, task, isLeft: () => false, wrote });
      const isCut = signal.aborted && report.outcome === "failed";
      await this.#end(id, ending, isCut ? { outcome: "failed", reason: "lost" } : report);
      log.info({ id, outcome: isCut ? "stopped" : report.outcome }, "a backup is over");
    } finally {
      clearInterval(beat);
    }
  }

  /** A database that is away for a moment costs no backup. */
  async #end(id: string, ending: AbortSignal, report: BackupReport): Promise<void> {
    const { log, requests } = this.#deps;
    for (let write = 1; ; write += 1) {
      try {
        return await requests.end(id, report);
      } catch (err) {
        log.warn({ err }, "the end of a backup was not written");
        if (write === MOST_WRITES || ending.aborted) return;
        await delay(this.#times.lookMs);
      }
    }
  }
}
