import type { ReactNode } from "react";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { type Ledger, type LedgerLine, ledgerOf } from "./ledger.ts";
import styles from "./ReportRecord.module.css";
import { type FactGroup, NOT_GIVEN, recordFacts } from "./record-facts.ts";

/**
 * A report's public record: description, amounts, facts. Both the report's page and the form's preview show it.
 * @param level of its headings.
 */
export function ReportRecord(props: {
  report: ReportDetail;
  level?: 2 | 4;
  /** Further groups for the column with the amounts. */
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

/** The amounts with their sums. The last sum is emphasized. */
function LedgerTable({ ledger, isSettled }: { ledger: Ledger; isSettled: boolean }) {
  const last = `${styles.last} ${isSettled ? styles.settled : ""}`;
  const money = (amount: number) => formatMoney(amount, ledger.currency);
  const row = (line: LedgerLine) => (
    <tr key={line.label}>
      <th scope="row">
        {line.label}
        {line.detail && <span className={styles.detail}>{line.detail}</span>}
      </th>
      <td className="amount">{money(line.amount)}</td>
    </tr>
  );
  return (
    <table className={styles.ledger}>
      <caption className="visually-hidden">Amounts in {ledger.currency}</caption>
      <tbody>
        {ledger.lines.map(row)}
        {ledger.additional.length > 0 && (
          <tr className={styles.sum}>
            <th scope="row">Sum</th>
            <td className="amount">{money(ledger.own)}</td>
          </tr>
        )}
        {ledger.additional.map(row)}
        <tr className={`${styles.sum} ${last}`}>
          <th scope="row">Total due</th>
          <td className="amount">{money(ledger.due)}</td>
        </tr>
      </tbody>
    </table>
  );
}
