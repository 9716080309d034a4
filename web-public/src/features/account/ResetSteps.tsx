import styles from "./AccountPage.module.css";

const STEPS = ["Request Reset", "Enter New Password", "Complete"] as const;

/** The three steps of a reset, and which one this is. */
export function ResetSteps({ current }: { current: 0 | 1 | 2 }) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {STEPS.map((step, i) => (
        <li key={step} aria-current={i === current ? "step" : undefined}>
          {step}
          {i < current && <span className="visually-hidden"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}
