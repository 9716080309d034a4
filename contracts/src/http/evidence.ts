import { type Static, Type } from "typebox";
import {
  COPY_KINDS,
  COPY_SIDE,
  FILE_BYTES,
  FILE_NAME_LENGTH,
  FILE_TYPES,
  MAX_BOXES,
  MAX_COPIES,
  MAX_FILES,
  MAX_PAGES,
  UPLOAD_SECRET_SHAPE,
} from "../report/evidence-rules.ts";
import { codes, ONE_LINE, ReportId, strict } from "../report/fields.ts";
import { REASON_CHARS } from "../report/reporter-rules.ts";
import { reply } from "./envelope.ts";

const FileId = ReportId;
const Secret = Type.String({ pattern: UPLOAD_SECRET_SHAPE.source });

/**
 * POST /prod/api/uploads: the body is the file. The secret is returned only once; it is needed to attach or
 * remove the file.
 */
export const Upload = strict({
  id: FileId,
  secret: Secret,
  /** Determined from the content. */
  type: codes(FILE_TYPES),
  /** Size of the stored file in bytes; pictures are re-encoded. */
  size: Type.Integer({ minimum: 1, maximum: 2 * FILE_BYTES }),
  /** A small WebP picture in base64; absent for a PDF. */
  preview: Type.Optional(Type.String()),
});
export type Upload = Static<typeof Upload>;
export const UploadReply = reply(Upload);

/** An uploaded file that a request refers to. */
export const NamedUpload = strict({
  id: FileId,
  secret: Secret,
  /** Name of the file on the sender's device. */
  name: Type.String({ minLength: 1, maxLength: FILE_NAME_LENGTH, pattern: ONE_LINE }),
});
export type NamedUpload = Static<typeof NamedUpload>;

/** The files of a submission. */
export const NamedUploads = Type.Array(NamedUpload, { maxItems: MAX_FILES });

/** POST .../evidence/{file}/publish: the body is the picture. */
export const PublishQuery = strict({
  kind: Type.Optional(codes(COPY_KINDS)),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGES })),
  /** Number of redaction boxes. */
  boxes: Type.Integer({ minimum: 0, maximum: MAX_BOXES }),
});

/** POST .../evidence/{copy}/hide */
export const HideCopy = strict({
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: REASON_CHARS })),
});

/** POST: returns a file that a reveal of its report opened. */
export const REVEALED_FILE = "/prod/api/admin/reports/:id/reveals/:revealId/files/:fileId";

const Side = Type.Integer({ minimum: 1, maximum: COPY_SIDE });
const Page = Type.Optional(Type.Integer({ minimum: 1 }));
const Time = Type.String({ description: "RFC 3339, UTC" });

/** Path of a published picture. */
export const PUBLISHED_EVIDENCE = "/prod/api/reports/:id/evidence/:copyId";

/** A published picture on a report's public page. */
export const PublishedEvidence = strict({
  id: FileId,
  /** Path of the picture (WebP). */
  url: Type.String(),
  /** In bytes. */
  size: Type.Integer(),
  /** In pixels. */
  width: Side,
  height: Side,
});
export type PublishedEvidence = Static<typeof PublishedEvidence>;
export const PublishedEvidenceList = Type.Array(PublishedEvidence, { maxItems: MAX_COPIES });

/** A file of a report, as moderators see it without opening it. */
export const ReportFile = strict({
  file_id: FileId,
  /** Purpose of the file, such as `evidence`. */
  kind: Type.String(),
  type: codes(FILE_TYPES),
  added_at: Time,
  /** Its published copies. */
  copies: Type.Array(
    strict({
      copy_id: FileId,
      kind: Type.String(),
      page: Page,
      width: Side,
      height: Side,
      size: Type.Integer(),
      published_at: Time,
    }),
  ),
});
export type ReportFile = Static<typeof ReportFile>;
