import { REPORT_TYPES, type ReportType } from "#contracts/report/words.ts";
import styles from "./FormSections.module.css";
import { useReportForm } from "./form-context.ts";
import { controlId } from "./problems.ts";

const HINTS: Readonly<Record<ReportType, string>> = {
  chargeback: "A card payment was disputed",
  bad_check: "A check was returned",
};

/** The type of the report, which decides what the other sections contain. */
export function TypeField() {
  const { type, dispatch } = useReportForm();
  return (
    <div role="radiogroup" aria-label="Report type" className={styles.types}>
      {Object.entries(REPORT_TYPES).map(([code, words], i) => (
        <label key={code} className={styles.type}>
          <input
            type="radio"
            id={i === 0 ? controlId("report_type") : undefined}
            name="report_type"
            value={code}
            checked={type === code}
            onChange={() => dispatch({ type: "set", field: "report_type", value: code })}
          />
          <span>
            <strong>{words}</strong>
            <span className={styles.typeHint}>{HINTS[code as ReportType]}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
