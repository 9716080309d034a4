import type { EventStore } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { AccountStore } from "../account/account.store.ts";
import type { CheckoutService } from "../checkout/checkout.service.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { ResolutionService } from "../resolution/resolution.service.ts";
import { ClaimService } from "./claim.service.ts";
import { OwnReportService } from "./own-report.service.ts";
import type { ReportService } from "./report.service.ts";

/** Opens what accounts do with reports of their own, and what staff decide about it. */
export function openOwnReports(deps: {
  readonly handler: CommandHandler;
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly accounts: Pick<AccountStore, "activeAdmins">;
  readonly reports: ReportService;
  /** Whether the fee of the RESOLVED banner can be paid by card. */
  readonly takesCards: boolean;
  readonly checkouts: Pick<CheckoutService, "look">;
}) {
  const opened = { ...deps, codec: registryCodec };
  return {
    ownReports: new OwnReportService(opened),
    reportClaims: new ClaimService(deps),
    resolutions: new ResolutionService(opened),
  };
}
