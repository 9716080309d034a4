import { useEffect, useRef } from "react";
import { CHARGEBACK_ROWS, FIELD_LABELS } from "#contracts/report/derive/fields.ts";
import styles from "./ErrorSummary.module.css";
import type { FormField, ItemField } from "./form-fields.ts";
import { controlId } from "./problems.ts";

/**
 * Lists what keeps the report from being submitted. Each line links to its field. It takes the
 * focus when it appears, and after each further attempt.
 */
export function ErrorSummary(props: {
  /** Paths and sentences, in the order of the form. */
  problems: readonly (readonly [string, string])[];
  /** Why the registry did not accept the report. */
  message?: string | undefined;
  /** Number of attempts. */
  attempt: number;
}) {
  const { problems, message, attempt } = props;
  const summary = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try takes the focus here.
  useEffect(() => {
    summary.current?.focus();
    summary.current?.scrollIntoView({ block: "start" });
  }, [attempt]);
  return (
    <section ref={summary} tabIndex={-1} className={styles.summary} aria-labelledby="error-summary">
      <h2 id="error-summary">
        {message
          ? "Your report was not submitted"
          : problems.length === 1
            ? "One thing needs your attention"
            : `${problems.length} things need your attention`}
      </h2>
      {message && <p>{message}</p>}
      {problems.length > 0 && (
        <ul>
          {problems.map(([path, sentence]) => (
            <li key={path}>
              <a
                href={`#${controlId(path)}`}
                onClick={(event) => {
                  const control = document.getElementById(controlId(path));
                  if (!control) return;
                  event.preventDefault();
                  control.scrollIntoView({ block: "center" });
                  control.focus({ preventScroll: true });
                }}
              >
                {labelled(path, sentence)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * Puts the field's label before the sentence: "Original amount: Enter an amount of 0 or more ...".
 */
function labelled(path: string, sentence: string): string {
  const [field = "", index, part] = path.split(".");
  const label = part ? CHARGEBACK_ROWS[part as ItemField]?.label : FIELD_LABELS[field as FormField];
  const named = !label || sentence.startsWith(label) ? sentence : `${label}: ${sentence}`;
  return index ? `Additional chargeback ${Number(index) + 1}, ${named}` : named;
}
