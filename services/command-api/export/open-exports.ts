import type { Pool } from "pg";
import type { EventStore } from "#event-store/port.ts";
import type { KeyStore, LiveKey } from "#vault/keys/key-store.ts";
import { createExportLinks } from "#vault/links/list-export.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { AccountStore } from "../account/account.store.ts";
import type { Evidence } from "../evidence/open-evidence.ts";
import type { InquiryService } from "../inquiry/inquiry.service.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { SavedFilterStore } from "../saved-filters/saved-filter.store.ts";
import { AccountStreams } from "./account-streams.ts";
import { ExportService } from "./export.service.ts";
import { ExportedFiles } from "./exported-files.ts";

/** Opens the exports of accounts' data, and what they list streams from. */
export function openExports(stores: {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly handler: CommandHandler;
  readonly accounts: AccountStore;
  readonly evidence: Pick<Evidence, "views">;
  readonly inquiries: InquiryService;
  readonly savedFilters: SavedFilterStore;
  /** The service key `links`. */
  readonly linkKey: LiveKey;
  readonly epoch: string;
}) {
  const { evidence, inquiries, linkKey } = stores;
  const opened = { ...stores, codec: registryCodec };
  const accountStreams = new AccountStreams(stores);
  const files = new ExportedFiles({ ...opened, views: evidence.views, inquiries });
  const links = createExportLinks(linkKey);
  return {
    accountStreams,
    exports: new ExportService({ ...opened, accountStreams, files, links }),
  };
}
