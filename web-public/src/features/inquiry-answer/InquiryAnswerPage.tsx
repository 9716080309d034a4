import { useRef, useState } from "react";
import { useActionData, useLoaderData, useParams } from "react-router-dom";
import type { AnsweredInquiry } from "#contracts/http/inquiries.ts";
import { type ApiClient, dataOf, loading } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { PageHead } from "../../components/PageHead.tsx";
import { AnswerForm } from "../report-question/AnswerForm.tsx";
import { REPLY_MESSAGES } from "../report-question/answer-messages.ts";
import { type PlainAnswer, plainAnswerAction } from "../report-question/plain-answer.ts";
import { linkProblem } from "../report-status/link-problem.ts";
import styles from "../report-status/ReportStatus.module.css";

const OVER: Readonly<Record<Exclude<AnsweredInquiry["state"], "open">, string>> = {
  replied: "We've received your reply to this answer. We'll email you once we've read it.",
  closed: "This inquiry was closed. If you have another question, send a new one.",
};

/** Staff's answer to an inquiry, with a form for the one reply. */
export function Component() {
  const { number, form, answer, expires_at, state } = useLoaderData<AnsweredInquiry>();
  const { token = "" } = useParams();
  const api = useApi();
  const plain = useActionData<PlainAnswer>();
  const [isSent, setSent] = useState(plain?.result === "sent");
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <div className={styles.page}>
      <PageHead title={`Answer to inquiry ${number}`} />
      <p className={styles.number}>
        {form} {number}
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {isSent ? "Thank you for your reply" : "Our answer to your inquiry"}
      </h1>
      {isSent && <p>Our staff will read it next. If we have an answer, we'll email you.</p>}
      {!isSent && state !== "open" && <p>{OVER[state]}</p>}
      {!isSent && state === "open" && (
        <>
          <blockquote className={styles.question}>{answer}</blockquote>
          <AnswerForm
            expiresAt={expires_at}
            plain={plain}
            words={REPLY_MESSAGES}
            send={(reply, key) => sendReply(api, token, reply, key)}
            onSent={() => {
              setSent(true);
              heading.current?.focus();
            }}
          />
        </>
      )}
    </div>
  );
}

const INSTEAD =
  "Use the link in our latest email about your inquiry, or write to us again with one of our forms.";

/** Loads an answer by its link's token. Changes nothing. */
export const loader = loading(
  (api, { params: { token = "" }, request: { signal } }) =>
    dataOf(api.post<AnsweredInquiry>("/api/inquiry-answer", { body: { token }, signal })),
  (error) => linkProblem(error, INSTEAD),
);

function sendReply(api: ApiClient, token: string, reply: string, idempotencyKey: string) {
  return api.post("/api/inquiry-answer/reply", { body: { token, reply }, idempotencyKey });
}

export const action = plainAnswerAction(REPLY_MESSAGES, "reply", sendReply);
