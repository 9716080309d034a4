import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportEdited } from "#contracts/events/report/report-edited.ts";
import type { ReportSubmitted } from "#contracts/events/report/report-submitted.ts";
import type {
  BlindIndexes,
  ClearReport,
  PersonalReport,
} from "#contracts/events/report/stored-report.ts";
import type { ReportType } from "#contracts/report/words.ts";
import type { Sealed } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { SearchDocument, SearchWrite } from "#search/port.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { OpenedEvent } from "../../daemon/projection.ts";
import { sealedCell } from "../../keyed/sealed-cell.ts";
import { reportOf } from "../../streams.ts";

/** What is searched and filtered by, and was never sealed. */
export interface SourceClear {
  report_type: ReportType;
  currency: string;
  amount_cents: number;
  check_amount_cents?: number;
  transaction_date?: string;
  check_date?: string;
  chargeback_reason?: string;
  check_reason?: string;
  /** Reasons of the additional chargebacks. */
  reasons: string[];
}

/** What is searched, and sealed until the report is public. */
export interface SourceTexts {
  first_name: string;
  last_name: string;
  title: string;
  description: string;
  city: string;
  state: string;
  country: string;
  email: readonly string[];
  phone: readonly string[];
}

/** A row of `search_source.report` as JSON. */
export interface SourceRow {
  report_id: string;
  approved: boolean;
  clear: SourceClear;
  texts: Sealed;
  created_at: string;
  approved_at: string | null;
}

export interface SourceChanges {
  readonly changed: ReadonlyMap<string, SourceRow>;
  readonly removed: ReadonlySet<string>;
  /** What the stretch does to the index, the last word on each report. */
  readonly writes: readonly SearchWrite[];
}

const TEXT_FIELDS = [
  "first_name",
  "last_name",
  "title",
  "description",
  "city",
  "state",
  "country",
] as const satisfies readonly (keyof PersonalReport & keyof SourceTexts)[];

const textsCell = sealedCell<SourceTexts>("search_source.report", "texts");

/** Folds a stretch of the log over the rows that it touches, and says what the index is to hold. */
export function foldSources(
  loaded: ReadonlyMap<string, SourceRow>,
  events: readonly OpenedEvent[],
  keys: KeyLookups,
): SourceChanges {
  const fold = new SourceFold(loaded, keys);
  for (const { stored, event } of events) {
    const id = reportOf(stored.stream);
    if (id && event) fold.apply(id, stored, event as ReportEvent);
  }
  return { changed: fold.changed, removed: fold.removed, writes: fold.writes() };
}

class SourceFold {
  readonly changed = new Map<string, SourceRow>();
  readonly removed = new Set<string>();
  readonly #loaded: ReadonlyMap<string, SourceRow>;
  readonly #keys: KeyLookups;
  /** Texts that this stretch has said or opened. */
  readonly #texts = new Map<string, SourceTexts>();
  /** The last event by which a report's document changed. */
  readonly #touched = new Map<string, StoredEvent>();

  constructor(loaded: ReadonlyMap<string, SourceRow>, keys: KeyLookups) {
    this.#loaded = loaded;
    this.#keys = keys;
  }

  apply(id: string, stored: StoredEvent, event: ReportEvent): void {
    switch (event.type) {
      case "ReportSubmitted":
        this.#submit(id, stored, event.data);
        return;
      case "ReportEdited":
        this.#edit(id, stored, event.data);
        return;
      case "ReportApproved":
        this.#approve(id, stored);
        return;
      case "ReportRejected":
        if (event.data.personal === null) {
          this.#remove(id, stored);
          return;
        }
        this.#withdraw(id, stored);
        return;
      case "ReportStatusSet":
        this.#withdraw(id, stored);
        return;
      case "ReportDeleted":
        this.#remove(id, stored);
        // The index remembers every deletion, that no late write of another process undoes it.
        this.#touched.set(id, stored);
        return;
    }
  }

  writes(): SearchWrite[] {
    return [...this.#touched].map(([id, { position }]) => {
      const row = this.changed.get(id);
      const texts = row?.approved ? this.#textsOf(row) : undefined;
      return row && texts
        ? { op: "upsert", position, document: documentOf(row, texts) }
        : { op: "delete", position, id };
    });
  }

  #submit(id: string, stored: StoredEvent, data: OpenData<typeof ReportSubmitted>): void {
    const { personal, report, report_type } = data;
    if (!personal) return;
    const texts = takeBlind(
      { ...pick(personal.report, TEXT_FIELDS), email: [], phone: [] } as unknown as SourceTexts,
      personal.blind,
    );
    const sealed = textsCell.seal(id, texts, this.#keys);
    if (!sealed) return;
    this.#texts.set(id, texts);
    this.changed.set(id, {
      report_id: id,
      approved: false,
      clear: takeClear({ report_type, currency: "USD", amount_cents: 0, reasons: [] }, report),
      texts: sealed,
      created_at: stored.metadata.time,
      approved_at: null,
    });
  }

  #edit(id: string, stored: StoredEvent, data: OpenData<typeof ReportEdited>): void {
    const row = this.#row(id);
    if (!row) return;
    const { personal, set, cleared } = data;
    if (personal === null) {
      this.#remove(id, stored);
      return;
    }
    row.clear = takeClear(row.clear, set, cleared);
    if (personal && (personal.blind || TEXT_FIELDS.some((field) => field in personal.set))) {
      const before = this.#textsOf(row);
      const texts =
        before && takeBlind({ ...before, ...pick(personal.set, TEXT_FIELDS) }, personal.blind);
      const sealed = texts && textsCell.seal(id, texts, this.#keys);
      if (!sealed) {
        this.#remove(id, stored);
        return;
      }
      this.#texts.set(id, texts);
      row.texts = sealed;
    }
    if (row.approved) this.#touched.set(id, stored);
  }

  #approve(id: string, stored: StoredEvent): void {
    const row = this.#row(id);
    if (!row) return;
    if (!this.#textsOf(row)) {
      this.#remove(id, stored);
      return;
    }
    row.approved = true;
    row.approved_at = stored.metadata.time;
    this.#touched.set(id, stored);
  }

  #withdraw(id: string, stored: StoredEvent): void {
    const row = this.#row(id);
    if (!row?.approved) return;
    row.approved = false;
    this.#touched.set(id, stored);
  }

  #remove(id: string, stored: StoredEvent): void {
    const row = this.#row(id);
    if (!row) return;
    this.changed.delete(id);
    this.removed.add(id);
    if (row.approved || this.#touched.has(id)) this.#touched.set(id, stored);
  }

  #textsOf(row: SourceRow): SourceTexts | undefined {
    const known = this.#texts.get(row.report_id);
    if (known) return known;
    const opened = textsCell.open(row.report_id, row.texts, this.#keys);
    if (opened) this.#texts.set(row.report_id, opened);
    return opened;
  }

  #row(id: string): SourceRow | undefined {
    const known = this.changed.get(id);
    if (known || this.removed.has(id)) return known;
    const loaded = this.#loaded.get(id);
    if (!loaded) return undefined;
    const row = { ...loaded };
    this.changed.set(id, row);
    return row;
  }
}

function takeBlind(texts: SourceTexts, blind: BlindIndexes | undefined): SourceTexts {
  return blind ? { ...texts, email: blind.email ?? [], phone: blind.phone ?? [] } : texts;
}

const CLEAR_FIELDS = [
  "currency",
  "amount_cents",
  "check_amount_cents",
  "transaction_date",
  "check_date",
  "chargeback_reason",
  "check_reason",
] as const satisfies readonly (keyof ClearReport & keyof SourceClear)[];

function takeClear(
  clear: SourceClear,
  set: Partial<ClearReport>,
  cleared: readonly string[] = [],
): SourceClear {
  const kept = Object.entries(clear).filter(([field]) => !cleared.includes(field));
  const taken = { ...Object.fromEntries(kept), ...pick(set, CLEAR_FIELDS) } as SourceClear;
  if (set.chargebacks)
    taken.reasons = set.chargebacks.flatMap(({ reason }) => (reason ? [reason] : []));
  return taken;
}

function pick<T extends object, K extends string>(from: T, fields: readonly K[]) {
  return Object.fromEntries(
    fields
      .filter((field) => field in from)
      .map((field) => [field, from[field as unknown as keyof T]]),
  );
}

/** The document of an approved report: nothing but what is public, and keyed hashes. */
export function documentOf(row: SourceRow, texts: SourceTexts): SearchDocument {
  const { clear } = row;
  const { email, phone, ...shown } = texts;
  const bad = clear.report_type === "bad_check";
  const reasons = [clear.chargeback_reason, clear.check_reason, ...clear.reasons];
  const occurred = clear.transaction_date ?? clear.check_date;
  return {
    ...shown,
    id: row.report_id,
    amount_cents: (bad ? clear.check_amount_cents : clear.amount_cents) ?? 0,
    currency: clear.currency,
    reasons: [...new Set(reasons.filter((reason) => reason !== undefined))],
    ...(occurred ? { occurred_at: occurred } : {}),
    submitted_at: row.created_at,
    approved_at: row.approved_at ?? row.created_at,
    blind: { email, phone },
  };
}
