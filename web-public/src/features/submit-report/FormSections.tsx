import type { ComponentType } from "react";
import type { FormSection, ReportField as ReportFieldName } from "#contracts/report/catalogue.ts";
import { FORM_SECTIONS } from "#contracts/report/catalogue.ts";
import { AdditionalChargebacks } from "./AdditionalChargebacks.tsx";
import styles from "./FormSections.module.css";
import { useReportForm } from "./form-context.ts";
import { type FormField, sectionFields } from "./form-fields.ts";
import { RoutingField, StateField, ZipField } from "./RegionFields.tsx";
import { ReportField } from "./ReportField.tsx";
import { OrderField } from "./SameOrder.tsx";
import { TotalDue } from "./Total.tsx";
import { TypeField } from "./TypeField.tsx";

const HEADINGS: Readonly<Record<FormSection, { title: string; lead?: string }>> = {
  report: { title: "Your report" },
  person: { title: "Person you're reporting" },
  address: { title: "Address" },
  card: { title: "Card", lead: "Never enter more of the card number than these digits." },
  check: { title: "Check" },
  amounts: { title: "Amounts" },
  reporter: {
    title: "About you",
    lead: "We need to know who is reporting. We publish only your public company name, and only if you enter one.",
  },
};

/** Fields that have their own component, because they do more or depend on other fields. */
const OWN_CONTROLS: Readonly<Partial<Record<ReportFieldName, ComponentType>>> = {
  report_type: TypeField,
  tracking_number: OrderField,
  state: StateField,
  zip: ZipField,
  bank_routing: RoutingField,
  total_due: TotalDue,
  chargebacks: AdditionalChargebacks,
};

/** The sections of the form, each with the fields that this type of report may have. */
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
