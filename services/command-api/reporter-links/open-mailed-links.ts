import type { EventStore } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { createReportLinks } from "#vault/links/one-time-link.ts";
import { createUnsubscribeLinks } from "#vault/links/unsubscribe-link.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ReportService } from "../report/report.service.ts";
import { UnsubscribeService } from "../unsubscribing/unsubscribe.service.ts";
import { ReporterLinksService } from "./reporter-links.service.ts";

/** Opens what works by links of mails for a year, without a sign-in. */
export async function openMailedLinks(deps: {
  readonly handler: CommandHandler;
  readonly reports: ReportService;
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly blind: BlindIndexer;
}) {
  const key = await deps.keys.liveKey("unsubscribe");
  const unsubscribing = createUnsubscribeLinks(key, deps.blind);
  const reportLinks = createReportLinks(key, deps.blind);
  return {
    unsubscribe: new UnsubscribeService({ ...deps, unsubscribing }),
    reporterLinks: new ReporterLinksService({ ...deps, codec: registryCodec, reportLinks }),
  };
}
