import type { ReactNode } from "react";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import { LedgerTable } from "./LedgerTable.tsx";
import { ledgerOf } from "./ledger.ts";
import styles from "./ReportRecord.module.css";
import { type FactGroup, NOT_GIVEN, recordFacts } from "./record-facts.ts";

/**
 * The public record of a report: description, amounts, facts. The report's page and the form's
 * preview both show it.
 *
 * @param level of its headings.
 */
export function ReportRecord(props: {
  report: ReportDetail;
  level?: 2 | 4;
  /** Further groups for the column of amounts. */
  children?: ReactNode;
}) {
  const { report, level = 2 } = props;
  const Heading = `h${level}` as const;
  return (
    <div className={styles.record}>
      <div className={styles.column}>
        <section className={styles.sheet}>
          <Heading>Description</Heading>
          <p className={styles.description}>{report.description || NOT_GIVEN}</p>
        </section>
        {recordFacts(report).map((group) => (
          <Facts key={group.heading} group={group} level={level} />
        ))}
      </div>
      <div className={styles.column}>
        <section className={styles.sheet}>
          <Heading>Amounts</Heading>
          <LedgerTable
            ledger={ledgerOf(report)}
            isSettled={report.resolved || report.resolution_status === "resolved"}
          />
        </section>
        {props.children}
      </div>
    </div>
  );
}

/** A definition list with a heading. */
export function Facts({ group, level = 2 }: { group: FactGroup; level?: 2 | 4 }) {
  const Heading = `h${level}` as const;
  return (
    <section className={styles.sheet}>
      <Heading>{group.heading}</Heading>
      <dl className={styles.facts}>
        {group.facts.map((fact) => (
          <div key={fact.label}>
            <dt>{fact.label}</dt>
            <dd className={fact.value === NOT_GIVEN ? styles.missing : undefined}>{fact.value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
