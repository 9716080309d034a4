import { type ReactNode, useRef, useState } from "react";
import type { OpenedReport } from "#contracts/http/own-reports.ts";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { RESOLUTION_FEE_IN_WORDS } from "#contracts/report/resolution.ts";
import { withdrawResolution } from "../../../api/resolution.ts";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useSiteConfig } from "../../../config/site-config.tsx";
import { accountClient } from "../../../session/account-client.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { sentenceOf } from "../../account/settings/settings-words.ts";
import { CardPayment } from "./CardPayment.tsx";
import { LetterForm } from "./LetterForm.tsx";
import styles from "./Resolution.module.css";
import { canAsk, canWithdraw, stepsOf } from "./resolution-steps.ts";
import { usePayment } from "./use-payment.ts";

const FAILED = "Your request could not be withdrawn. Please try again.";

/** The RESOLVED banner of one's own report: what it takes, where it stands, and what to do next. */
export default function ResolutionPanel({ opened }: { opened: OpenedReport }) {
  const { id, status } = opened;
  const store = storeOf(useSiteSession());
  const heading = useRef<HTMLHeadingElement>(null);
  const [resolution, setResolution] = useState<OwnResolution | undefined>(opened.resolution);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { returned, isPaying } = usePayment(id, resolution, setResolution);
  // Whoever has just paid is not told to pay, nor that there is nothing to pay.

  function moveTo(next: OwnResolution) {
    setResolution(next);
    // What was pressed goes away.
    heading.current?.focus();
  }
  async function withdraw({ request_id }: OwnResolution) {
    setBusy(true);
    setFailure(null);
    try {
      moveTo(await withdrawResolution(accountClient(store), id, request_id));
    } catch (error) {
      setFailure(sentenceOf(error, FAILED));
    } finally {
      setBusy(false);
    }
  }

  return (
    <section className={styles.panel} aria-labelledby="resolution-heading">
      <h2 id="resolution-heading" ref={heading} tabIndex={-1}>
        RESOLVED banner
      </h2>
      <p>
        A published report cannot be changed or removed. If the matter is settled, it can show a
        RESOLVED banner, on its page and in every list. It costs {RESOLUTION_FEE_IN_WORDS}, once.
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
      {failure !== null && (
        <Notice tone="error" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
      {canAsk(status, resolution) && <LetterForm reportId={id} onAsked={moveTo} />}
      {resolution && canWithdraw(resolution) && !isPaying && (
        <p className={styles.actions}>
          <Button kind="secondary" disabled={isBusy} onClick={() => void withdraw(resolution)}>
            Withdraw the request
          </Button>
          <span className={styles.small}>
            Your letter is then deleted. There is nothing to pay.
          </span>
        </p>
      )}
    </section>
  );
}

/** Where the request stands, in words. */
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
        <Said tone="info">
          We have your letter and are checking it. Our decision will appear here, and we mail it to
          your address if that is confirmed. Do not pay yet.
        </Said>
      );
    case "letter_accepted":
      if (resolution.card)
        return <Said tone="success">Your letter is in order. You can pay now.</Said>;
      return (
        <Said tone="success">
          Your letter is in order. To pay, write to{" "}
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a> and name this report’s number,{" "}
          <strong className={styles.number}>{reportNumber(opened.id)}</strong>. The answer says
          where to pay. The banner is shown as soon as the payment has arrived.
        </Said>
      );
    case "letter_refused":
      return (
        <Said tone="warning">
          We could not accept your letter. There is nothing to pay.
          {resolution.refusal && <> Reason: {resolution.refusal}</>}
        </Said>
      );
    case "withdrawn":
      return <Said tone="info">Your request was withdrawn, and the letter is deleted.</Said>;
    case "resolved":
      return (
        <Said tone="success">
          {isPublic
            ? "Your payment has arrived, and the report shows the banner."
            : "Your payment has arrived. The report shows the banner once it is public again."}
        </Said>
      );
    case "refunded":
      return (
        <Said tone="info">
          Your payment was sent back, so the report does not show the banner any more.
        </Said>
      );
    default:
      return isPublic ? null : (
        <Said tone="info">You can ask for the banner once the report is public.</Said>
      );
  }
}

function Said({ tone, children }: { tone: "info" | "success" | "warning"; children: ReactNode }) {
  return (
    <Notice tone={tone}>
      <p>{children}</p>
    </Notice>
  );
}
