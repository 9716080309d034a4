import type { Logger } from "pino";
import type { EventStore } from "#event-store/port.ts";
import type { KeyStore, LiveKey } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { AccountStore } from "../account/account.store.ts";
import type { CommandIds } from "../kernel/command-ids.store.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ReportService } from "../report/report.service.ts";
import type { CardSettings } from "./card-settings.ts";
import { CheckoutService } from "./checkout.service.ts";
import { PaymentNotices } from "./payment-notices.ts";

/** Opens payments by card. Without settings there are none. */
export async function openCheckouts(deps: {
  readonly handler: CommandHandler;
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly reports: ReportService;
  readonly accounts: Pick<AccountStore, "activeAdmins">;
  readonly commandIds: CommandIds;
  readonly commandKey: LiveKey;
  readonly settings: CardSettings | undefined;
  readonly log: Logger;
}) {
  const { settings, log, ...others } = deps;
  const processor = settings && (await openStripe(settings, log));
  const cards = processor && { processor, publicUrl: settings.publicUrl };
  return {
    takesCards: cards !== undefined,
    checkouts: new CheckoutService({ ...others, codec: registryCodec, cards }),
    notices: new PaymentNotices({ ...others, processor, log, now: () => new Date() }),
  };
}

/** Stripe's library takes memory and time to load, which only those who use it spend. */
async function openStripe(settings: CardSettings, log: Logger) {
  const { StripeProcessor } = await import("./stripe-processor.ts");
  return new StripeProcessor(settings, log);
}
