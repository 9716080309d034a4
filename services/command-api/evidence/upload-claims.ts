import { DomainError } from "#contracts/domain-error.ts";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import type { NamedFile } from "./named-file.ts";
import { isSecretOf, type LockedUpload, type UploadStore } from "./upload.store.ts";

/** Makes uploads a report's. */
export class UploadClaims {
  readonly #uploads: Pick<UploadStore, "claim">;

  constructor(uploads: Pick<UploadStore, "claim">) {
    this.#uploads = uploads;
  }

  /**
   * Claims all of the files for the report, or none. Claiming them again for the same report changes
   * nothing. An unknown id and a wrong secret are refused alike.
   * @param field the request's field that names them; refusals of files of a list add their number.
   * @throws {DomainError} `invalid_request`, with a sentence for each file; `upload_used`.
   */
  async claim(
    reportId: string,
    named: readonly NamedUpload[],
    now: string,
    field = "evidence",
  ): Promise<readonly NamedFile[]> {
    const ids = named.map(({ id }) => id);
    if (new Set(ids).size < ids.length) throw refused({ [field]: "The same file is listed twice" });
    return this.#uploads.claim(ids, reportId, now, (rows) => filesOf(named, rows, reportId, field));
  }
}

function filesOf(
  named: readonly NamedUpload[],
  rows: ReadonlyMap<string, LockedUpload>,
  reportId: string,
  field: string,
): NamedFile[] {
  const missing: Record<string, string> = {};
  const used: Record<string, string> = {};
  const files: NamedFile[] = [];
  for (const [index, { id, secret, name }] of named.entries()) {
    const row = rows.get(id);
    const path = named.length === 1 && field !== "evidence" ? field : `${field}.${index}`;
    if (!isSecretOf(row?.secretHash, secret) || !row)
      missing[path] = "This file is no longer here. Please remove it and add it again";
    else if (row.reportId !== null && row.reportId !== reportId)
      used[path] = "This file belongs to another report. Please remove it and add it again";
    else {
      const { type, bytes, sha256 } = row;
      files.push({ id, name, type, bytes, sha256 });
    }
  }
  if (Object.keys(missing).length > 0) throw refused({ ...missing, ...used });
  const [first] = Object.values(used);
  if (first) throw new DomainError("upload_used", `${first}.`, used);
  return files;
}

function refused(problems: Readonly<Record<string, string>>): DomainError {
  return new DomainError("invalid_request", Object.values(problems)[0] ?? "", problems);
}
