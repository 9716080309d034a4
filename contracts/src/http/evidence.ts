import { type Static, Type } from "typebox";
import { FILE_BYTES, FILE_NAME_LENGTH, FILE_TYPES, MOST_FILES } from "../report/evidence-rules.ts";
import { codes, ReportId, strict } from "../report/fields.ts";
import { ONE_LINE } from "../report/one-line.ts";
import { reply } from "./envelope.ts";

const FileId = ReportId;
const Secret = Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" });

/**
 * POST /prod/api/uploads: the body is the file itself. The secret is shown this once; it goes with the
 * report that names the file, or removes the file.
 */
export const Upload = strict({
  id: FileId,
  secret: Secret,
  /** By what is in the file. */
  type: codes(FILE_TYPES),
  /** Bytes of what is kept, which for a picture is a new encoding. */
  size: Type.Integer({ minimum: 1, maximum: 2 * FILE_BYTES }),
  /** A small WebP picture in base64; absent for a PDF. */
  preview: Type.Optional(Type.String()),
});
export type Upload = Static<typeof Upload>;
export const UploadReply = reply(Upload);

/** What a submission says of its files. */
export const NamedUploads = Type.Array(
  strict({
    id: FileId,
    secret: Secret,
    /** As the file was called by whoever sent it. */
    name: Type.String({ minLength: 1, maxLength: FILE_NAME_LENGTH, pattern: ONE_LINE }),
  }),
  { maxItems: MOST_FILES },
);
export type NamedUpload = Static<typeof NamedUploads>[number];
