import { type ReactNode, useRef, useState } from "react";
import type { OpenedReport } from "#contracts/http/own-reports.ts";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { isOpenStage, RESOLUTION_FEE_TEXT } from "#contracts/report/resolution.ts";
import { dataOf } from "../../../api/client.ts";
import { useAction } from "../../../api/use-action.ts";
import { Button } from "../../../components/Button.tsx";
import { Failure, Notice } from "../../../components/Notice.tsx";
import { useSiteConfig } from "../../../config/site-config.tsx";
import { formatOwnTime } from "../../../lib/format.ts";
import { useAccountClient } from "../../../session/session-store-of.ts";
import { LetterForm } from "./LetterForm.tsx";
import styles from "./Resolution.module.css";
import { type Returned, resolutionPath, usePayment } from "./use-payment.ts";

const FAILED = "We couldn't withdraw your request. Please try again.";

/** The RESOLVED banner of one's own report: requirements, status, and next step. */
export default function ResolutionPanel({ opened }: { opened: OpenedReport }) {
  const { id, status } = opened;
  const api = useAccountClient();
  const { isBusy, failure, run } = useAction(FAILED);
  const heading = useRef<HTMLHeadingElement>(null);
  const [resolution, setResolution] = useState<OwnResolution | undefined>(opened.resolution);
  const { returned, isPaying } = usePayment(id, resolution, setResolution);
  // While a payment is processing, say neither that it is due nor that nothing is owed.

  function moveTo(next: OwnResolution) {
    setResolution(next);
    // The pressed button disappears.
    heading.current?.focus();
  }
  const withdraw = ({ request_id }: OwnResolution) =>
    run(async () => {
      const sent = api.delete<{ resolution: OwnResolution }>(resolutionPath(id), {
        body: { request_id },
      });
      moveTo((await dataOf(sent)).resolution);
    });

  return (
    <section className={styles.panel} aria-labelledby="resolution-heading">
      <h2 id="resolution-heading" ref={heading} tabIndex={-1}>
        RESOLVED banner
      </h2>
      <p>
        You can't change or remove a published report. If the matter is settled, the report can show
        a RESOLVED banner on its page and in every list. There's a one-time fee of{" "}
        {RESOLUTION_FEE_TEXT}.
      </p>
      <ol className={styles.steps}>
        {stepsOf(resolution).map(({ text, state }) => (
          <li key={text} data-state={state} aria-current={state === "now" ? "step" : undefined}>
            {text}
            {state === "done" && <span className={styles.done}>Done</span>}
          </li>
        ))}
      </ol>
      <div role="status">{!isPaying && <Standing opened={opened} resolution={resolution} />}</div>
      {resolution?.card && (
        <CardPayment reportId={id} resolution={resolution} returned={returned} />
      )}
      <Failure text={failure} />
      {canAsk(status, resolution) && <LetterForm reportId={id} onAsked={moveTo} />}
      {resolution && canWithdraw(resolution) && !isPaying && (
        <p className={styles.actions}>
          <Button kind="secondary" disabled={isBusy} onClick={() => void withdraw(resolution)}>
            Withdraw the request
          </Button>
          <span className={styles.small}>We'll delete your letter. You don't owe anything.</span>
        </p>
      )}
    </section>
  );
}

function Standing(props: {
  readonly opened: OpenedReport;
  readonly resolution: OwnResolution | undefined;
}) {
  const { opened, resolution } = props;
  const { supportEmail } = useSiteConfig();
  const isPublic = opened.status === "approved";
  switch (resolution?.stage) {
    case "requested":
      return (
        <StatusNote tone="info">
          We've received your letter and are checking it. Our decision will appear here. We'll also
          email it to you if your address is confirmed. Don't pay yet.
        </StatusNote>
      );
    case "letter_accepted":
      if (resolution.card)
        return <StatusNote tone="success">We've accepted your letter. You can pay now.</StatusNote>;
      return (
        <StatusNote tone="success">
          We've accepted your letter. To pay, write to{" "}
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a> and include this report's number,{" "}
          <strong className={styles.number}>{reportNumber(opened.id)}</strong>. We'll tell you how
          to pay. We'll show the banner as soon as your payment arrives.
        </StatusNote>
      );
    case "letter_refused":
      return (
        <StatusNote tone="warning">
          We couldn't accept your letter. You don't owe anything.
          {resolution.refusal && <> Reason: {resolution.refusal}</>}
        </StatusNote>
      );
    case "withdrawn":
      return (
        <StatusNote tone="info">Your request was withdrawn, and the letter was deleted.</StatusNote>
      );
    case "resolved":
      return (
        <StatusNote tone="success">
          {isPublic
            ? "We've received your payment, and the report shows the banner."
            : "We've received your payment. The report will show the banner once it's public again."}
        </StatusNote>
      );
    case "refunded":
      return (
        <StatusNote tone="info">
          Your payment was refunded, so the report no longer shows the banner.
        </StatusNote>
      );
    default:
      return isPublic ? null : (
        <StatusNote tone="info">You can request the banner once the report is public.</StatusNote>
      );
  }
}

function StatusNote({
  tone,
  children,
}: {
  tone: "info" | "success" | "warning";
  children: ReactNode;
}) {
  return (
    <Notice tone={tone}>
      <p>{children}</p>
    </Notice>
  );
}

interface ResolutionStep {
  readonly text: string;
  readonly state: "done" | "now" | "later";
}

const STEPS = [
  "You send the notarized letter",
  "We check the letter",
  `You pay ${RESOLUTION_FEE_TEXT}`,
  "The report shows the banner",
] as const;

/** Number of completed steps in each stage. An ended request starts over. */
const DONE: Readonly<Record<OwnResolution["stage"], number>> = {
  requested: 1,
  letter_accepted: 2,
  letter_refused: 0,
  withdrawn: 0,
  resolved: STEPS.length,
  refunded: 0,
};

function stepsOf(resolution: OwnResolution | undefined): ResolutionStep[] {
  const done = resolution ? DONE[resolution.stage] : 0;
  return STEPS.map((text, index) => ({
    text,
    state: index < done ? "done" : index === done ? "now" : "later",
  }));
}

function canAsk(status: string, resolution: OwnResolution | undefined): boolean {
  if (status !== "approved") return false;
  return !resolution || !(isOpenStage(resolution.stage) || resolution.stage === "resolved");
}

function canWithdraw(resolution: OwnResolution | undefined): boolean {
  return resolution !== undefined && isOpenStage(resolution.stage);
}

const CARD_PAYMENT_FAILED = "We couldn't open the payment page. Please try again.";

/** Sends the owner to the payment service's page, and shows the payment's status. */
export function CardPayment(props: {
  readonly reportId: string;
  readonly resolution: OwnResolution;
  readonly returned: Returned;
}) {
  const { reportId, resolution, returned } = props;
  const api = useAccountClient();
  const { supportEmail } = useSiteConfig();
  const { isBusy, failure, run } = useAction(CARD_PAYMENT_FAILED);
  const words = paymentText(resolution, returned);

  const pay = () =>
    run(async () => {
      const body = { request_id: resolution.request_id };
      const sent = api.post<{ url: string }>(`${resolutionPath(reportId)}/checkout`, { body });
      window.location.assign((await dataOf(sent)).url);
      // Stay busy: the browser is leaving this page.
      await new Promise(() => undefined);
    });
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
      <Failure text={failure} />
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

/** The panel's message about a card payment, and its button; no button after a payment. */
interface PaymentWords {
  readonly news?: {
    readonly tone: "info" | "warning";
    readonly text: string;
    /** Whether the text ends with the address to write to. */
    readonly asks?: true;
  };
  readonly button?: string;
}

/**
 * Returns the message about a card payment while the fee is due.
 * @param returned how the payer came back, which proves nothing: only the server knows whether the payment
 * arrived.
 */
export function paymentText({ card, card_until }: OwnResolution, returned: Returned): PaymentWords {
  if (card === "other_amount")
    return {
      news: {
        tone: "warning",
        text: "The payment doesn't match the fee, so we can't show the banner. Please don't pay again. Write to",
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
