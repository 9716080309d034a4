import type { Logger } from "pino";
import { INQUIRY_ENDS } from "#contracts/events/inquiry/inquiry-fold.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { keepFollowing } from "#event-store/follow-log.ts";
import type { EventStore, SubscriptionBatch } from "#event-store/port.ts";
import type { CheckResult } from "#http/health.ts";
import type { BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import type { MailTransport } from "./transports/transport.ts";

const erasures = {
  types: ["ReportErased", "ReporterErased", "ReportTextMasked", ...ACCOUNT_ENDS, ...INQUIRY_ENDS],
};

/** Milliseconds between reads of the log. Every event triggers a read, but few are erasures. */
const PACE_MS = 100;
const RETRY: BackOffLimits = { minMs: 200, maxMs: 60_000 };

interface Deps {
  readonly store: Pick<EventStore, "subscribeAll">;
  readonly transport: Pick<MailTransport, "forget">;
  readonly log: Pick<Logger, "error">;
  readonly retry?: BackOffLimits;
}

/**
 * Removes the stored emails of deleted reports and of erased reporters and accounts, and those written
 * before a text of their report was masked, since they may quote it. At every start it reads the log from
 * the first event, so that restoring an older copy of the emails does not bring back an erased person.
 */
export class MailEraser {
  readonly #deps: Deps;
  #isCaughtUp = false;
  #failure: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The check of `/readyz`: not ok, with the cause, while emails of deleted reports may exist. */
  check(): CheckResult {
    const failure = this.#failure;
    const ok = this.#isCaughtUp && failure === undefined;
    return failure === undefined ? { ok } : { ok, detail: { cause: failure } };
  }

  /** Follows the deletions until the signal aborts, even after failures. */
  run(signal: AbortSignal): Promise<void> {
    const { store, log, retry = RETRY } = this.#deps;
    return keepFollowing(store, {
      filter: erasures,
      options: { signal, paceMs: PACE_MS },
      retry,
      onBatch: (batch) => this.#erase(batch),
      onFailure: (err) => {
        // An error of the file system contains a path, which only holds ids.
        this.#failure = (err as { code?: string }).code ?? (err as Error).name;
        log.error({ err }, "couldn't delete emails of deleted reports; will retry");
      },
    });
  }

  async #erase({ events, caughtUp }: SubscriptionBatch): Promise<void> {
    const { transport } = this.#deps;
    for (const event of events) {
      const ownerId = event.stream.replace(/^(report|user|inquiry|notice)-/, "");
      // Emails written after the masking are clean.
      const until = event.type === "ReportTextMasked" ? event.revision : undefined;
      await transport.forget(ownerId, until);
    }
    this.#failure = undefined;
    if (caughtUp) this.#isCaughtUp = true;
  }
}
