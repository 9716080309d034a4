import type { Pool } from "pg";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { EventStore } from "#event-store/port.ts";
import { openFileStore } from "#files/open-file-store.ts";
import { filesCheck } from "#files/port.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { Pictures } from "#pictures/pictures.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { OwnAccount } from "../report/own-account.ts";
import { clamavAt } from "./clamav.ts";
import { EvidencePublishingService } from "./evidence-publishing.service.ts";
import { EvidenceViewService } from "./evidence-view.service.ts";
import { UploadService } from "./upload.service.ts";
import { UploadStore } from "./upload.store.ts";
import { UploadClaims } from "./upload-claims.ts";
import { UploadRemoval } from "./upload-removal.ts";

export type Evidence = ReturnType<typeof openEvidence>;

/** Opens everything about files, over the stores of the service and one for files. */
export function openEvidence(stores: {
  readonly handler: CommandHandler;
  readonly own: OwnAccount;
  readonly pool: Pool;
  readonly keys: KeyStore;
  readonly store: EventStore;
  readonly filesUrl: string;
  /** `tcp://` URL of a ClamAV daemon; absent: uploads are not scanned. */
  readonly clamavUrl?: string | undefined;
  /** Told of files that were not removed at once; the hourly sweep does it again. */
  readonly onLate: (error: unknown) => void;
  /** What applies now. */
  readonly settings: () => Settings;
}) {
  const { handler, own, keys, onLate } = stores;
  const stored = openFileStore(stores.filesUrl);
  const files = new SealedFiles({ files: stored, keys });
  const rows = new UploadStore(stores.pool);
  const removal = new UploadRemoval({ uploads: rows, files, store: stores.store });
  const pictures = new Pictures();
  const scan = stores.clamavUrl === undefined ? undefined : clamavAt(stores.clamavUrl);
  return {
    files,
    removal,
    claims: new UploadClaims(rows),
    uploads: new UploadService({
      uploads: rows,
      removal,
      files,
      pictures,
      scan,
      maxFileSize: () => stores.settings().maxFileSize,
    }),
    views: new EvidenceViewService({ handler, own, files }),
    publishing: new EvidencePublishingService({
      handler,
      own,
      keys,
      files,
      pictures,
      uploads: rows,
      removal,
      onLate,
    }),
    onLate,
    stored,
    checks: filesCheck(stored),
    /** Call it when nobody uses it any more. */
    async close() {
      await pictures.close();
      await stored.close();
    },
  };
}
