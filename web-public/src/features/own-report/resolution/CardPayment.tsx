import { useState } from "react";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { openCheckout } from "../../../api/resolution.ts";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useSiteConfig } from "../../../config/site-config.tsx";
import { accountClient } from "../../../session/account-client.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { sentenceOf } from "../../account/settings/settings-words.ts";
import { paymentWords } from "./payment-words.ts";
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
