import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

const FileId = Type.String({ format: "uuid" });

/**
 * A file belongs to the report from here on. Its bytes are in the file store, sealed under the key
 * `file-<file_id>`. What could tell which file it is, such as its exact size, is in `personal`.
 */
export const EvidenceAdded = defineEvent(
  "EvidenceAdded",
  1,
  strict({
    file_id: FileId,
    /** What the file is for, e.g. `evidence`. The log does not limit which codes exist. */
    kind: Type.String({ pattern: "^[a-z0-9_]{1,40}$" }),
    /** By what is in it, not by its name. */
    type: Type.Enum(["application/pdf", "image/jpeg", "image/png", "image/webp"]),
  }),
  {
    personal: strict({
      name: Type.String({ minLength: 1 }),
      /** Size of what is stored, which for a picture is a new encoding. */
      bytes: Type.Integer({ minimum: 1 }),
      /** Hex SHA-256 of what is stored. */
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    }),
  },
  { required: ["personal"] },
);

/**
 * A file is removed for good: its key is destroyed right after this event, and its bytes after that.
 * A deletion of the report has one for each of its files, before `ReportDeleted`.
 */
export const EvidenceErased = defineEvent("EvidenceErased", 1, strict({ file_id: FileId }), {});
