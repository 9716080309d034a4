import type { StoredEvent } from "#event-store/port.ts";
import type { ErasureLedger, Hiding } from "#vault/erasures/erasure-ledger.ts";

/** Events that the erasure ledger records as hidings. */
export const HIDINGS: readonly string[] = [
  "ReportDeleted",
  "ReportDeletionUndone",
  "AccountClosed",
  "AccountReopened",
  "EmailChangeUndone",
];

/** Records in the ledger which reports are hidden and accounts closed, and until when, for restores. */
export class HidingRecord {
  readonly #ledger: Pick<ErasureLedger, "record" | "hidings"> | undefined;

  /** @param ledger undefined if none is configured. */
  constructor(ledger: Pick<ErasureLedger, "record" | "hidings"> | undefined) {
    this.#ledger = ledger;
  }

  /** @throws {LedgerUnavailable} */
  async record(hiding: Hiding): Promise<void> {
    await this.#ledger?.record([hiding]);
  }

  /** Records hidings that the ledger is missing. @param events in log order. @throws {LedgerUnavailable} */
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
  // A staff account closed by staff is kept.
  const { erase_at = null, by } = data as { erase_at?: string; by?: string };
  const byStaff = type === "AccountClosed" && by !== "owner" && erase_at !== null;
  return { hidden, erase_at, ...(byStaff ? { by_staff: true } : {}), at };
}
