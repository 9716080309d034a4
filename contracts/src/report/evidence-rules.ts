/** Rules for evidence uploads, for forms and servers. */

/** Maximum number of files per report. */
export const MAX_FILES = 10;
export const MEGABYTE = 1024 * 1024;
/** Maximum size of a file in bytes, regardless of settings. */
export const FILE_BYTES = 10 * MEGABYTE;
/** Maximum length of a file name, in characters. */
export const FILE_NAME_LENGTH = 200;

/** Accepted file types, determined from the content, with labels. */
export const FILE_TYPES = {
  "application/pdf": "PDF",
  "image/jpeg": "JPEG picture",
  "image/png": "PNG picture",
  "image/webp": "WebP picture",
} as const;
export type FileType = keyof typeof FILE_TYPES;
/** File name extension of each type. */
export const FILE_ENDINGS: Readonly<Record<FileType, string>> = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
};

/** Maximum number of evidence pictures that a report shows at a time. */
export const MAX_COPIES = 20;
/** Longest side of a published picture, in pixels. */
export const COPY_SIDE = 2000;
/** Highest page of a PDF that can be named. */
export const MAX_PAGES = 1000;

/** Maximum number of redaction boxes on a picture. */
export const MAX_BOXES = 200;

/** Kinds of published pictures, with labels. */
export const COPY_KINDS = { evidence: "Evidence", check_image: "Check" } as const;
export type CopyKind = keyof typeof COPY_KINDS;

/** Header with the secret of an upload. */
export const UPLOAD_SECRET = "x-upload-secret";
/** 256 random bits as base64url. */
export const UPLOAD_SECRET_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** Reasons for an admin to delete a report's file, with labels. */
export const DOCUMENT_DELETIONS = {
  illegible: "Illegible",
  unrelated: "Unrelated to the report",
  private: "Contains data we can't keep",
  unlawful: "Must not be kept by law",
  other: "Another reason",
} as const;
