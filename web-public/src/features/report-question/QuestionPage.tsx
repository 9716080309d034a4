import { useRef, useState } from "react";
import { useActionData, useLoaderData, useParams } from "react-router-dom";
import type { AskedQuestion } from "#contracts/http/unsubscribe.ts";
import { type ApiClient, dataOf, loading } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { ButtonLink } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import { formatMoment } from "../../lib/format.ts";
import { linkProblem } from "../report-status/link-problem.ts";
import styles from "../report-status/ReportStatus.module.css";
import { AnswerForm } from "./AnswerForm.tsx";
import { ANSWER_MESSAGES } from "./answer-messages.ts";
import { type PlainAnswer, plainAnswerAction } from "./plain-answer.ts";

const OVER: Readonly<Record<Exclude<AskedQuestion["state"], "open">, string>> = {
  answered: "This question has been answered. A moderator will read the answer next.",
  withdrawn: "This question was withdrawn. You don't need to answer it anymore.",
  closed: "We've already made a decision on this report, so you don't need to answer.",
};

/** A moderator's question about a report, with a form for the one answer. */
export function Component() {
  const asked = useLoaderData<AskedQuestion>();
  const { token = "" } = useParams();
  const api = useApi();
  const plain = useActionData<PlainAnswer>();
  const [isSent, setSent] = useState(plain?.result === "sent");
  const heading = useRef<HTMLHeadingElement>(null);
  const { number, question, state } = asked;
  return (
    <div className={styles.page}>
      <PageHead title={`Question about report ${number}`} />
      <p className={styles.number}>Report {number}</p>
      <h1 ref={heading} tabIndex={-1}>
        {isSent ? "Thank you for your answer" : "A question about your report"}
      </h1>
      {isSent && (
        <p>Your report is back at the front of the queue. We'll email you our decision.</p>
      )}
      {!isSent && state !== "open" && <p>{OVER[state]}</p>}
      {!isSent && state === "open" && (
        <>
          <p>
            A moderator asked on{" "}
            <time dateTime={asked.asked_at}>{formatMoment(asked.asked_at)}</time>:
          </p>
          <blockquote className={styles.question}>{question}</blockquote>
          <AnswerForm
            expiresAt={asked.expires_at}
            plain={plain}
            send={(answer, key) => sendAnswer(api, token, answer, key)}
            onSent={() => {
              setSent(true);
              heading.current?.focus();
            }}
          />
        </>
      )}
      {(isSent || state !== "open") && (
        <div className={styles.actions}>
          <ButtonLink to={paths.search} kind="secondary">
            Browse Reports
          </ButtonLink>
        </div>
      )}
    </div>
  );
}

/** Loads a moderator's question by its link's token. Changes nothing. */
export const loader = loading(
  (api, { params: { token = "" }, request: { signal } }) =>
    dataOf(api.post<AskedQuestion>("/api/report-question", { body: { token }, signal })),
  linkProblem,
);

function sendAnswer(api: ApiClient, token: string, answer: string, idempotencyKey: string) {
  return api.post("/api/report-question/answer", { body: { token, answer }, idempotencyKey });
}

export const action = plainAnswerAction(ANSWER_MESSAGES, "answer", sendAnswer);
