import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { textIn } from "./report-texts.ts";

const FileId = Type.String({ format: "uuid" });
const Code = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });

/** Type of a stored file, determined from its content. */
export const StoredFileType = Type.Enum([
  "application/pdf",
  "image/jpeg",
  "image/png",
  "image/webp",
]);

/**
 * A file was added to the report. Its bytes are in the file store, encrypted with the key
 * `file-<file_id>`. Details that could identify the file, such as its exact size, are in
 * `personal`.
 */
export const EvidenceAdded = defineEvent(
  "EvidenceAdded",
  1,
  strict({
    file_id: FileId,
    /** What the file is for, e.g. `evidence`. The log does not limit which codes exist. */
    kind: Code,
    /** Determined from the content, not from the name. */
    type: StoredFileType,
  }),
  {
    personal: strict({
      name: Type.String({ minLength: 1 }),
      /** Size of the stored file; pictures are re-encoded. */
      bytes: Type.Integer({ minimum: 1 }),
      /** Hex SHA-256 of the stored file. */
      sha256: Sha256,
    }),
  },
  { required: ["personal"] },
);

/**
 * A file or a published copy was erased. Its key is destroyed right after this event, then its
 * bytes. Erasing a report writes one for each file before `ReportErased`.
 */
export const EvidenceErased = defineEvent("EvidenceErased", 1, strict({ file_id: FileId }), {});

/**
 * An admin deleted a file. An `EvidenceErased` of the file follows in the same append, after those
 * of its published copies.
 */
export const EvidenceDeleted = defineEvent(
  "EvidenceDeleted",
  1,
  strict({ file_id: FileId, reason_code: Code }),
  { personal: strict({ reason: Type.String({ minLength: 1, maxLength: 1000 }) }) },
  { texts: { personal: textIn("reason") } },
);

/**
 * A redacted copy of a file was published. It's public while the report is approved. It is a file
 * of its own, encrypted with the key `file-<copy_id>`.
 */
export const EvidencePublished = defineEvent(
  "EvidencePublished",
  1,
  strict({
    copy_id: FileId,
    /** The report's file that it was made from. */
    file_id: FileId,
    /** What it shows, e.g. `check_image`. The log does not limit which codes exist. */
    kind: Code,
    /** The page of a PDF that it shows, from 1; absent for a picture. */
    page: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Media type of the copy. */
    type: Type.String({ pattern: "^[a-z]+/[a-z0-9.+-]{1,40}$" }),
    /** Number of redaction boxes, as the console counted them. */
    boxes: Type.Integer({ minimum: 0, maximum: 1000 }),
  }),
  {
    personal: strict({
      /** In pixels. */
      width: Type.Integer({ minimum: 1 }),
      height: Type.Integer({ minimum: 1 }),
      bytes: Type.Integer({ minimum: 1 }),
      /** Hex SHA-256 of the copy. */
      sha256: Sha256,
    }),
  },
  { required: ["personal"] },
);

/**
 * A published copy was removed permanently. An `EvidenceErased` of the copy follows in the same
 * append. Publishing the file again creates another copy.
 */
export const EvidenceHidden = defineEvent(
  "EvidenceHidden",
  1,
  strict({ copy_id: FileId, reason_code: Type.Optional(Code) }),
  { personal: strict({ reason: Type.String({ minLength: 1 }) }) },
  { texts: { personal: textIn("reason") } },
);

export const evidenceDefinitions = [
  EvidenceAdded,
  EvidenceErased,
  EvidenceDeleted,
  EvidencePublished,
  EvidenceHidden,
] as const;
