import { useState } from "react";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { openCheckout } from "../../../api/resolution.ts";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useSiteConfig } from "../../../config/site-config.tsx";
import { formatOwnTime } from "../../../lib/format.ts";
import { accountClient } from "../../../session/account-client.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { sentenceOf } from "../../account/settings/settings-words.ts";
import styles from "./Resolution.module.css";
import type { Returned } from "./use-payment.ts";

const FAILED = "We couldn't open the payment page. Please try again.";

/** Sends the owner to the payment service's page, and says what became of it. */
export function CardPayment(props: {
  readonly reportId: string;
  readonly resolution: OwnResolution;
  readonly returned: Returned;
}) {
  const { reportId, resolution, returned } = props;
  const store = storeOf(useSiteSession());
  const { supportEmail } = useSiteConfig();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const words = paymentWords(resolution, returned);

  async function pay() {
    setBusy(true);
    setFailure(null);
    try {
      const url = await openCheckout(accountClient(store), reportId, resolution.request_id);
      // It stays busy: this page is left.
      window.location.assign(url);
    } catch (error) {
      setFailure(sentenceOf(error, FAILED));
      setBusy(false);
    }
  }

  return (
    <>
      {words.news && (
        <Notice tone={words.news.tone} role="status">
          <p>
            {words.news.text}
            {words.news.asks && (
              <>
                {" "}
                <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
              </>
            )}
          </p>
        </Notice>
      )}
      {failure !== null && (
        <Notice tone="error" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
      {words.button && (
        <p className={styles.actions}>
          <Button disabled={isBusy} onClick={() => void pay()}>
            {isBusy ? "Opening the payment page…" : words.button}
          </Button>
          <span className={styles.small}>
            You pay on Stripe's page and come back here. We never see your card. For other ways to
            pay, write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
          </span>
        </p>
      )}
    </>
  );
}

/** What the panel says of a card payment, and its button; none once somebody has paid. */
interface PaymentWords {
  readonly news?: {
    readonly tone: "info" | "warning";
    readonly text: string;
    /** Whether it ends with the address to write to. */
    readonly asks?: true;
  };
  readonly button?: string;
}

/**
 * What became of a card payment while the fee is due.
 * @param returned how the payer came back, which proves nothing: only the server says that money came.
 */
export function paymentWords(
  { card, card_until }: OwnResolution,
  returned: Returned,
): PaymentWords {
  if (card === "other_amount")
    return {
      news: {
        tone: "warning",
        text: "The payment doesn't match the fee, so we can't show the banner. Please don't pay again, and write to",
        asks: true,
      },
    };
  if (returned === "paid")
    return {
      news: {
        tone: "info",
        text: "Thank you. We're waiting for Stripe to confirm your payment, which takes a few seconds. You can leave this page. We'll show the banner as soon as the payment arrives.",
      },
    };
  if (card === "on_its_way")
    return {
      news: {
        tone: "info",
        text: "Your payment is being processed. We'll show the banner as soon as Stripe confirms it. If that takes longer than a day, please write to us.",
      },
    };
  if (card === "expired")
    return {
      news: {
        tone: "warning",
        text: "The payment page has expired, and nothing was paid. You can open a new one.",
      },
      button: "Pay by card",
    };
  if (returned === "left")
    return {
      news: { tone: "info", text: "You left the payment page without paying." },
      button: "Continue to payment",
    };
  if (card === "open")
    return {
      news: {
        tone: "info",
        text: `You opened a payment page and haven't paid yet. You can use it until ${card_until ? formatOwnTime(card_until) : "it expires"}.`,
      },
      button: "Continue to payment",
    };
  return { button: "Pay by card" };
}
