import { useRef, useState } from "react";
import { useLoaderData, useParams } from "react-router-dom";
import type { AskedQuestion } from "#contracts/http/reporter-links.ts";
import { ANSWER_CHARS } from "#contracts/report/reporter-rules.ts";
import { answerQuestion } from "../../api/reporter-links.ts";
import { useApi } from "../../api/use-api.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { LeaveGuard } from "../../components/LeaveGuard.tsx";
import { Notice } from "../../components/Notice.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import { newIdempotencyKey } from "../../lib/idempotency-key.ts";
import { TextField } from "../account/TextField.tsx";
import { useAccountForm } from "../account/use-account-form.ts";
import { timeInWords } from "../report-status/progress-words.ts";
import styles from "../report-status/ReportStatus.module.css";

/** Why there is nothing to answer any more. */
const OVER: Readonly<Record<Exclude<AskedQuestion["state"], "open">, string>> = {
  answered: "This question was answered. A moderator reads the answer next.",
  withdrawn: "This question was withdrawn. No answer is needed any more.",
  closed: "The report was decided meanwhile. No answer is needed any more.",
};

/** A moderator's question about a report, and the one answer that it takes. */
export function QuestionPage() {
  const asked = useLoaderData<AskedQuestion>();
  const [isSent, setSent] = useState(false);
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
        <p>The report is back at the front of the queue. We write to you when it is decided.</p>
      )}
      {!isSent && state !== "open" && <p>{OVER[state]}</p>}
      {!isSent && state === "open" && (
        <>
          <p>
            A moderator asked on{" "}
            <time dateTime={asked.asked_at}>{timeInWords(asked.asked_at)}</time>:
          </p>
          <blockquote className={styles.question}>{question}</blockquote>
          <noscript>
            <p>Answering needs JavaScript. Please switch it on, or write to us with the number.</p>
          </noscript>
          <AnswerForm
            asked={asked}
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

const FAILED = "Your answer could not be sent";

function AnswerForm({ asked, onSent }: { asked: AskedQuestion; onSent: () => void }) {
  const { token = "" } = useParams();
  const api = useApi();
  /** The last answer that was sent, and its key: a repeated press is one answer. */
  const sent = useRef({ answer: "", key: "" });
  const { form, submit, isSending, isDirty, refusal, field } = useAccountForm({
    initial: { answer: "" },
    check: ({ answer }) => problemsOf(answer),
    async send({ answer: typed }) {
      const answer = typed.trim();
      if (sent.current.answer !== answer) sent.current = { answer, key: newIdempotencyKey() };
      await answerQuestion(api, { token, answer }, sent.current.key);
      onSent();
    },
    failed: {
      refused: FAILED,
      unanswered: `${FAILED}. Nothing that you wrote is lost: please try again in a moment.`,
    },
  });
  return (
    <form ref={form} className={`${styles.form} needs-script`} onSubmit={submit} noValidate>
      <LeaveGuard active={isDirty && !isSending} title="Leave without sending your answer?" />
      {refusal && !refusal.isOfField && (
        <Notice tone="error" role="alert">
          <p>{refusal.message}</p>
        </Notice>
      )}
      <TextField
        field={field("answer")}
        label="Your answer"
        rows={8}
        autoComplete="off"
        required
        maxLength={ANSWER_CHARS}
        hint={`Only moderators read it. It is never published. The question takes one answer, until ${timeInWords(asked.expires_at)}.`}
      />
      <div>
        <Button type="submit" disabled={isSending}>
          {isSending ? "Sending…" : "Send Answer"}
        </Button>
      </div>
    </form>
  );
}

function problemsOf(answer: string): Record<string, string> {
  return answer.trim() ? {} : { answer: "Answer is required" };
}
