import type { Logger } from "pino";
import { CONTENT_END, contentOf } from "#contracts/events/content.ts";
import { streams } from "#contracts/events/index.ts";
import { INQUIRY_ENDS, inquiryOf } from "#contracts/events/inquiry/inquiry-fold.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { subjects } from "#contracts/sealed.ts";
import { keepFollowing } from "#event-store/follow-log.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { CheckResult } from "#http/health.ts";
import type { BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { reportOf } from "../streams.ts";

export interface ShredderDeps {
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly log: Pick<Logger, "info" | "error">;
  /** Called with the times of erasures (RFC 3339) once their keys are destroyed. */
  readonly onErased?: (times: readonly string[]) => void;
  /** Delays after a failure. */
  readonly retry?: BackOffLimits;
}

const ERASURES = {
  types: [
    "ReportErased",
    "ReporterErased",
    "ReportTextMasked",
    "EvidenceErased",
    ...ACCOUNT_ENDS,
    ...INQUIRY_ENDS,
    CONTENT_END,
  ],
};

/** Milliseconds between reads of the log. Every event triggers a read, but few are erasures. */
const PACE_MS = 100;

/**
 * Destroys the keys of erased reports, of masked texts, of erased reporters and files, and of erased
 * accounts with the reporters listed under them. At every start it processes all erasures in the log from
 * the first one on, so that restoring an older key store brings no one back. Then it follows new ones. Any
 * number of processes may run it concurrently.
 */
export class Shredder {
  readonly #deps: ShredderDeps;
  readonly #stopping = new AbortController();
  readonly #caughtUp = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #isCaughtUp = false;
  #destroyed = 0;
  #failure: string | undefined;

  constructor(deps: ShredderDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Resolves when all erasures that the log held at the start have been processed. */
  caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  /** Its check in `/readyz`: not ok until the first pass is done, or while keys cannot be destroyed. */
  check(): CheckResult {
    return {
      ok: this.#isCaughtUp && this.#failure === undefined,
      detail: {
        caughtUp: this.#isCaughtUp,
        destroyed: this.#destroyed,
        ...omitUndefined({ cause: this.#failure }),
      },
    };
  }

  #run(): Promise<void> {
    const { store, log, onErased, retry } = this.#deps;
    return keepFollowing(store, {
      filter: ERASURES,
      options: { signal: this.#stopping.signal, paceMs: PACE_MS },
      retry,
      onBatch: async ({ events, caughtUp }) => {
        await this.#shred(events);
        const times = events.filter(leavesRows).map(({ metadata }) => metadata.time);
        if (times.length > 0) onErased?.(times);
        this.#failure = undefined;
        if (!caughtUp) return;
        this.#isCaughtUp = true;
        this.#caughtUp.resolve();
      },
      onFailure: (err) => {
        this.#failure = (err as Error).name;
        log.error({ err }, "keys of erased data cannot be destroyed");
      },
    });
  }

  async #shred(erasures: readonly StoredEvent[]): Promise<void> {
    const { keys } = this.#deps;
    const times = new Map<string, string>();
    for (const event of erasures)
      for (const subject of erasedBy(event)) times.set(subject, event.metadata.time);
    const states = await keys.get([...times.keys()]);
    const byTime = new Map<string, string[]>();
    for (const [subject, time] of times) {
      if (states.get(subject)?.state === "destroyed") continue;
      byTime.set(time, [...(byTime.get(time) ?? []), subject]);
    }
    for (const [time, subjectsOfTime] of byTime)
      this.#count(await keys.destroy(subjectsOfTime, time));
    for (const { stream, type, metadata } of erasures) {
      if (type !== "AccountErased") continue;
      this.#count(await keys.destroyOwnedBy(accountOf(stream), metadata.time));
    }
  }

  #count(live: number): void {
    this.#destroyed += live;
    if (live > 0) this.#deps.log.info({ keys: live }, "destroyed the keys of erased data");
  }
}

/** Erasures of what tables never held in the clear. */
const WITHOUT_ROWS = ["AccountReplaced", "AccountExpired", "EvidenceErased", ...INQUIRY_ENDS];

/** Whether tables may have held the person in the clear: not for an unconfirmed account, an inquiry or a file. */
function leavesRows({ type }: StoredEvent): boolean {
  return !WITHOUT_ROWS.includes(type);
}

/** Returns the subjects whose keys an erasure destroys. */
function erasedBy({ stream, type, data }: StoredEvent): string[] {
  const report = reportOf(stream);
  if (ACCOUNT_ENDS.includes(type)) return [subjects.account(accountOf(stream))];
  const inquiry = inquiryOf(stream);
  if (inquiry) return [subjects.inquiry(inquiry)];
  const content = contentOf(stream);
  if (content) return [subjects.content(content)];
  if (!report) return [];
  if (type === "ReportTextMasked") return (data as { keys: string[] }).keys;
  if (type === "EvidenceErased") return [subjects.file((data as { file_id: string }).file_id)];
  const reporter = subjects.reporter(report);
  return type === "ReporterErased" ? [reporter] : [subjects.personal(report), reporter];
}

function accountOf(stream: string): string {
  return stream.slice(streams.user("").length);
}
