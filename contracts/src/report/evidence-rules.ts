/** What may be uploaded as evidence, for forms and servers. */

/** Most files of one report. */
export const MOST_FILES = 10;
export const MEGABYTE = 1024 * 1024;
/** Most bytes of one file, whatever the setting says. */
export const FILE_BYTES = 10 * MEGABYTE;
/** Most characters of a file's name. */
export const FILE_NAME_LENGTH = 200;

/** Types of files that are kept, by what is in them, with their words. */
export const FILE_TYPES = {
  "application/pdf": "PDF",
  "image/jpeg": "JPEG picture",
  "image/png": "PNG picture",
  "image/webp": "WebP picture",
} as const;
export type FileType = keyof typeof FILE_TYPES;
/** How the name of a file of each type ends. */
export const FILE_ENDINGS: Readonly<Record<FileType, string>> = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
};

/** Most pictures of evidence that a report shows at a time. */
export const MOST_COPIES = 20;
/** Longest side of a published picture, in pixels. */
export const COPY_SIDE = 2000;
/** Most pages of a PDF that can be named. */
export const MOST_PAGES = 1000;

/** Most boxes over one picture. */
export const MOST_BOXES = 200;

/** What a published picture shows, with the words for it. */
export const COPY_KINDS = { evidence: "Evidence", check_image: "Check" } as const;
export type CopyKind = keyof typeof COPY_KINDS;

/** The header that carries the secret of an upload. */
export const UPLOAD_SECRET = "x-upload-secret";
/** 256 random bits as base64url. */
export const UPLOAD_SECRET_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** Why an admin deletes a file of a report. */
export const DOCUMENT_DELETIONS = {
  illegible: "Cannot be read",
  unrelated: "Has nothing to do with the report",
  private: "Shows what must not be kept",
  unlawful: "Must not be kept by law",
  other: "Another reason",
} as const;
