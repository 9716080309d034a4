import { FILE_NAME_LENGTH, MEGABYTE, MOST_FILES } from "#contracts/report/evidence-rules.ts";

/** What the picker of files offers. HEIC is not among them, so phones convert it to JPEG. */
export const ACCEPTED = "image/jpeg,image/png,image/webp,application/pdf";

/** @param most megabytes of a file. */
export const limitsInWords = (most: number) =>
  `Up to ${MOST_FILES} files: PDF, JPEG, PNG or WebP, ${most} MB each.`;

const HEIC =
  "This picture is in Apple's HEIC format, which isn't supported. Save it as JPEG: email it to yourself, or set your camera to “Most Compatible”.";

/**
 * What is wrong with a file before it is sent; undefined if nothing can be seen.
 * @param most megabytes that it may have.
 */
export function fileProblem(
  file: Pick<File, "name" | "size" | "type">,
  most: number,
): string | undefined {
  if (/\.hei[cf]$/i.test(file.name) || /^image\/hei[cf]/.test(file.type)) return HEIC;
  if (file.size === 0) return "This file is empty. Choose another one.";
  if (file.size > most * MEGABYTE) {
    // Rounded up, so that it never says that 10.0 MB are more than 10.
    const size = (Math.ceil((file.size / MEGABYTE) * 10) / 10).toFixed(1);
    return `This file is ${size} MB. The limit is ${most} MB.`;
  }
  return undefined;
}

/** Characters that a name must not have; see `ONE_LINE` in contracts. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The name as it is sent: one line, not too long, never empty. A pasted picture has a plain one. */
export function nameOf(file: Pick<File, "name">): string {
  const name = file.name.replace(UNPRINTABLE, " ").trim();
  return name.slice(0, FILE_NAME_LENGTH).toWellFormed().trim() || "Picture";
}

/** "2.4 MB", "812 kB". */
export function sizeInWords(bytes: number): string {
  if (bytes >= MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1024))} kB`;
}
