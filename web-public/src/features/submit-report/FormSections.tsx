import type { ReactNode } from "react";
import { formatMoney, fromCents } from "#contracts/report/money.ts";
import { REPORT_TYPES, US_STATES } from "#contracts/report/words.ts";
import { Button } from "../../components/Button.tsx";
import styles from "./FormSections.module.css";
import { useReportForm } from "./form-context.ts";
import { MAX_ITEMS } from "./form-fields.ts";
import type { ItemValues } from "./form-state.ts";
import { itemTotal, reportTotal } from "./payload.ts";
import { controlId } from "./problems.ts";
import { ChargebackField, ReportField } from "./ReportField.tsx";

const STATE_LIST = "us-states";

/** A part of the form under its heading. */
function Section(props: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>
        <h2>{props.title}</h2>
      </legend>
      {props.lead && <p className={styles.lead}>{props.lead}</p>}
      <div className={styles.fields}>{props.children}</div>
    </fieldset>
  );
}

export function ReportSection() {
  const { type, dispatch } = useReportForm();
  return (
    <Section title="Your report">
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
              <span className={styles.typeHint}>{TYPE_HINTS[code as keyof typeof TYPE_HINTS]}</span>
            </span>
          </label>
        ))}
      </div>
      <ReportField field="title" hint="One line, for instance: Charged back a delivered order" />
      <ReportField
        field="description"
        hint="What was sold, what was delivered and when, and how the payment was taken back. Published as you write it: leave out private details."
      />
    </Section>
  );
}

const TYPE_HINTS = {
  chargeback: "A card payment was disputed",
  bad_check: "A check was returned",
} as const;

export function OffenderSection() {
  return (
    <Section title="Person you report">
      <ReportField field="first_name" width="medium" />
      <ReportField field="last_name" width="medium" />
      <ReportField field="middle_initial" width="short" />
      <ReportField field="email" width="medium" hint="Published as q***@e***.net" />
      <ReportField field="phone" width="medium" hint="Published as ***42, the last two digits" />
      <ReportField field="item_purchased" />
      <ReportField field="tracking_number" width="medium" />
      <ReportField
        field="ip_address"
        hint="Addresses that the person ordered from, separated by commas"
      />
      <ReportField field="shipping_status" width="medium" />
    </Section>
  );
}

export function AddressSection() {
  const { state } = useReportForm();
  const { country } = state.fields;
  return (
    <Section title="Address">
      <ReportField field="street_address" />
      <ReportField field="city" width="medium" />
      <ReportField
        field="state"
        width="short"
        list={country === "US" ? STATE_LIST : undefined}
        hint={
          country === "AU"
            ? "Two or three capital letters, for instance NSW"
            : country === "US"
              ? "Two capital letters, or pick from the list"
              : "Two capital letters"
        }
      />
      <datalist id={STATE_LIST}>
        {Object.entries(US_STATES).map(([code, name]) => (
          <option key={code} value={code} label={`${code} - ${name}`} />
        ))}
      </datalist>
      <ReportField field="zip" width="short" label={country === "US" ? "ZIP" : "Postal code"} />
      <ReportField field="country" width="medium" />
    </Section>
  );
}

/** Card or check, whichever the report is about. */
export function TypeSection() {
  const { type } = useReportForm();
  if (type === "chargeback") {
    return (
      <Section title="Card" lead="Never enter more of the card number than these digits.">
        <ReportField field="first_6" width="short" />
        <ReportField field="last_4" width="short" />
      </Section>
    );
  }
  return (
    <Section title="Check">
      <ReportField field="check_number" width="medium" />
      <ReportField field="bank_name" width="medium" />
      <ReportField field="bank_routing" width="short" />
      <ReportField
        field="bank_account"
        width="medium"
        hint="Published as ****6789, the last four characters"
      />
      <ReportField field="check_amount" />
      <ReportField field="check_date" width="short" />
      <ReportField field="check_reason" width="medium" />
    </Section>
  );
}

export function FinancialSection() {
  const { state, type, dispatch } = useReportForm();
  const full = state.items.length >= MAX_ITEMS;
  return (
    <Section title="Amounts">
      <ReportField field="currency" width="short" />
      {type === "chargeback" && (
        <>
          <ReportField field="amount" />
          <ReportField field="transaction_date" width="short" />
          <ReportField field="chargeback_date" width="short" />
          <ReportField field="chargeback_reason" width="medium" />
          <ReportField field="chargeback_fee" />
        </>
      )}
      <ReportField field="other_fees" />
      <Total
        path="total_due"
        label="Total due"
        formula={
          type === "chargeback"
            ? "Original amount + chargeback fee + other fees"
            : "Check amount + other fees"
        }
        cents={reportTotal(state)}
      />
      <ReportField field="resolution_status" width="medium" />
      <ReportField field="notes" hint="For our moderators" />
      <div className={styles.items}>
        <h3>Additional chargebacks of the same person</h3>
        {state.items.map((item, i) => (
          <Item key={item.key} item={item} index={i} />
        ))}
        <Button kind="secondary" disabled={full} onClick={() => dispatch({ type: "add-item" })}>
          Add a chargeback
        </Button>
        {full && <p className={styles.lead}>A report can hold {MAX_ITEMS} of them.</p>}
      </div>
    </Section>
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
      <ChargebackField item={item} index={index} field="order_id" width="medium" />
      <ChargebackField item={item} index={index} field="amount" />
      <ChargebackField item={item} index={index} field="date" width="short" />
      <ChargebackField item={item} index={index} field="reason" width="medium" />
      <ChargebackField item={item} index={index} field="first_6" width="short" />
      <ChargebackField item={item} index={index} field="last_4" width="short" />
      <ChargebackField item={item} index={index} field="chargeback_fee" />
      <ChargebackField item={item} index={index} field="other_fees" />
      <Total
        path={`chargebacks.${index}.total_due`}
        label="Total"
        formula="Amount + fees"
        cents={itemTotal(item)}
      />
      <ChargebackField item={item} index={index} field="resolution_status" width="medium" />
      <ChargebackField item={item} index={index} field="notes" />
    </fieldset>
  );
}

/** A sum that the form computes; nobody types it. */
function Total(props: { path: string; label: string; formula: string; cents: number }) {
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

export function ReporterSection() {
  return (
    <Section
      title="About you"
      lead="We need to know who reports. Only the public company name is published, and only if you give one."
    >
      <ReportField field="reporter_first_name" width="medium" autoComplete="given-name" />
      <ReportField field="reporter_last_name" width="medium" autoComplete="family-name" />
      <ReportField
        field="reporter_email"
        width="medium"
        autoComplete="email"
        hint="We send a link to it that confirms the report"
      />
      <ReportField field="reporter_phone" width="medium" autoComplete="tel" />
      <ReportField field="reporter_company_name" width="medium" autoComplete="organization" />
      <ReportField
        field="public_username"
        width="medium"
        hint="Stands on the report as its source. Leave it empty to stay unnamed."
      />
    </Section>
  );
}
