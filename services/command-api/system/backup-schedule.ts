import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { aggregateIdOf } from "#vault/sealing/command-id.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { Backups } from "./backups.ts";
import { systemAggregate } from "./system.aggregate.ts";
import type { SystemCommand } from "./system.commands.ts";

const DAY_MS = 24 * 3_600_000;
/** Milliseconds between two looks at the clock. */
const LOOK_MS = 30_000;

export interface ScheduleDeps {
  readonly backups: Backups;
  readonly handler: Pick<CommandHandler, "execute">;
  /** Whether an admin wants daily backups now. */
  readonly isOn: () => boolean;
  /** Hours and minutes in UTC, `02:00`. */
  readonly time: string;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly now?: () => Date;
}

/** The day, in UTC, whose backup was due last. @param time `02:00`. */
export function dueDay(now: Date, time: string): string {
  const isDue = now.toISOString().slice(11, 16) >= time;
  return new Date(isDue ? now : now.getTime() - DAY_MS).toISOString().slice(0, 10);
}

/**
 * Makes a backup each day. The stream of each follows from its day: whichever process begins it first makes it, a
 * registry that did not run at that time makes it when it starts, and none is made twice.
 */
export class BackupSchedule {
  readonly #deps: ScheduleDeps;
  readonly #ending = new AbortController();
  /** The last day whose backup has begun, here or elsewhere. */
  #begun = "";
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  /** Looks at the clock from now on. */
  start(): void {
    const look = () => void this.look();
    look();
    this.#timer = setInterval(look, LOOK_MS);
    this.#timer.unref();
  }

  /** Stops what is being made. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#looking;
  }

  /** Makes the backup that is due, if nobody has. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((err) => this.#deps.log.warn({ err }, "the daily backup is tried again later"))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { backups, isOn, time, now = () => new Date() } = this.#deps;
    const day = dueDay(now(), time);
    if (day === this.#begun || !isOn() || backups.isBusy || this.#ending.signal.aborted) return;
    const action = { jobId: idOf(day), action: "backup" } as const;
    const { changed } = await this.#note({ type: "StartSystemAction", ...action });
    this.#begun = day;
    if (!changed) return;
    const report = await backups.make(this.#ending.signal).catch(() => undefined);
    const isMade = report?.outcome === "made";
    await this.#note({
      type: "EndSystemAction",
      ...action,
      outcome: isMade ? "done" : this.#ending.signal.aborted ? "stopped" : "failed",
      count: isMade ? report.events : undefined,
    });
    if (!isMade) this.#deps.log.error({ day }, "the daily backup was not made");
  }

  #note(command: SystemCommand) {
    const { handler, now = () => new Date() } = this.#deps;
    const caller = systemCaller(now().toISOString());
    return handler.execute(systemAggregate(command.jobId), command, newEnvelope(caller));
  }
}

const idOf = (day: string) =>
  aggregateIdOf(createHash("sha256").update(`daily backup of ${day}`).digest("hex"));
