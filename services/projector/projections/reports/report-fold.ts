import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportEdited } from "#contracts/events/report/report-edited.ts";
import type { ReportSubmitted } from "#contracts/events/report/report-submitted.ts";
import { rejectionWords } from "#contracts/report/words.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { identifierKeys } from "#search/matching.ts";
import type { OpenedEvent } from "../../daemon/projection.ts";
import { reportOf } from "../../streams.ts";
import type { AddressChange } from "./address-book.ts";
import {
  blankRow,
  changesOf,
  type ReportRow,
  takeClear,
  takePersonal,
  takeReporter,
} from "./report-row.ts";

/** Keyed hash of a slug, over the service key `slugs`. */
export type SlugHasher = (slug: string) => string;

/** What a batch of the log does to the tables. */
export interface ReportChanges {
  /** Rows as they stand after the batch, of the reports that it touched. */
  readonly changed: ReadonlyMap<string, ReportRow>;
  /** Reports whose row goes. */
  readonly removed: ReadonlySet<string>;
  /** In the order of the events. */
  readonly addresses: readonly AddressChange[];
}

/**
 * Folds a batch of the log over the rows that it touches. A report has no row once it is deleted,
 * nor once the person is erased, and events that come after change nothing.
 * @param loaded the rows as they stand before; they are left as they are.
 */
export function foldReports(
  loaded: ReadonlyMap<string, ReportRow>,
  events: readonly OpenedEvent[],
  slugHash: SlugHasher,
): ReportChanges {
  const fold = new ReportFold(loaded, slugHash);
  for (const { stored, event } of events) {
    const id = reportOf(stored.stream);
    if (id) fold.apply(id, stored, event as ReportEvent);
  }
  return fold;
}

class ReportFold implements ReportChanges {
  readonly changed = new Map<string, ReportRow>();
  readonly removed = new Set<string>();
  readonly addresses: AddressChange[] = [];
  readonly #loaded: ReadonlyMap<string, ReportRow>;
  readonly #slugHash: SlugHasher;

  constructor(loaded: ReadonlyMap<string, ReportRow>, slugHash: SlugHasher) {
    this.#loaded = loaded;
    this.#slugHash = slugHash;
  }

  apply(id: string, stored: StoredEvent, event: ReportEvent): void {
    if (event.type === "ReportSubmitted") {
      this.#submit(id, stored, event.data);
      return;
    }
    this.#address(id, stored, event);
    const row = this.#row(id);
    if (!row) {
      if (event.type === "ReportDeleted") this.removed.add(id);
      return;
    }
    if (event.type === "ReportDeleted") {
      this.#remove(row);
      return;
    }
    if (event.type === "ReportEdited") {
      if (event.data.personal === null) {
        this.#remove(row);
        return;
      }
      this.#edit(row, event.data);
    } else if (event.type === "ReportRejected") {
      if (event.data.personal === null) {
        this.#remove(row);
        return;
      }
      row.status = "rejected";
      const { personal, reason_code } = event.data;
      row.rejection_reason = rejectionWords(personal?.reason ?? null, reason_code ?? null);
    } else if (event.type === "ReportApproved") {
      row.status = "approved";
      row.slug = event.data.personal?.slug ?? row.slug;
      row.approved_at = stored.metadata.time;
      row.rejection_reason = null;
    } else if (event.type === "ReportStatusSet") {
      row.status = event.data.to;
      row.rejection_reason = null;
    } else if (event.type === "ReportVerifiedByLink" || event.type === "ReportVerifiedByHand") {
      row.verified = true;
    } else if (event.type === "ReportVerificationWithdrawn") {
      row.verified = false;
    } else if (event.type === "ReporterErased") {
      dropReporter(row);
    }
    this.#stamp(row, stored);
  }

  #submit(id: string, stored: StoredEvent, data: OpenData<typeof ReportSubmitted>): void {
    const { personal, reporter } = data;
    if (data.former) this.#change(id, stored, { kind: "given", slug_hash: data.former.slug_hash });
    if (!personal) return;
    const row = blankRow(id, data.report_type);
    row.origin = stored.metadata.origin;
    row.created_at = stored.metadata.time;
    row.slug = data.former?.slug ?? null;
    takeClear(row, data.report);
    takePersonal(row, personal.report);
    if (reporter) takeReporter(row, reporter.report);
    row.blind = personal.blind;
    row.match_keys = identifierKeys(row.blind);
    this.#stamp(row, stored);
    this.removed.delete(id);
    this.changed.set(id, row);
  }

  #edit(row: ReportRow, data: OpenData<typeof ReportEdited>): void {
    const { personal, reporter } = data;
    takeClear(row, changesOf(data));
    if (reporter) takeReporter(row, changesOf(reporter));
    else if (reporter === null) dropReporter(row);
    if (personal) {
      takePersonal(row, changesOf(personal));
      row.slug = personal.slug ?? row.slug;
      row.blind = personal.blind ?? row.blind;
      row.match_keys = identifierKeys(row.blind);
    }
  }

  /** What the event does to the address; also where the person is erased, and no row is left. */
  #address(id: string, stored: StoredEvent, event: ReportEvent): void {
    const change = addressChange(event, this.#slugHash);
    if (change) this.#change(id, stored, change);
  }

  #change(
    report_id: string,
    { position, metadata }: StoredEvent,
    change: { kind: AddressChange["kind"]; slug_hash?: string },
  ): void {
    const at = metadata.time;
    this.addresses.push({ report_id, position, at, ...change } as AddressChange);
  }

  #row(id: string): ReportRow | undefined {
    const known = this.changed.get(id);
    if (known || this.removed.has(id)) return known;
    const loaded = this.#loaded.get(id);
    if (!loaded) return undefined;
    const row = { ...loaded };
    this.changed.set(id, row);
    return row;
  }

  #stamp(row: ReportRow, stored: StoredEvent): void {
    row.updated_at = stored.metadata.time;
    row.revision = stored.revision;
    row.position = stored.position;
  }

  #remove(row: ReportRow): void {
    this.changed.delete(row.id);
    this.removed.add(row.id);
  }
}

function dropReporter(row: ReportRow): void {
  row.reporter_email_mask = null;
  row.public_username = null;
}

function addressChange(event: ReportEvent, slugHash: SlugHasher) {
  switch (event.type) {
    case "ReportDeleted":
      return { kind: "retired" } as const;
    case "ReportRejected":
    case "ReportStatusSet":
      return { kind: "withdrawn" } as const;
    case "ReportApproved": {
      const { personal } = event.data;
      if (personal === undefined) return { kind: "approved" } as const;
      // An erased person's new address cannot be read any more; the former one is gone all the same.
      if (personal === null) return { kind: "retired" } as const;
      return { kind: "approved", slug_hash: slugHash(personal.slug) } as const;
    }
    case "ReportEdited": {
      const slug = event.data.personal?.slug;
      const slug_hash = slug === undefined ? event.data.former?.slug_hash : slugHash(slug);
      return slug_hash === undefined ? undefined : ({ kind: "given", slug_hash } as const);
    }
    default:
      return undefined;
  }
}
