import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportEdited } from "#contracts/events/report/report-edited.ts";
import type { ReportSubmitted } from "#contracts/events/report/report-submitted.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { type OpenedEvent, reportOf } from "../../daemon/projection.ts";
import { storedKeys } from "../identity-keys.ts";
import {
  blankRow,
  changesOf,
  type ReportRow,
  takeClear,
  takePersonal,
  takeReporter,
} from "./report-row.ts";

/** An address that answers 410 from now on. */
export interface GoneSlug {
  readonly slug_hash: string;
  readonly report_id: string;
  readonly gone_at: string;
}

/** What a stretch of the log does to the tables. */
export interface ReportChanges {
  /** Rows as they stand after the stretch, of the reports that it touched. */
  readonly changed: ReadonlyMap<string, ReportRow>;
  /** Reports whose row goes. */
  readonly removed: ReadonlySet<string>;
  readonly gone: readonly GoneSlug[];
}

/**
 * Folds a stretch of the log over the rows that it touches. A report has no row once it is deleted,
 * nor once the person is erased, and events that come after change nothing.
 * @param loaded the rows as they stand before; they are left as they are.
 */
export function foldReports(
  loaded: ReadonlyMap<string, ReportRow>,
  events: readonly OpenedEvent[],
): ReportChanges {
  const fold = new ReportFold(loaded);
  for (const { stored, event } of events) {
    const id = reportOf(stored.stream);
    if (id && event) fold.apply(id, stored, event as ReportEvent);
  }
  return fold;
}

class ReportFold implements ReportChanges {
  readonly changed = new Map<string, ReportRow>();
  readonly removed = new Set<string>();
  readonly gone: GoneSlug[] = [];
  readonly #loaded: ReadonlyMap<string, ReportRow>;

  constructor(loaded: ReadonlyMap<string, ReportRow>) {
    this.#loaded = loaded;
  }

  apply(id: string, stored: StoredEvent, event: ReportEvent): void {
    if (event.type === "ReportSubmitted") {
      this.#submit(id, stored, event.data);
      return;
    }
    const row = this.#row(id);
    if (!row) {
      // The person is erased; the address that an edit gave the report is gone with the others.
      if (event.type === "ReportEdited" && event.data.slug_hash)
        this.#goneSlug(id, event.data.slug_hash, stored);
      return;
    }
    if (event.type === "ReportDeleted") {
      this.#remove(row, stored);
      return;
    }
    if (event.type === "ReportEdited") {
      if (event.data.personal === null) {
        if (event.data.slug_hash) this.#goneSlug(id, event.data.slug_hash, stored);
        this.#remove(row, stored);
        return;
      }
      this.#edit(row, stored, event.data);
    } else if (event.type === "ReportRejected") {
      if (!event.data.personal) {
        this.#remove(row, stored);
        return;
      }
      row.status = "rejected";
      row.rejection_reason = event.data.personal.reason;
    } else if (event.type === "ReportApproved") {
      row.status = "approved";
      row.approved_at = stored.metadata.time;
      row.rejection_reason = null;
    } else if (event.type === "ReportStatusSet") {
      row.status = event.data.to;
      row.rejection_reason = null;
    } else if (event.type === "ReportVerifiedByLink" || event.type === "ReportVerifiedByHand") {
      row.verified = true;
    } else if (event.type === "ReportVerificationWithdrawn") {
      row.verified = false;
    }
    this.#stamp(row, stored);
  }

  #submit(id: string, stored: StoredEvent, data: OpenData<typeof ReportSubmitted>): void {
    const { personal, reporter } = data;
    if (!personal) {
      this.#goneSlug(id, data.slug_hash, stored);
      return;
    }
    const row = blankRow(id, data.report_type);
    row.origin = stored.metadata.origin;
    row.created_at = stored.metadata.time;
    row.slug = personal.slug;
    row.slug_hash = data.slug_hash;
    takeClear(row, data.report);
    takePersonal(row, personal.report);
    if (reporter) takeReporter(row, reporter.report);
    row.blind = personal.blind;
    row.match_keys = storedKeys(row);
    this.#stamp(row, stored);
    this.removed.delete(id);
    this.changed.set(id, row);
  }

  #edit(row: ReportRow, stored: StoredEvent, data: OpenData<typeof ReportEdited>): void {
    const { personal, reporter, slug_hash } = data;
    takeClear(row, changesOf(data));
    if (reporter) takeReporter(row, changesOf(reporter));
    else if (reporter === null) {
      row.reporter_email_mask = null;
      row.public_username = null;
    }
    if (personal) {
      takePersonal(row, changesOf(personal));
      row.slug = personal.slug ?? row.slug;
      row.blind = personal.blind ?? row.blind;
      row.match_keys = storedKeys(row);
    }
    if (slug_hash) {
      this.#goneSlug(row.id, row.slug_hash, stored);
      row.slug_hash = slug_hash;
    }
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

  #remove(row: ReportRow, stored: StoredEvent): void {
    this.changed.delete(row.id);
    this.removed.add(row.id);
    this.#goneSlug(row.id, row.slug_hash, stored);
  }

  #goneSlug(report_id: string, slug_hash: string, stored: StoredEvent): void {
    this.gone.push({ slug_hash, report_id, gone_at: stored.metadata.time });
  }
}
