import { lazy, Suspense, useEffect, useState } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
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
import { ApiError, dataOf } from "../../api/client.ts";
import { useRead } from "../../api/use-read.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Failure, Notice } from "../../components/Notice.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { LoadingReports } from "../../components/ReportList.tsx";
import { paths } from "../../config/paths.ts";
import { formatDate } from "../../lib/format.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { useAccountClient } from "../../session/session-store-of.ts";
import { NeedsScripts, RequireAccount } from "../account/RequireAccount.tsx";
import { useProof } from "../account/use-proof.tsx";
import { Facts } from "../report-record/ReportRecord.tsx";
import { type FactGroup, NOT_GIVEN } from "../report-record/record-facts.ts";
import { sectionFields } from "../submit-report/form-fields.ts";
import { passReport } from "../submit-report/handed-report.ts";
import styles from "./OwnReport.module.css";

const FAILED = "We couldn't open your report. Please try again.";
const NOT_FOUND = "Report not found";
const SKELETON_MS = 150;

/** One of the account's own reports as submitted, to read and print. */
export function Component() {
  const { id = "" } = useParams();
  const [isUnknown, setUnknown] = useState(false);
  const title = isUnknown ? NOT_FOUND : "My Report";
  return (
    <div className={styles.page}>
      <PageHead title={title} />
      <p className={styles.back}>
        <Link to={paths.dashboard}>Back to the dashboard</Link>
      </p>
      <h1 tabIndex={-1}>{title}</h1>
      <NeedsScripts />
      <RequireAccount>
        {(user) => <OwnReport key={`${user.id} ${id}`} id={id} onUnknown={setUnknown} />}
      </RequireAccount>
    </div>
  );
}

function OwnReport(props: {
  readonly id: string;
  /** Called with whether the account has no such report. */
  readonly onUnknown: (isUnknown: boolean) => void;
}) {
  const { id, onUnknown } = props;
  const api = useAccountClient();
  const proof = useProof();
  // The registry logs each time a report is opened.
  async function open(): Promise<OpenedReport | "not_found" | "locked"> {
    const path = `/api/account/reports/${encodeURIComponent(id)}/open`;
    try {
      const opened = await proof.run(() => dataOf(api.post<OpenedReport>(path, { body: {} })));
      return opened ?? "locked";
    } catch (error) {
      const isUnknown = error instanceof ApiError && [400, 404, 410].includes(error.status);
      if (isUnknown) return "not_found";
      throw error;
    }
  }
  const { data: opened, setData, failure, again: readAgain } = useRead(open, [api, id], FAILED);
  const again = () => {
    setData(null);
    readAgain();
  };
  useEffect(() => onUnknown(opened === "not_found"), [opened, onUnknown]);
  const isLate = useDelayed(!opened && failure === null && !proof.dialog, SKELETON_MS);
  return (
    <>
      {proof.dialog}
      {isLate && <LoadingReports />}
      {opened === "not_found" && (
        <div className={styles.failure}>
          <p>We couldn't find that report in your account. It may have been deleted.</p>
          <ButtonLink to={paths.dashboard}>Go to the dashboard</ButtonLink>
        </div>
      )}
      {opened === "locked" && (
        <Notice tone="info">
          <p>Enter your password to open the report.</p>
          <p>
            <Button onClick={again}>Open the report</Button>
          </p>
        </Notice>
      )}
      <Failure text={failure} onRetry={again} />
      {opened && typeof opened === "object" && <OpenedOwnReport opened={opened} />}
    </>
  );
}

const ResolutionPanel = lazy(() => import("./resolution/ResolutionPanel.tsx"));

/** Everything that was submitted, and its status. */
export function OpenedOwnReport({ opened }: { opened: OpenedReport }) {
  const { id, status, verified, submitted_at, edited, rejection_reason, resolution, report } =
    opened;
  const navigate = useNavigate();
  const statusFacts = [
    { label: "Number", value: reportNumber(id) },
    { label: "Status", value: REPORT_STATUSES[status] },
    { label: "Submitted", value: formatDate(submitted_at) },
    { label: "Email confirmed", value: verified ? "Yes" : "Not yet" },
    ...(rejection_reason ? [{ label: "Reason", value: rejection_reason }] : []),
  ];
  function submitAgain() {
    passReport({ report, submittedAt: submitted_at });
    void navigate(paths.submitReport);
  }
  return (
    <>
      <p className={styles.lead}>
        This is your report as you submitted it. Only you and our moderators can see all of it. You
        can't change it.
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
        <Facts group={{ heading: "Status", facts: statusFacts }} />
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

/** Returns everything in a report, unmasked, in the form's sections and order. */
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
  // The reporter comes last, as on the form.
  return [...shown.slice(0, -1), ...items, ...shown.slice(-1)];
}

/** Region (by name) and postal code, labeled as in the report's country. */
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
