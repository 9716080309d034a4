import type { Pool } from "pg";
import type { EventStore } from "#event-store/port.ts";
import type { FileStore } from "#files/port.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { Pictures } from "#pictures/pictures.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { UploadService } from "./upload.service.ts";
import { UploadStore } from "./upload.store.ts";
import { UploadClaims } from "./upload-claims.ts";
import { UploadRemoval } from "./upload-removal.ts";

/** Opens everything about files, over the stores of the service. */
export function openEvidence(stores: {
  readonly pool: Pool;
  readonly keys: KeyStore;
  readonly store: EventStore;
  readonly files: FileStore;
}) {
  const files = new SealedFiles(stores);
  const rows = new UploadStore(stores.pool);
  const removal = new UploadRemoval({ uploads: rows, files, store: stores.store });
  const pictures = new Pictures();
  return {
    files,
    removal,
    claims: new UploadClaims(rows),
    uploads: new UploadService({ uploads: rows, removal, files, pictures }),
    close: () => pictures.close(),
  };
}
