import { useState } from "react";
import type { AskedOfOwner } from "#contracts/http/own-reports.ts";
import { Button } from "../../components/Button.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatDate } from "../../lib/format.ts";
import { useAccountClient } from "../../session/session-store-of.ts";
import { AnswerForm } from "../report-question/AnswerForm.tsx";
import styles from "./AskedOfYou.module.css";

/** Moderators' questions about the user's own reports, with forms to answer them. */
export function AskedOfYou(props: {
  readonly asked: readonly AskedOfOwner[];
  /** Called after an answer was sent. */
  readonly onAnswered: () => void;
}) {
  const { asked, onAnswered } = props;
  return (
    <section aria-labelledby="asked" className={styles.asked}>
      <h2 id="asked">Questions for you</h2>
      <p>
        {asked.length === 1 ? "A report is waiting" : "These reports are waiting"} for your answer.
        Answered reports go to the front of the queue.
      </p>
      <ul>
        {asked.map((each) => (
          <li key={each.question_id}>
            <Asked asked={each} isAlone={asked.length === 1} onAnswered={onAnswered} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Asked(props: {
  readonly asked: AskedOfOwner;
  /** Whether it is the only question, so that its form is open immediately. */
  readonly isAlone: boolean;
  readonly onAnswered: () => void;
}) {
  const { asked, isAlone, onAnswered } = props;
  const { id, number, title, first_name, last_name, question, question_id } = asked;
  const api = useAccountClient();
  const [isOpen, setOpen] = useState(isAlone);
  const name = `${first_name} ${last_name}`;
  return (
    <article className={styles.question}>
      <h3>
        {name}, {title}
      </h3>
      <p className={styles.number}>
        Report {number}, asked <time dateTime={asked.asked_at}>{formatDate(asked.asked_at)}</time>
      </p>
      <blockquote>{question}</blockquote>
      {isOpen || isAlone ? (
        <AnswerForm
          expiresAt={asked.expires_at}
          prefix={`answer-${question_id}`}
          send={(answer, key) =>
            api.post(`/api/account/reports/${encodeURIComponent(id)}/answer`, {
              body: { question_id, answer },
              idempotencyKey: key,
            })
          }
          onSent={() => {
            const text = "Thank you. Your report is back at the front of the queue.";
            showToast({ kind: "info", text });
            onAnswered();
          }}
        />
      ) : (
        <p>
          <Button kind="secondary" onClick={() => setOpen(true)}>
            Answer
            <span className="visually-hidden"> the question about {name}</span>
          </Button>
        </p>
      )}
    </article>
  );
}
