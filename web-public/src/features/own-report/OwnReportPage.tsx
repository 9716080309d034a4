import { useEffect, useState } from "react";
import { Link, useParams } from "react-router-dom";
import type { OpenedReport } from "#contracts/http/own-reports.ts";
import { ApiError } from "../../api/client.ts";
import { openOwnReport } from "../../api/own-reports.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { ReportListSkeleton } from "../../components/ReportList.tsx";
import { paths } from "../../config/paths.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useSiteSession } from "../../session/site-session.ts";
import { RequireAccount } from "../account/RequireAccount.tsx";
import { sentenceOf } from "../account/settings/settings-words.ts";
import { useProof } from "../account/use-proof.tsx";
import { OpenedOwnReport } from "./OpenedOwnReport.tsx";
import styles from "./OwnReport.module.css";

const FAILED = "We couldn't open your report. Please try again.";
const NOT_FOUND = "Report not found";
const SKELETON_MS = 150;

/** One report of the account's own, as it was submitted: to read and to print. */
export function OwnReportPage() {
  const { id = "" } = useParams();
  const [isUnknown, setUnknown] = useState(false);
  const title = isUnknown ? NOT_FOUND : "My Report";
  return (
    <div className={styles.page}>
      <PageHead title={title} />
      <p className={styles.back}>
        <Link to={paths.dashboard}>Back to the dashboard</Link>
      </p>
      <h1 tabIndex={-1}>{title}</h1>
      <noscript>
        <Notice tone="warning">
          <p>
            Accounts need JavaScript. Turn it on, then reload this page. You can search and read
            reports without it.
          </p>
        </Notice>
      </noscript>
      <RequireAccount waiting={<p>Loading your account…</p>}>
        {(user) => <OwnReport key={`${user.id} ${id}`} id={id} onUnknown={setUnknown} />}
      </RequireAccount>
    </div>
  );
}

type Problem = "not_found" | "locked" | { readonly sentence: string };

function OwnReport(props: {
  readonly id: string;
  /** Called with whether the account has no such report. */
  readonly onUnknown: (isUnknown: boolean) => void;
}) {
  const { id, onUnknown } = props;
  const store = storeOf(useSiteSession());
  const proof = useProof();
  const [opened, setOpened] = useState<OpenedReport | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempt, setAttempt] = useState(0);
  const isLate = useDelayed(!opened && !problem && !proof.dialog, SKELETON_MS);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens it again.
  useEffect(() => {
    let isHere = true;
    setProblem(null);
    onUnknown(false);
    proof
      .run(() => openOwnReport(accountClient(store), id))
      .then((report) => {
        if (!isHere) return;
        if (report) setOpened(report);
        else setProblem("locked");
      })
      .catch((error: unknown) => {
        if (!isHere) return;
        const found = problemOf(error);
        setProblem(found);
        onUnknown(found === "not_found");
      });
    return () => {
      isHere = false;
    };
  }, [store, id, attempt]);

  const again = () => setAttempt((before) => before + 1);
  return (
    <>
      {proof.dialog}
      {isLate && (
        <>
          <p className="visually-hidden" role="status">
            Loading
          </p>
          <ReportListSkeleton rows={3} />
        </>
      )}
      {problem && <Failure problem={problem} onAgain={again} />}
      {opened && <OpenedOwnReport opened={opened} />}
    </>
  );
}

function problemOf(error: unknown): Problem {
  const isUnknown = error instanceof ApiError && [400, 404, 410].includes(error.status);
  return isUnknown ? "not_found" : { sentence: sentenceOf(error, FAILED) };
}

function Failure({ problem, onAgain }: { problem: Problem; onAgain: () => void }) {
  if (problem === "not_found")
    return (
      <div className={styles.failure}>
        <p>We couldn't find that report in your account. It may have been deleted.</p>
        <ButtonLink to={paths.dashboard}>Go to the dashboard</ButtonLink>
      </div>
    );
  if (problem === "locked")
    return (
      <Notice tone="info">
        <p>Enter your password to open the report.</p>
        <p>
          <Button onClick={onAgain}>Open the report</Button>
        </p>
      </Notice>
    );
  return (
    <Notice tone="error" role="alert">
      <p>{problem.sentence}</p>
      <p>
        <Button kind="secondary" onClick={onAgain}>
          Try again
        </Button>
      </p>
    </Notice>
  );
}
