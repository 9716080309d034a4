import { AMOUNTS } from "#contracts/report/derive/amounts.ts";
import { REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { formatMoney, fromCents } from "#contracts/report/money.ts";
import styles from "./FormSections.module.css";
import { useReportForm } from "./form-context.ts";
import { reportTotal } from "./payload.ts";
import { controlId } from "./problems.ts";

/** A sum that the form computes. Nobody can type it. */
export function Total(props: { path: string; label: string; formula: string; cents: number }) {
  const { state } = useReportForm();
  const id = controlId(props.path);
  return (
    <div className={styles.total}>
      <div>
        <label htmlFor={id}>{props.label}</label>
        <p>{props.formula}</p>
      </div>
      <output id={id} className="amount" tabIndex={-1}>
        {formatMoney(fromCents(props.cents), state.fields.currency)}
      </output>
    </div>
  );
}

export function TotalDue() {
  const { state, type } = useReportForm();
  const { main, fees } = AMOUNTS[type];
  const parts = [
    REPORT_ROWS[main].label,
    ...fees.map((fee) => REPORT_ROWS[fee].label.toLowerCase()),
  ];
  return (
    <Total
      path="total_due"
      label={REPORT_ROWS.total_due.label}
      formula={parts.join(" + ")}
      cents={reportTotal(state)}
    />
  );
}
