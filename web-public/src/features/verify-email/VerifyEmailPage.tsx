import { useEffect, useRef, useState } from "react";
import { useParams } from "react-router-dom";
import { useApi } from "../../api/use-api.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import styles from "./VerifyEmailPage.module.css";
import { type Verification, verifyOnce } from "./verify-once.ts";

const HEADINGS = {
  loading: "Confirming your email",
  verified: "Email confirmed",
  already: "Email confirmed already",
  refused: "This link does not work",
  failed: "Not confirmed yet",
} as const;

/** Uses the link from a mail as soon as the page runs in a browser. */
export function VerifyEmailPage() {
  const { token = "" } = useParams();
  const api = useApi();
  const [attempt, setAttempt] = useState(0);
  const [outcome, setOutcome] = useState<Verification | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again.
  useEffect(() => {
    let shown = true;
    setOutcome(null);
    void verifyOnce(api, token).then((result) => {
      if (shown) setOutcome(result);
    });
    return () => {
      shown = false;
    };
  }, [api, token, attempt]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (outcome) heading.current?.focus();
  }, [outcome]);
  return (
    <div className={`${styles.page} ${outcome ? styles[outcome.state] : ""}`}>
      <PageHead title="Email verification" />
      <h1 ref={heading} tabIndex={-1}>
        {HEADINGS[outcome?.state ?? "loading"]}
      </h1>
      <div role="status">
        {outcome ? (
          <p className={styles.message}>{outcome.message}</p>
        ) : (
          <p className={styles.loading}>One moment, we are checking your link.</p>
        )}
      </div>
      <noscript>
        <p>Confirming needs JavaScript. Please switch it on and open the link again.</p>
      </noscript>
      {(outcome?.state === "verified" || outcome?.state === "already") && (
        <>
          <p>
            {outcome.state === "verified" && "Our team reviews your report next. "}
            We write to you when it is approved or turned down; there is nothing more for you to do.
          </p>
          <div className={styles.actions}>
            <ButtonLink to={paths.search}>Browse Reports</ButtonLink>
            <ButtonLink to={paths.home} kind="secondary">
              Go to Homepage
            </ButtonLink>
          </div>
        </>
      )}
      {outcome?.state === "refused" && (
        <>
          <p>A link works for 48 hours. You can submit the report again.</p>
          <div className={styles.actions}>
            <ButtonLink to={paths.submitReport}>Submit New Report</ButtonLink>
            <ButtonLink to={paths.home} kind="secondary">
              Go to Homepage
            </ButtonLink>
          </div>
        </>
      )}
      {outcome?.state === "failed" && (
        <div className={styles.actions}>
          <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>
          <ButtonLink to={paths.submitReport} kind="secondary">
            Submit New Report
          </ButtonLink>
          <ButtonLink to={paths.home} kind="secondary">
            Go to Homepage
          </ButtonLink>
        </div>
      )}
    </div>
  );
}
