import { useState } from "react";
import { ANSWER_CHARS } from "#contracts/report/reporter-rules.ts";
import { Button } from "../../components/Button.tsx";
import { LeaveGuard } from "../../components/LeaveGuard.tsx";
import { Notice } from "../../components/Notice.tsx";
import { formatMoment } from "../../lib/format.ts";
import { newIdempotencyKey } from "../../lib/idempotency-key.ts";
import { KEY } from "../../lib/plain-fields.ts";
import { useKeyFor } from "../../lib/use-key-for.ts";
import { TextField } from "../account/TextField.tsx";
import { useAccountForm } from "../account/use-account-form.ts";
import styles from "./AnswerForm.module.css";
import { ANSWER_MESSAGES, type AnswerMessages, unanswered } from "./answer-messages.ts";
import { answerProblems, type PlainAnswer } from "./plain-answer.ts";

/** The form for the one answer to a moderator's question, or the one reply to staff's answer. */
export function AnswerForm(props: {
  /** Deadline for answering (RFC 3339). */
  readonly expiresAt: string;
  /** The browser's own submission, without scripts. */
  readonly plain?: PlainAnswer | undefined;
  /** Prefix of the field IDs; set it if a page may have two forms. */
  readonly prefix?: string;
  readonly words?: AnswerMessages;
  readonly send: (answer: string, key: string) => Promise<unknown>;
  readonly onSent: () => void;
}) {
  const { expiresAt, plain, prefix = "field", words = ANSWER_MESSAGES, send, onSent } = props;
  const [plainKey] = useState(() => plain?.key ?? newIdempotencyKey());
  const keyFor = useKeyFor();
  const { form, values, submit, isSending, isDirty, refusal, field } = useAccountForm({
    initial: { answer: plain?.answer ?? "" },
    check: ({ answer }) => answerProblems(answer, words),
    async send({ answer: typed }) {
      const answer = typed.trim();
      await send(answer, keyFor(answer));
      onSent();
    },
    failed: { refused: words.failed, unanswered: unanswered(words) },
    prefix,
  });
  // Show the errors of the browser's own submission until it is changed.
  const isAsSent = plain !== undefined && values.answer === plain.answer && !refusal;
  const answer = field("answer");
  const problem =
    answer.problem ?? (isAsSent ? answerProblems(plain.answer, words).answer : undefined);
  const message =
    refusal && !refusal.isOfField ? refusal.message : isAsSent ? plain.message : undefined;
  return (
    <form ref={form} method="post" className={styles.form} onSubmit={submit} noValidate>
      <LeaveGuard active={isDirty && !isSending} title={words.leave} />
      {message && (
        <Notice tone="error" role="alert">
          <p>{message}</p>
        </Notice>
      )}
      <TextField
        field={{ ...answer, problem }}
        label={words.label}
        rows={8}
        autoComplete="off"
        required
        maxLength={ANSWER_CHARS}
        hint={
          <>
            {words.hint} <time dateTime={expiresAt}>{formatMoment(expiresAt)}</time>.
          </>
        }
      />
      <div>
        <noscript>
          <input type="hidden" name={KEY} value={plainKey} />
        </noscript>
        <Button type="submit" disabled={isSending}>
          {isSending ? "Sending…" : words.send}
        </Button>
      </div>
    </form>
  );
}
