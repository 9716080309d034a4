import { lazy, Suspense } from "react";
import { useNavigate } from "react-router-dom";
import type { OpenedReport } from "#contracts/http/own-reports.ts";
import type { FullReport } from "#contracts/http/report-view.ts";
import { type FieldRow, FORM_SECTIONS, type FormSection } from "#contracts/report/catalogue.ts";
import { choicesOf } from "#contracts/report/derive/amounts.ts";
import {
  CHARGEBACK_FIELDS,
  CHARGEBACK_ROWS,
  REPORT_ROWS,
} from "#contracts/report/derive/fields.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { countryOf, postalCodeLabel, regionLabel, regionName } from "#contracts/report/regions.ts";
import { type Currency, REPORT_STATUSES, type ReportType } from "#contracts/report/words.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { formatDate } from "../../lib/format.ts";
import { Facts } from "../report-record/ReportRecord.tsx";
import { type FactGroup, NOT_GIVEN } from "../report-record/record-facts.ts";
import { sectionFields } from "../submit-report/form-fields.ts";
import { handOver } from "../submit-report/handed-report.ts";
import styles from "./OwnReport.module.css";

const ResolutionPanel = lazy(() => import("./resolution/ResolutionPanel.tsx"));

/** Everything that was submitted, and what became of it. */
export function OpenedOwnReport({ opened }: { opened: OpenedReport }) {
  const { id, status, verified, submitted_at, edited, rejection_reason, resolution, report } =
    opened;
  const navigate = useNavigate();
  const standing = [
    { label: "Number", value: reportNumber(id) },
    { label: "Status", value: REPORT_STATUSES[status] },
    { label: "Submitted", value: formatDate(submitted_at) },
    { label: "Address confirmed", value: verified ? "Yes" : "Not yet" },
    ...(rejection_reason ? [{ label: "Reason", value: rejection_reason }] : []),
  ];
  function submitAgain() {
    handOver({ report, submittedAt: submitted_at });
    void navigate(paths.submitReport);
  }
  return (
    <>
      <p className={styles.lead}>
        This is your report as you submitted it. Only you can see all of it, and it can't be
        changed.
      </p>
      {edited && (
        <Notice tone="info">
          <p>A moderator has edited this report since you submitted it. This is your original.</p>
        </Notice>
      )}
      <div className={styles.actions}>
        {status === "rejected" && <Button onClick={submitAgain}>Submit again</Button>}
        <Button kind="secondary" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <div className={styles.groups}>
        <Facts group={{ heading: "Status", facts: standing }} />
        {(status !== "rejected" || resolution) && (
          <Suspense fallback={null}>
            <ResolutionPanel opened={opened} />
          </Suspense>
        )}
        {ownFacts(report).map((group) => (
          <Facts key={group.heading} group={group} />
        ))}
      </div>
    </>
  );
}

const HEADINGS: Readonly<Record<FormSection, string>> = {
  report: "Your report",
  person: "Person you reported",
  address: "Address",
  card: "Card",
  check: "Check",
  amounts: "Amounts",
  reporter: "About you",
};

/** Everything that a report says, in the sections and the order of the form, with nothing masked. */
export function ownFacts(report: FullReport): FactGroup[] {
  const type = report.report_type as ReportType;
  const { currency = "USD" } = report;
  const sections = FORM_SECTIONS.map((section) => ({
    heading: HEADINGS[section],
    facts: sectionFields(section, type)
      .filter((field) => field !== "chargebacks")
      .map(
        (field) => placeFact(field, report) ?? fact(REPORT_ROWS[field], report[field], currency),
      ),
  }));
  const items = (report.chargebacks ?? []).map((item, index) => ({
    heading: `Additional chargeback ${index + 1}`,
    facts: CHARGEBACK_FIELDS.map((field) => fact(CHARGEBACK_ROWS[field], item[field], currency)),
  }));
  const shown = sections.filter(({ facts }) => facts.length > 0);
  // The reporter stands last, as on the form.
  return [...shown.slice(0, -1), ...items, ...shown.slice(-1)];
}

/** Region and postal code, which each country calls something else; the region by its name. */
function placeFact(field: string, { country: named, state, zip }: FullReport) {
  const country = countryOf(named);
  if (field === "zip") return { label: postalCodeLabel(country), value: zip || NOT_GIVEN };
  if (field !== "state") return undefined;
  return { label: regionLabel(country), value: regionName(country, state ?? "") || NOT_GIVEN };
}

function fact(row: FieldRow, value: unknown, currency: Currency) {
  return { label: row.label, value: wordsOf(row, value, currency) };
}

function wordsOf(row: FieldRow, value: unknown, currency: Currency): string {
  if (value === undefined || value === "") return NOT_GIVEN;
  if (typeof value === "number") return formatMoney(value, currency);
  const text = String(value);
  if (row.kind === "date") return formatDate(text);
  return choicesOf(row).find(([code]) => code === text)?.[1] ?? text;
}
