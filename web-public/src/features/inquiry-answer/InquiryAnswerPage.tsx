import { useRef, useState } from "react";
import { useActionData, useLoaderData, useParams } from "react-router-dom";
import type { AnsweredInquiry } from "#contracts/http/inquiries.ts";
import { useApi } from "../../api/use-api.ts";
import { PageHead } from "../../components/PageHead.tsx";
import { AnswerForm } from "../report-question/AnswerForm.tsx";
import { REPLY_WORDS } from "../report-question/answer-words.ts";
import type { PlainAnswer } from "../report-question/plain-answer.ts";
import styles from "../report-status/ReportStatus.module.css";
import { sendReply } from "./inquiry-answer.loader.ts";

export {
  inquiryAnswerAction as action,
  inquiryAnswerLoader as loader,
} from "./inquiry-answer.loader.ts";

/** Why no reply is taken anymore. */
const OVER: Readonly<Record<Exclude<AnsweredInquiry["state"], "open">, string>> = {
  replied: "We've received your reply to this answer. We'll email you once we've read it.",
  closed: "This inquiry was closed. If you have another question, send a new one.",
};

/** An answer by staff to an inquiry, and the one reply that it takes. */
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
            words={REPLY_WORDS}
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
