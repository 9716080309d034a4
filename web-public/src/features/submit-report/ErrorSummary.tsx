import { useEffect, useRef } from "react";
import styles from "./ErrorSummary.module.css";
import { controlId } from "./problems.ts";

/**
 * What keeps the report from being submitted, each line a link to its field. Takes the focus when
 * it appears, and again on each further try.
 */
export function ErrorSummary(props: {
  /** Path and sentence, in the order of the form. */
  problems: readonly (readonly [string, string])[];
  message?: string | undefined;
  /** Counts the tries. */
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
        {message ??
          (problems.length === 1
            ? "One thing needs your attention"
            : `${problems.length} things need your attention`)}
      </h2>
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
                {itemOf(path)}
                {sentence}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** "Additional chargeback 2: " for a field of the list. */
function itemOf(path: string): string {
  const [list, index] = path.split(".");
  return list === "chargebacks" && index ? `Additional chargeback ${Number(index) + 1}: ` : "";
}
