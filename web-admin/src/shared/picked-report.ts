import type { AdminReport } from "#contracts/http/report-view.ts";
import { reportNumber } from "#contracts/report/masks.ts";

/** A chosen report, or one of its published pictures. */
export interface PickedReport {
  readonly id: string;
  /** "R-7F3A9-C21B0, Quinn Ames". */
  readonly label: string;
  readonly title: string;
  readonly copyId?: string | undefined;
}

/** A parsed search text: a query for reports, or the public report at a URL of the site. */
export type Asked =
  | { readonly q: string; readonly copyId?: string | undefined }
  | { readonly seoTitle: string };

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const NUMBER = /^#?\s*r?[\s\p{Pd}]*([0-9a-f]{5})[\s\p{Pd}]*([0-9a-f]{5})$/iu;
const PUBLIC = /\/report\/([^/?#\s]+)/;

/**
 * Parses a search text: a report's number in any notation, its ID, its URL in the console or on the site, the URL of
 * a published picture (the report's ID, then the picture's), or a name.
 */
export function askedFor(text: string): Asked {
  const [id, copyId] = text.match(ID)?.map((found) => found.toLowerCase()) ?? [];
  if (id) return { q: id, copyId };
  const [, seoTitle] = PUBLIC.exec(text) ?? [];
  if (seoTitle) return { seoTitle: decodeURIComponent(seoTitle) };
  const [, first = "", second = ""] = NUMBER.exec(text.trim()) ?? [];
  const digits = `${first}${second}`.toLowerCase();
  // The first dash in an ID comes after eight digits.
  return { q: digits ? `${digits.slice(0, 8)}-${digits.slice(8)}` : text.trim() };
}

/** @param copyId ID of the requested picture. */
export function picked(
  {
    id,
    first_name,
    last_name,
    title,
  }: Pick<AdminReport, "id" | "first_name" | "last_name" | "title">,
  copyId?: string,
): PickedReport {
  const label = `${reportNumber(id)}, ${first_name} ${last_name}${copyId ? ", one picture" : ""}`;
  return { id, label, title, copyId };
}
