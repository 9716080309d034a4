import type { ComponentType } from "react";
import {
  FORM_SECTIONS,
  type FormSection,
  MAX_CHARGEBACKS,
  type ReportField as ReportFieldName,
} from "#contracts/report/catalogue.ts";
import { AMOUNTS } from "#contracts/report/derive/amounts.ts";
import {
  CHARGEBACK_FIELDS,
  CHARGEBACK_ROWS,
  REPORT_ROWS,
} from "#contracts/report/derive/fields.ts";
import { formatMoney, fromCents } from "#contracts/report/money.ts";
import {
  countryOf,
  postalCodeLabel,
  REGIONS,
  regionCode,
  regionLabel,
} from "#contracts/report/regions.ts";
import { type Country, REPORT_TYPES, type ReportType } from "#contracts/report/words.ts";
import { Button } from "../../components/Button.tsx";
import styles from "./FormSections.module.css";
import { useReportForm } from "./form-context.ts";
import { type FormField, sectionFields } from "./form-fields.ts";
import type { ItemValues } from "./form-state.ts";
import { itemTotal, reportTotal } from "./payload.ts";
import { controlId } from "./problems.ts";
import { ChargebackField, ReportField } from "./ReportField.tsx";
import { OrderField } from "./SameOrder.tsx";

/** A computed, read-only sum. */
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

function TotalDue() {
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

function AdditionalChargebacks() {
  const { state, dispatch } = useReportForm();
  const full = state.items.length >= MAX_CHARGEBACKS;
  return (
    <div className={styles.items}>
      <h3 className={state.items.length > 0 ? "" : "needs-script"}>
        Additional chargebacks by this person
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
      {full && <p className={styles.lead}>You can add up to {MAX_CHARGEBACKS} chargebacks.</p>}
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

const HINTS: Readonly<Record<ReportType, string>> = {
  chargeback: "A card payment was disputed",
  bad_check: "A check was returned",
};

/** The report type, which determines the content of the other sections. */
function TypeField() {
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

const HEADINGS: Readonly<Record<FormSection, { title: string; lead?: string }>> = {
  report: { title: "Your report" },
  person: { title: "Person you're reporting" },
  address: { title: "Address" },
  card: { title: "Card", lead: "Never enter any other digits of the card number." },
  check: { title: "Check" },
  amounts: { title: "Amounts" },
  reporter: {
    title: "About you",
    lead: "We need to know who is reporting. We publish only your public company name, and only if you enter one.",
  },
};

/** Fields with their own component, because they do more or depend on other fields. */
const OWN_CONTROLS: Readonly<Partial<Record<ReportFieldName, ComponentType>>> = {
  report_type: TypeField,
  tracking_number: OrderField,
  state: StateField,
  zip: ZipField,
  bank_routing: RoutingField,
  total_due: TotalDue,
  chargebacks: AdditionalChargebacks,
};

/** The form's sections, with the fields that apply to this type of report. */
export function FormSections() {
  const { type } = useReportForm();
  const sections = FORM_SECTIONS.map((section) => [section, sectionFields(section, type)] as const);
  return sections
    .filter(([, fields]) => fields.length > 0)
    .map(([section, fields]) => {
      const { title, lead } = HEADINGS[section];
      return (
        <fieldset key={section} className={styles.section}>
          <legend>
            <h2>{title}</h2>
          </legend>
          {lead && <p className={styles.lead}>{lead}</p>}
          <div className={styles.fields}>
            {fields.map((field) => {
              const Own = OWN_CONTROLS[field];
              return Own ? (
                <Own key={field} />
              ) : (
                <ReportField key={field} field={field as FormField} />
              );
            })}
          </div>
        </fieldset>
      );
    });
}

const REGION_LIST = "regions";
const REGION_HINTS: Readonly<Record<Country, string>> = {
  US: "Two capital letters, or pick from the list",
  CA: "Two capital letters, for example ON, or pick from the list",
  UK: "As you would write it in an address, for example Kent",
  AU: "Two or three capital letters, for example NSW, or pick from the list",
};

/** The region of the chosen country: a code from its list, or a text. */
function StateField() {
  const { state, dispatch } = useReportForm();
  const country = countryOf(state.fields.country);
  const regions = Object.entries(REGIONS[country]);
  const toCode = () => {
    const value = regionCode(country, state.fields.state);
    if (value !== state.fields.state) dispatch({ type: "set", field: "state", value });
  };
  return (
    <div>
      <ReportField
        field="state"
        label={regionLabel(country)}
        list={regions.length > 0 ? REGION_LIST : undefined}
        hint={REGION_HINTS[country]}
        onLeave={toCode}
      />
      <noscript>
        <p>
          Outside the United States, enter the abbreviation of the province (Canada) or state
          (Australia), or the county (United Kingdom).
        </p>
      </noscript>
      <datalist id={REGION_LIST}>
        {regions.map(([code, name]) => (
          <option key={code} value={code} label={`${code} - ${name}`} />
        ))}
      </datalist>
    </div>
  );
}

function ZipField() {
  const { country } = useReportForm().state.fields;
  return <ReportField field="zip" label={postalCodeLabel(countryOf(country))} />;
}

const ROUTING_HINTS: Readonly<Record<Country, string>> = {
  US: "9 digits",
  CA: "Institution and transit number: digits only, at most 9",
  UK: "Sort code: digits only, at most 9",
  AU: "BSB: digits only, at most 9",
};

function RoutingField() {
  const { country } = useReportForm().state.fields;
  return <ReportField field="bank_routing" hint={ROUTING_HINTS[countryOf(country)]} />;
}
