import { Button, ButtonLink } from "../../components/Button.tsx";
import { paths } from "../../config/paths.ts";
import { useAccount } from "../../session/site-session.ts";
import type { Verification } from "./open-link.ts";
import styles from "./VerifyEmailPage.module.css";

/** What follows from the outcome, and where to go from here. */
export function OutcomeText(props: {
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
            If you've used this link before, your address is already confirmed. A report's link
            works for 48 hours. After that, submit the report again. An account's link works for 24
            hours. After that, sign in and ask for another one on your profile.
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
            Our DMCA policy explains how we treat repeat infringers. Our email to this address says
            how long this lasts.
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
