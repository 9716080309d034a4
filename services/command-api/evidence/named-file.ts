import type { FileType } from "#contracts/report/evidence-rules.ts";

/** A file whose bytes are stored. */
export interface StoredUpload {
  readonly type: FileType;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file that a report names, as stored in its event. */
export interface NamedFile extends StoredUpload {
  readonly id: string;
  readonly name: string;
}
