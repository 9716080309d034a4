import { MAX_CHARGEBACKS } from "#contracts/report/catalogue.ts";
import { CHARGEBACK_FIELDS, CHARGEBACK_ROWS } from "#contracts/report/derive/fields.ts";
import { Button } from "../../components/Button.tsx";
import styles from "./FormSections.module.css";
import { useReportForm } from "./form-context.ts";
import type { ItemValues } from "./form-state.ts";
import { itemTotal } from "./payload.ts";
import { ChargebackField } from "./ReportField.tsx";
import { Total } from "./Total.tsx";

/** Further chargebacks of the same person, as many as the reporter adds. */
export function AdditionalChargebacks() {
  const { state, dispatch } = useReportForm();
  const full = state.items.length >= MAX_CHARGEBACKS;
  return (
    <div className={styles.items}>
      <h3 className={state.items.length > 0 ? "" : "needs-script"}>
        Other chargebacks by this person
      </h3>
      {state.items.map((item, i) => (
        <Item key={item.key} item={item} index={i} />
      ))}
      <Button
        kind="secondary"
        className="needs-script"
        disabled={full}
        onClick={() => dispatch({ type: "add-item" })}
      >
        Add a chargeback
      </Button>
      {full && <p className={styles.lead}>A report can have {MAX_CHARGEBACKS} of them.</p>}
    </div>
  );
}

function Item({ item, index }: { item: ItemValues; index: number }) {
  const { dispatch } = useReportForm();
  return (
    <fieldset className={styles.item}>
      <legend className="visually-hidden">Additional chargeback {index + 1}</legend>
      <div className={styles.itemHead}>
        <strong aria-hidden="true">Additional chargeback {index + 1}</strong>
        <Button kind="quiet" onClick={() => dispatch({ type: "remove-item", key: item.key })}>
          Remove<span className="visually-hidden"> additional chargeback {index + 1}</span>
        </Button>
      </div>
      {CHARGEBACK_FIELDS.map((field) =>
        field === "total_due" ? (
          <Total
            key={field}
            path={`chargebacks.${index}.${field}`}
            label={CHARGEBACK_ROWS[field].label}
            formula="Amount + fees"
            cents={itemTotal(item)}
          />
        ) : (
          <ChargebackField key={field} item={item} index={index} field={field} />
        ),
      )}
    </fieldset>
  );
}
