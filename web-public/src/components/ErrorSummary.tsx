import { useEffect, useRef } from "react";
import styles from "./ErrorSummary.module.css";

/**
 * Lists what keeps a form from being sent, each problem linked to its control. Takes the focus when it appears
 * and on each further attempt.
 */
export function ErrorSummary(props: {
  /** ID of the control, and message, in the form's order. */
  problems: readonly (readonly [string, string])[];
  /** Why the registry rejected the form, and what that means. */
  refusal?: { readonly title: string; readonly message: string } | undefined;
  /** Number of attempts. */
  attempt: number;
}) {
  const { problems, refusal, attempt } = props;
  const summary = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try takes the focus here.
  useEffect(() => {
    summary.current?.focus();
    summary.current?.scrollIntoView({ block: "start" });
  }, [attempt]);
  return (
    <section ref={summary} tabIndex={-1} className={styles.summary} aria-labelledby="error-summary">
      <h2 id="error-summary">
        {refusal
          ? refusal.title
          : problems.length === 1
            ? "One thing needs your attention"
            : `${problems.length} things need your attention`}
      </h2>
      {refusal && <p>{refusal.message}</p>}
      {problems.length > 0 && (
        <ul>
          {problems.map(([id, sentence]) => (
            <li key={id}>
              <a
                href={`#${id}`}
                onClick={(event) => {
                  const control = document.getElementById(id);
                  if (!control) return;
                  event.preventDefault();
                  control.scrollIntoView({ block: "center" });
                  control.focus({ preventScroll: true });
                }}
              >
                {sentence}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
