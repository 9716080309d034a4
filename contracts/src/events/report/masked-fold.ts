import type { ReportEvent } from "../index.ts";
import { hasTexts } from "./report-texts.ts";

/**
 * The fields of a report whose texts read as masked after one more event, since the key of the event that set
 * them is destroyed.
 */
export function evolveMasked(masked: readonly string[], event: ReportEvent): readonly string[] {
  const parts = partsOf(event);
  if (parts.length === 0) return masked;
  const replaced = new Set(parts.flatMap(({ set, cleared }) => [...Object.keys(set), ...cleared]));
  const isMasked = event.data.masked === true;
  return [
    ...masked.filter((field) => !replaced.has(field)),
    ...(isMasked ? parts.flatMap(({ set }) => Object.keys(set).filter(hasTexts(set))) : []),
  ];
}

interface Part {
  readonly set: Readonly<Record<string, unknown>>;
  readonly cleared: readonly string[];
}

/** What the event sets and clears of the report's texts. */
function partsOf({ type, data }: ReportEvent): Part[] {
  switch (type) {
    case "ReportSubmitted":
      return [data.personal, data.reporter].flatMap((part) =>
        part ? [{ set: part.report, cleared: [] }] : [],
      );
    case "ReportEdited":
      return [data.personal, data.reporter].flatMap((part) => part ?? []);
    case "ReportTextMasked":
      return [data.personal, data.reporter].flatMap((part) =>
        part ? [{ set: part.set, cleared: [] }] : [],
      );
    default:
      return [];
  }
}
