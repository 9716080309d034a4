import { FILE_NAME_LENGTH, MAX_FILES, MEGABYTE } from "#contracts/report/evidence-rules.ts";
import type { EvidenceItem } from "./evidence-state.ts";

/** File types offered by the picker. Omits HEIC, so that phones convert it to JPEG. */
export const ACCEPTED = "image/jpeg,image/png,image/webp,application/pdf";

/** @param most maximum megabytes per file. */
export const limitsText = (most: number) =>
  `Up to ${MAX_FILES} files: PDF, JPEG, PNG or WebP, ${most} MB each.`;

const HEIC =
  "This picture is in Apple's HEIC format, which isn't supported. Save it as JPEG: email it to yourself, or set your camera to “Most Compatible”.";

/**
 * Checks a file before it is uploaded; undefined if nothing is wrong.
 * @param most maximum megabytes.
 */
export function fileProblem(
  file: Pick<File, "name" | "size" | "type">,
  most: number,
): string | undefined {
  if (/\.hei[cf]$/i.test(file.name) || /^image\/hei[cf]/.test(file.type)) return HEIC;
  if (file.size === 0) return "This file is empty. Choose another one.";
  if (file.size > most * MEGABYTE) {
    // Rounded up, so that a file over 10 MB never shows as 10.0 MB.
    const size = (Math.ceil((file.size / MEGABYTE) * 10) / 10).toFixed(1);
    return `This file is ${size} MB. The limit is ${most} MB.`;
  }
  return undefined;
}

/** Characters that a file name must not contain; see `ONE_LINE` in contracts. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the file name to send: one line, limited in length, never empty. */
export function nameOf(file: Pick<File, "name">): string {
  const name = file.name.replace(UNPRINTABLE, " ").trim();
  return name.slice(0, FILE_NAME_LENGTH).toWellFormed().trim() || "Picture";
}

/** Formats a size as "2.4 MB" or "812 kB". */
export function sizeText(bytes: number): string {
  if (bytes >= MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1024))} kB`;
}

/**
 * Creates an item that waits for its upload, or has failed if the file can't be accepted.
 * @param most megabytes.
 */
export function newItem(file: File, key: number, most: number): EvidenceItem {
  const problem = fileProblem(file, most);
  return {
    key,
    name: nameOf(file),
    bytes: file.size,
    file,
    progress: problem ? { state: "failed", problem, retryable: false } : { state: "waiting" },
  };
}
