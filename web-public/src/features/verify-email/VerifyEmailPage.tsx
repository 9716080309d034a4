import { useEffect, useRef, useState } from "react";
import { Link, useActionData, useParams } from "react-router-dom";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import { accountClient } from "../../session/account-client.ts";
import { refreshAccount, storeOf } from "../../session/session-store-of.ts";
import { useAccount, useSiteSession } from "../../session/site-session.ts";
import { NewPasswordForm } from "../account/NewPasswordForm.tsx";
import { PasswordIsSet } from "../account/ResetPasswordPage.tsx";
import { OutcomeText } from "./OutcomeText.tsx";
import styles from "./VerifyEmailPage.module.css";
import { type Verification, verifyOnce } from "./verify-once.ts";

const HEADINGS = {
  verified: "Email confirmed",
  already: "Email confirmed already",
  refused: "This link does not work",
  suspended: "Not accepted",
  failed: "Not confirmed yet",
} as const;

/** Uses the link of a mail as soon as the page runs in a browser. */
export function VerifyEmailPage() {
  const { token = "" } = useParams();
  const [attempt, setAttempt] = useState(0);
  const pressed = useActionData<Verification>();
  const run = useVerification(token, attempt, pressed !== undefined);
  const outcome = pressed ?? run;
  const [isSet, setIsSet] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (outcome) heading.current?.focus();
  }, [outcome]);
  const resetToken = outcome?.state === "verified" ? outcome.of?.reset_token : undefined;
  return (
    <div className={`${styles.page} ${outcome ? styles[outcome.state] : ""}`}>
      <PageHead title="Email verification" />
      <h1 ref={heading} tabIndex={-1}>
        {outcome ? (
          HEADINGS[outcome.state]
        ) : (
          <>
            <span className="needs-script">Confirming your email</span>
            <noscript>Confirm your email</noscript>
          </>
        )}
      </h1>
      <div role="status">
        {outcome ? (
          <p className={styles.message}>{outcome.message}</p>
        ) : (
          <p className={`${styles.loading} needs-script`}>One moment, we are checking your link.</p>
        )}
      </div>
      {!outcome && (
        <noscript>
          <form method="post">
            <p>Press the button to confirm that the address is yours.</p>
            <div className={styles.actions}>
              <Button type="submit">Confirm My Email</Button>
            </div>
          </form>
        </noscript>
      )}
      {resetToken && !isSet && (
        <div className={styles.password}>
          <p>
            You opened the link where nobody is signed in to this account. So that it is yours
            alone, whatever was set before is void: choose a new password.
          </p>
          <noscript>
            <p>
              Accounts need JavaScript. Please switch it on, and choose a password by{" "}
              <Link to={paths.forgotPassword}>Forgot your password?</Link>
            </p>
          </noscript>
          <NewPasswordForm token={resetToken} onDone={() => setIsSet(true)} />
        </div>
      )}
      {isSet && (
        <div className={styles.password}>
          <PasswordIsSet />
        </div>
      )}
      {outcome && !resetToken && (
        <OutcomeText outcome={outcome} onTryAgain={() => setAttempt(attempt + 1)} />
      )}
    </div>
  );
}

/** Posts the token, as the account that is signed in here, and says what came of it. */
function useVerification(token: string, attempt: number, isDone: boolean): Verification | null {
  const asVisitor = useApi();
  const session = useSiteSession();
  const isKnown = useAccount().state !== "unknown";
  const [outcome, setOutcome] = useState<Verification | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt sends another request.
  useEffect(() => {
    if (!isKnown || isDone) return;
    let shown = true;
    setOutcome(null);
    const store = storeOf(session);
    const api = store.read() ? accountClient(store) : asVisitor;
    void verifyOnce(api, token, asVisitor).then((result) => {
      if (!shown) return;
      setOutcome(result);
      const isOfAccount = result.state === "verified" && result.of?.kind === "account";
      if (isOfAccount && store.read()) void refreshAccount(store);
    });
    return () => {
      shown = false;
    };
  }, [asVisitor, session, isKnown, token, attempt]);
  return outcome;
}
