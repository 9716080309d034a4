import type { StoredEvent } from "#event-store/port.ts";
import type { ErasureLedger, Hiding } from "#vault/erasures/erasure-ledger.ts";

/** Events that the ledger of erasures keeps as hidings. */
export const HIDINGS: readonly string[] = [
  "ReportDeleted",
  "ReportDeletionUndone",
  "AccountClosed",
  "AccountReopened",
  "EmailChangeUndone",
];

/** Tells the ledger which reports are hidden and accounts closed, until when, for a restore. */
export class HidingRecord {
  readonly #ledger: Pick<ErasureLedger, "record" | "hidings"> | undefined;

  /** @param ledger undefined where the settings name none. */
  constructor(ledger: Pick<ErasureLedger, "record" | "hidings"> | undefined) {
    this.#ledger = ledger;
  }

  /** @throws {LedgerUnavailable} */
  async record(hiding: Hiding): Promise<void> {
    await this.#ledger?.record([hiding]);
  }

  /** Adds what the ledger lacks. @param events in the order of the log. @throws {LedgerUnavailable} */
  async complete(events: readonly StoredEvent[]): Promise<void> {
    if (!this.#ledger || events.length === 0) return;
    const known = await this.#ledger.hidings();
    const last = new Map(events.map((event) => [event.stream, hidingOf(event)]));
    const missing = [...last.values()].filter((hiding) => {
      const found = known.get(hiding.hidden);
      return !found || found.at < hiding.at;
    });
    await this.#ledger.record(missing);
  }
}

function hidingOf({ stream: hidden, type, data, metadata: { time: at } }: StoredEvent): Hiding {
  // An account of staff that staff closed is kept.
  const { erase_at = null, by } = data as { erase_at?: string; by?: string };
  const byStaff = type === "AccountClosed" && by !== "owner" && erase_at !== null;
  return { hidden, erase_at, ...(byStaff ? { by_staff: true } : {}), at };
}
