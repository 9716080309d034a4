import { formatMoney } from "#contracts/report/money.ts";
import styles from "./LedgerTable.module.css";
import type { Ledger, LedgerLine } from "./ledger.ts";

/** The amounts with their sums. The last sum stands out. */
export function LedgerTable({ ledger, isSettled }: { ledger: Ledger; isSettled: boolean }) {
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
