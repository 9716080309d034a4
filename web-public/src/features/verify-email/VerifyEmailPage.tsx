import { useEffect, useRef, useState } from "react";
import { data, Link, useActionData, useParams } from "react-router-dom";
import { ACCOUNT_FAILED, PASSWORD_REQUIRED } from "#contracts/account/account-messages.ts";
import { ACCOUNT_LINK_HOURS } from "#contracts/account/deadlines.ts";
import type { VerifyEmail } from "#contracts/http/account.ts";
import { VERIFICATION_HOURS } from "#contracts/report/words.ts";
import { type ActionArgs, apiContext } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import { accountClient } from "../../session/account-client.ts";
import { refreshAccount, storeOf } from "../../session/session-store-of.ts";
import { useAccount, useSiteSession } from "../../session/site-session.ts";
import { NewPasswordForm } from "../account/PasswordFields.tsx";
import { PasswordIsSet } from "../account/ResetPasswordPage.tsx";
import { ConfirmForm, PASSWORD_ID, PasswordForms, proofIn } from "./ConfirmForms.tsx";
import { openLink, type Verification } from "./open-link.ts";
import styles from "./VerifyEmailPage.module.css";

const HEADINGS = {
  verified: "Email confirmed",
  already: "Email already confirmed",
  password: "Confirm your email",
  refused: "This link doesn't work",
  suspended: "Report not accepted",
  failed: "Email not confirmed yet",
} as const;

/** Uses an emailed link once its button is pressed. Opening it changes nothing. */
export function Component() {
  const { token = "" } = useParams();
  const { outcome, isSending, send } = useVerification(token);
  const [isSet, setIsSet] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isWrong = outcome?.state === "password" && outcome.isWrong;
  useEffect(() => {
    if (isWrong) document.getElementById(PASSWORD_ID)?.focus();
    else if (outcome) heading.current?.focus();
  }, [outcome, isWrong]);
  const resetToken = outcome?.state === "verified" ? outcome.of?.reset_token : undefined;
  return (
    <div className={`${styles.page} ${outcome ? (styles[outcome.state] ?? "") : ""}`}>
      <PageHead title="Confirm your email" />
      <h1 ref={heading} tabIndex={-1}>
        {outcome ? HEADINGS[outcome.state] : "Confirm your email"}
      </h1>
      <div role="status">
        {outcome && (
          <p className={styles.message}>{isWrong ? PASSWORD_REQUIRED : outcome.message}</p>
        )}
      </div>
      {!outcome && <ConfirmForm isSending={isSending} onSend={send} />}
      {outcome?.state === "password" && (
        <PasswordForms
          isSending={isSending}
          onSend={send}
          problem={isWrong ? outcome.message : undefined}
        />
      )}
      {resetToken && !isSet && (
        <div className={styles.password}>
          <p>
            We've removed the details previously entered for this account. Choose a new password.
          </p>
          <noscript>
            <p>
              Accounts need JavaScript. Turn it on, then use{" "}
              <Link to={paths.forgotPassword}>Forgot your password?</Link> to set a password.
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
      {outcome && outcome.state !== "password" && !resetToken && (
        <OutcomeText outcome={outcome} onTryAgain={() => send({})} />
      )}
    </div>
  );
}

/** Posts the token when asked, as the signed-in account if any. */
function useVerification(token: string) {
  const asVisitor = useApi();
  const session = useSiteSession();
  const posted = useActionData<Verification>();
  const [pressed, setPressed] = useState<Verification | null>(null);
  const [isSending, setSending] = useState(false);

  async function send(by: VerifyEmail) {
    setSending(true);
    const store = storeOf(session);
    const api = store.read() ? accountClient(store) : asVisitor;
    const result = await openLink(api, token, asVisitor, by);
    setSending(false);
    setPressed(result);
    const isOfAccount = result.state === "verified" && result.of?.kind === "account";
    if (isOfAccount && store.read()) void refreshAccount(store);
  }

  // An email program cut off the link's token.
  const cut: Verification | null = token
    ? null
    : { state: "refused", message: ACCOUNT_FAILED.verifyLink };
  return { outcome: pressed ?? posted ?? cut, isSending, send: (by: VerifyEmail) => void send(by) };
}

function OutcomeText(props: {
  outcome: Exclude<Verification, { state: "password" }>;
  onTryAgain: () => void;
}) {
  const { outcome, onTryAgain } = props;
  switch (outcome.state) {
    case "verified":
    case "already":
      return outcome.state === "verified" && outcome.of?.kind === "account" ? (
        <ConfirmedAccount />
      ) : (
        <ConfirmedReport isNew={outcome.state === "verified"} />
      );
    case "refused":
      return (
        <>
          <p>
            If you've used this link before, your address is already confirmed. Links for reports
            expire after {VERIFICATION_HOURS} hours. If yours has expired, submit the report again.
            Links for accounts expire after {ACCOUNT_LINK_HOURS} hours. If yours has expired, sign
            in and request a new one from your profile.
          </p>
          <div className={styles.actions}>
            <ButtonLink to={paths.submitReport}>Submit New Report</ButtonLink>
            <ButtonLink to={paths.profile} kind="secondary">
              Go to Profile
            </ButtonLink>
            <Home />
          </div>
        </>
      );
    case "suspended":
      return (
        <>
          <p>
            Our DMCA policy explains how we treat repeat infringers. We've emailed this address to
            explain how long this lasts.
          </p>
          <div className={styles.actions}>
            <ButtonLink to={paths.dmca}>Read the DMCA Policy</ButtonLink>
            <Home />
          </div>
        </>
      );
    case "failed":
      return (
        <div className={styles.actions}>
          <Button className="needs-script" onClick={onTryAgain}>
            Try again
          </Button>
          <ButtonLink to={paths.submitReport} kind="secondary">
            Submit New Report
          </ButtonLink>
          <Home />
        </div>
      );
  }
}

function ConfirmedReport({ isNew }: { isNew: boolean }) {
  return (
    <>
      <p>
        {isNew && "Our team will review your report next. "}
        We'll email you when your report is approved or rejected. There's nothing more for you to
        do.
      </p>
      <div className={styles.actions}>
        <ButtonLink to={paths.search}>Browse Reports</ButtonLink>
        <Home />
      </div>
    </>
  );
}

function ConfirmedAccount() {
  const { user } = useAccount();
  return (
    <>
      <p>Your account's email address is confirmed.</p>
      <div className={styles.actions}>
        <ButtonLink to={user ? paths.profile : paths.login}>
          {user ? "Go to Profile" : "Go to Login"}
        </ButtonLink>
        <ButtonLink to={paths.search} kind="secondary">
          Browse Reports
        </ButtonLink>
        <Home />
      </div>
    </>
  );
}

function Home() {
  return (
    <ButtonLink to={paths.home} kind="secondary">
      Go to Homepage
    </ButtonLink>
  );
}

/** Uses the link for a browser without JavaScript, after its button was pressed. */
export async function action({ context, params, request }: ActionArgs) {
  const api = context.get(apiContext);
  const by = proofIn(await request.formData());
  const outcome = await openLink(api, params.token ?? "", api, by);
  return data(outcome, { status: STATUS[outcome.state] });
}

const STATUS = {
  verified: 200,
  already: 200,
  refused: 400,
  password: 403,
  suspended: 403,
  failed: 503,
} as const;
