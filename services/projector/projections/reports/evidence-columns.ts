import type { ReportEvent } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import type { HoldRow } from "#read-model/tables/report.ts";
import type { ReportRow } from "./report-row.ts";

type EvidenceEvent = Extract<ReportEvent, { type: `Evidence${string}` }>;

/**
 * Notes the files of a report and what is published of them.
 * @param at RFC 3339 time of the event.
 * @returns undefined once the personal data is erased.
 */
export function takeEvidence(
  row: ReportRow,
  event: EvidenceEvent,
  at: string,
): ReportRow | undefined {
  switch (event.type) {
    case "EvidenceAdded": {
      const { file_id, kind, type } = event.data;
      row.files = [...row.files, { file_id, kind, type, added_at: at }];
      return row;
    }
    case "EvidencePublished": {
      const { copy_id, file_id, kind, page, personal } = event.data;
      if (!personal) return undefined;
      const { width, height, bytes } = personal;
      const copy = { copy_id, file_id, kind, ...given({ page }), width, height, bytes };
      row.copies = [...row.copies, { ...copy, published_at: at }];
      return row;
    }
    case "EvidenceHidden":
      dropCopy(row, event.data.copy_id);
      return row;
    case "EvidenceWithheld":
      withhold(row, event.data.copy_id, event.data.notice_id, at);
      return row;
    case "EvidenceReleased":
      release(row, event.data.copy_id, event.data.notice_id);
      return row;
    case "EvidenceDeleted":
      return row;
    case "EvidenceErased": {
      const { file_id: id } = event.data;
      row.files = row.files.filter(({ file_id }) => file_id !== id);
      dropCopy(row, id);
      return row;
    }
  }
}

function dropCopy(row: ReportRow, id: string): void {
  row.copies = row.copies.filter(({ copy_id }) => copy_id !== id);
  row.withheld = row.withheld.filter(({ copy_id }) => copy_id !== id);
}

function withhold(row: ReportRow, id: string, notice: string, at: string): void {
  const shown = row.copies.find(({ copy_id }) => copy_id === id);
  row.copies = row.copies.filter(({ copy_id }) => copy_id !== id);
  row.withheld = shown
    ? [...row.withheld, { ...shown, holds: held([], notice, at) }]
    : row.withheld.map((copy) =>
        copy.copy_id === id ? { ...copy, holds: held(copy.holds, notice, at) } : copy,
      );
}

/** The copy is shown again, after the others, when no notice holds it any more. */
function release(row: ReportRow, id: string, notice: string): void {
  row.withheld = row.withheld.map((copy) =>
    copy.copy_id === id ? { ...copy, holds: released(copy.holds, notice) } : copy,
  );
  const free = row.withheld.find(({ copy_id, holds }) => copy_id === id && holds.length === 0);
  if (!free) return;
  const { holds: _, ...copy } = free;
  row.withheld = row.withheld.filter(({ copy_id }) => copy_id !== id);
  row.copies = [...row.copies, copy];
}

/** Holds after one more, the oldest first. */
export function held(holds: readonly HoldRow[], notice_id: string, since: string): HoldRow[] {
  return [...holds, { notice_id, since }];
}

/** Holds without that of a notice. */
export function released(holds: readonly HoldRow[], notice: string): HoldRow[] {
  return holds.filter(({ notice_id }) => notice_id !== notice);
}
