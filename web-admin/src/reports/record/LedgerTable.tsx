import Box from "@mui/material/Box";
import { Fragment } from "react";
import { formatMoney } from "#contracts/report/money.ts";
import { color } from "#theme/color.ts";
import { type LedgerSource, ledgerOf } from "./ledger.ts";

export interface LedgerTableProps {
  readonly report: LedgerSource;
  readonly currency: string;
}

/** The amounts line by line, down to the total due. */
export function LedgerTable({ report, currency }: LedgerTableProps) {
  const { groups, total } = ledgerOf(report);
  const several = groups.length > 1;
  return (
    <Box
      component="table"
      aria-label="Amounts"
      sx={{
        width: "100%",
        borderCollapse: "collapse",
        fontVariantNumeric: "tabular-nums",
        "& th, & td": { py: 0.5, textAlign: "left", fontWeight: 400 },
        "& td": { textAlign: "right", whiteSpace: "nowrap", pl: 2 },
        "& tr[data-sum] > *": { borderTop: `1px solid ${color.lineStrong}`, fontWeight: 600 },
        "& tr[data-head] > *": { pt: 2, fontWeight: 600, color: "text.secondary" },
        "& tr[data-due] > *": { borderTop: `2px solid ${color.ink}`, fontWeight: 600, pt: 1 },
      }}
    >
      <tbody>
        {groups.map((group) => (
          <Fragment key={group.title}>
            {several && (
              <tr data-head="">
                <th scope="rowgroup" colSpan={2}>
                  {group.title}
                </th>
              </tr>
            )}
            {group.lines.map((line) => (
              <tr key={line.label}>
                <th scope="row">{line.label}</th>
                <td>{formatMoney(line.amount, currency)}</td>
              </tr>
            ))}
            {several && (
              <tr data-sum="">
                <th scope="row">Sum</th>
                <td>{formatMoney(group.total, currency)}</td>
              </tr>
            )}
          </Fragment>
        ))}
        <tr data-due="">
          <th scope="row">{several ? "Total due, all of them" : "Total due"}</th>
          <Box component="td" sx={{ color: color.due }}>
            {formatMoney(total, currency)}
          </Box>
        </tr>
      </tbody>
    </Box>
  );
}
