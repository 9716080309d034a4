import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportEdited } from "#contracts/events/report/report-edited.ts";
import type { ReportSubmitted } from "#contracts/events/report/report-submitted.ts";
import type { ClearReport } from "#contracts/events/report/stored-report.ts";
import { chargebackTotal, feesCents, mainAmount } from "#contracts/report/totals.ts";
import type { Sealed } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { MemberTable } from "#read-model/tables/offender.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { OpenedEvent } from "../../daemon/projection.ts";
import { sealedCell } from "../../keyed/sealed-cell.ts";
import { reportOf } from "../../streams.ts";
import { type Named, storedKeys } from "../identity-keys.ts";

/** A row of `offenders.member` as JSON. */
export interface MemberRow extends Omit<MemberTable, "identity" | "created_at"> {
  identity: Sealed;
  created_at: string;
}

export interface MemberChanges {
  readonly changed: ReadonlyMap<string, MemberRow>;
  readonly removed: ReadonlySet<string>;
}

const identityCell = sealedCell<Named>("offenders.member", "identity");

/**
 * Folds a stretch of the log over the rows that it touches. Who an approved report names stands in
 * its keys; of the others it is sealed, and opened when an approval or an edit needs it.
 */
export function foldMembers(
  loaded: ReadonlyMap<string, MemberRow>,
  events: readonly OpenedEvent[],
  keys: KeyLookups,
): MemberChanges {
  const fold = new MemberFold(loaded, keys);
  for (const { stored, event } of events) {
    const id = reportOf(stored.stream);
    if (id && event) fold.apply(id, stored, event as ReportEvent);
  }
  return fold;
}

class MemberFold implements MemberChanges {
  readonly changed = new Map<string, MemberRow>();
  readonly removed = new Set<string>();
  readonly #loaded: ReadonlyMap<string, MemberRow>;
  readonly #keys: KeyLookups;
  /** Who the reports name, as far as this stretch has said or opened it. */
  readonly #named = new Map<string, Named>();

  constructor(loaded: ReadonlyMap<string, MemberRow>, keys: KeyLookups) {
    this.#loaded = loaded;
    this.#keys = keys;
  }

  apply(id: string, stored: StoredEvent, event: ReportEvent): void {
    switch (event.type) {
      case "ReportSubmitted":
        this.#submit(id, stored, event.data);
        return;
      case "ReportEdited":
        this.#edit(id, event.data);
        return;
      case "ReportApproved":
        this.#setApproved(id, true);
        return;
      case "ReportRejected":
        if (event.data.personal === null) {
          this.#remove(id);
          return;
        }
        this.#setApproved(id, false);
        return;
      case "ReportStatusSet":
        this.#setApproved(id, false);
        return;
      case "ReportDeleted":
        this.#remove(id);
        return;
    }
  }

  #submit(id: string, stored: StoredEvent, data: OpenData<typeof ReportSubmitted>): void {
    const { personal, report, report_type } = data;
    if (!personal) return;
    const { first_name, last_name } = personal.report;
    const named = { first_name, last_name, blind: personal.blind };
    const identity = identityCell.seal(id, named, this.#keys);
    if (!identity) return;
    this.#named.set(id, named);
    this.changed.set(id, {
      report_id: id,
      approved: false,
      person_id: null,
      identity,
      keys: [],
      report_type,
      currency: report.currency,
      amount_cents: report[`${mainAmount(report_type)}_cents`] ?? 0,
      chargeback_fee_cents: report.chargeback_fee_cents ?? 0,
      other_fees_cents: report.other_fees_cents ?? 0,
      chargebacks_cents: sumOf(report.chargebacks),
      created_at: stored.metadata.time,
    });
  }

  #edit(id: string, data: OpenData<typeof ReportEdited>): void {
    const row = this.#row(id);
    if (!row) return;
    const { personal, set, cleared } = data;
    if (personal === null) {
      this.#remove(id);
      return;
    }
    if (set.currency) row.currency = set.currency;
    const amount = set[`${mainAmount(row.report_type)}_cents`];
    if (amount !== undefined) row.amount_cents = amount;
    for (const field of ["chargeback_fee_cents", "other_fees_cents"] as const) {
      if (cleared.includes(field)) row[field] = 0;
      else if (set[field] !== undefined) row[field] = set[field];
    }
    if (set.chargebacks) row.chargebacks_cents = sumOf(set.chargebacks);
    if (!personal) return;
    const { first_name, last_name } = personal.set;
    if (!first_name && !last_name && !personal.blind) return;
    const before = this.#namedBy(row);
    const named = before && {
      first_name: first_name ?? before.first_name,
      last_name: last_name ?? before.last_name,
      blind: personal.blind ?? before.blind,
    };
    const identity = named && identityCell.seal(id, named, this.#keys);
    if (!identity) {
      this.#remove(id);
      return;
    }
    this.#named.set(id, named);
    row.identity = identity;
    if (row.approved) row.keys = storedKeys(named);
  }

  #setApproved(id: string, approved: boolean): void {
    const row = this.#row(id);
    if (!row || row.approved === approved) return;
    if (!approved) {
      row.approved = false;
      row.keys = [];
      return;
    }
    const named = this.#namedBy(row);
    if (!named) {
      this.#remove(id);
      return;
    }
    row.approved = true;
    row.keys = storedKeys(named);
  }

  #namedBy(row: MemberRow): Named | undefined {
    return (
      this.#named.get(row.report_id) ?? identityCell.open(row.report_id, row.identity, this.#keys)
    );
  }

  #row(id: string): MemberRow | undefined {
    const known = this.changed.get(id);
    if (known || this.removed.has(id)) return known;
    const loaded = this.#loaded.get(id);
    if (!loaded) return undefined;
    const row = { ...loaded };
    this.changed.set(id, row);
    return row;
  }

  #remove(id: string): void {
    if (!this.#row(id)) return;
    this.changed.delete(id);
    this.removed.add(id);
  }
}

function sumOf(items: ClearReport["chargebacks"]): number {
  return items.reduce((sum, item) => sum + chargebackTotal(item), 0);
}

/** What the report says is owed, its additional chargebacks included, in cents. */
export function owedCents(row: MemberRow): number {
  return row.amount_cents + feesCents(row.report_type, row) + row.chargebacks_cents;
}
