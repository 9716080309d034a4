import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { INQUIRY_ENDS } from "#contracts/events/inquiry/inquiry-ends.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-ends.ts";
import { BackOff, type BackOffLimits } from "#event-store/back-off.ts";
import type { EventStore } from "#event-store/port.ts";
import { START } from "#event-store/port.ts";
import type { CheckResult } from "#http/health.ts";
import type { MailTransport } from "./transports/transport.ts";

const erasures = {
  types: ["ReportErased", "ReporterErased", "ReportTextMasked", ...ACCOUNT_ENDS, ...INQUIRY_ENDS],
};

/** Milliseconds between reads of the log. Every event triggers a read, but few are erasures. */
const PACE_MS = 100;
/** Pauses after a failure. */
const RETRY: BackOffLimits = { minMs: 200, maxMs: 60_000 };

interface Deps {
  readonly store: Pick<EventStore, "subscribeAll">;
  readonly transport: Pick<MailTransport, "forget" | "sweep">;
  readonly log: Pick<Logger, "error">;
  readonly retry?: BackOffLimits;
}

/**
 * Removes the stored emails of deleted reports, of erased reporters and accounts, and those that were written before
 * texts of their report were masked, since they quote such texts. At every start it begins with the first event of the log, so that restoring an older copy of the mails does not
 * bring a person back. After a failure it continues with the batch that failed.
 */
export class MailEraser {
  readonly #deps: Deps;
  #position = START;
  #isSwept = false;
  #isCaughtUp = false;
  #failure: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The check of `/readyz`: not ok, with the cause, while mails of deleted reports may exist. */
  check(): CheckResult {
    const failure = this.#failure;
    const ok = this.#isCaughtUp && failure === undefined;
    return failure === undefined ? { ok } : { ok, detail: { cause: failure } };
  }

  /** Follows the deletions until the signal aborts, even after failures. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, retry = RETRY } = this.#deps;
    const backOff = new BackOff(retry);
    while (!signal.aborted) {
      try {
        await this.#follow(signal, () => backOff.reset());
      } catch (err) {
        if (signal.aborted) return;
        // An error of the file system contains a path, which only holds ids.
        this.#failure = (err as { code?: string }).code ?? (err as Error).name;
        log.error({ err }, "mails of deleted reports cannot be removed; this will be tried again");
        await delay(backOff.next(), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #follow(signal: AbortSignal, onProgress: () => void): Promise<void> {
    const { store, transport } = this.#deps;
    if (!this.#isSwept) await transport.sweep();
    this.#isSwept = true;
    const options = { signal, paceMs: PACE_MS };
    for await (const batch of store.subscribeAll(this.#position, erasures, options)) {
      for (const event of batch.events) {
        const ownerId = event.stream.replace(/^(report|user|inquiry|notice)-/, "");
        // What was written after the masking is clean.
        const until = event.type === "ReportTextMasked" ? event.revision : undefined;
        await transport.forget(ownerId, until);
      }
      this.#position = batch.position;
      this.#failure = undefined;
      onProgress();
      if (batch.caughtUp) this.#isCaughtUp = true;
    }
  }
}
