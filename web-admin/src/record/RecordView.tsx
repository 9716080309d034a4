import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import type { ChargebackField } from "#contracts/report/catalogue.ts";
import { CHARGEBACK_ROWS } from "#contracts/report/derive/fields.ts";
import { chargebackVisibility } from "#contracts/report/derive/visibility.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { reasonLabel } from "#contracts/report/reasons.ts";
import { color } from "#theme/color.ts";
import { type Field, FieldList } from "../shared/FieldList.tsx";
import { formatDate } from "../shared/formats.ts";
import { fieldLabel, valueText } from "../shared/labels.ts";
import { MarkedText } from "../shared/MarkedText.tsx";
import { visuallyHidden } from "../shared/visually-hidden.ts";
import {
  amountsOf,
  CHARGEBACK_ORDER,
  cardField,
  chargebackAmounts,
  marksOf,
  recordFields,
  type ShownReport,
} from "./record-fields.ts";

interface RecordViewProps {
  readonly report: ShownReport;
  /** Whether the report includes the revealed data. */
  readonly opened?: boolean;
  readonly beside?: ReactNode;
  /** Labels that the page already shows above the record. */
  readonly without?: readonly string[];
}

/** A report as a record: first the texts, then the amounts in one line and the facts in a dense grid. */
export function RecordView({ report, opened = false, beside, without = [] }: RecordViewProps) {
  const { texts, facts } = recordFields(report, opened);
  const isShown = ({ label }: Field) => !without.includes(label);
  return (
    <>
      <Box
        sx={{
          px: 2,
          py: 1.5,
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: beside ? "minmax(0, 1fr) 264px" : "" },
          alignItems: "start",
        }}
      >
        <Box sx={{ display: "grid", gap: 1 }}>
          {texts.filter(isShown).map((field) => (
            <Text key={field.label} field={field} />
          ))}
        </Box>
        {beside}
      </Box>
      <Box sx={{ px: 2, borderTop: `1px solid ${color.line}` }}>
        <Amounts report={report} opened={opened} />
      </Box>
      <Box
        component="dl"
        sx={{
          display: "grid",
          // Wide enough for a masked card number.
          gridTemplateColumns: {
            xs: "repeat(2, minmax(min-content, 1fr))",
            sm: "repeat(auto-fill, minmax(176px, 1fr))",
          },
          // Lines between the cells. Those at the grid's edges overlap the surrounding borders.
          borderTop: `1px solid ${color.line}`,
          mr: "-1px",
          mb: "-1px",
          "& > div": {
            pl: 2,
            pr: { xs: 1, sm: 2 },
            py: 0.75,
            overflowWrap: "anywhere",
            borderRight: `1px solid ${color.line}`,
            borderBottom: `1px solid ${color.line}`,
          },
          "& > div[data-kept]": { bgcolor: color.privateTint },
          "& dt": { color: "text.secondary" },
          "& dd": { whiteSpace: "pre-wrap" },
        }}
      >
        {facts.filter(isShown).map((field) => (
          <div key={field.label} data-kept={field.kept ? "" : undefined}>
            <dt>{field.label}</dt>
            <dd style={field.isWhole && { whiteSpace: "nowrap" }}>
              <Value field={field} />
            </dd>
          </div>
        ))}
      </Box>
    </>
  );
}

/** A text too long for a cell. The description needs no label. */
function Text({ field }: { readonly field: Field }) {
  return (
    <Box sx={field.kept ? { bgcolor: color.privateTint, mx: -1, px: 1, py: 0.5 } : {}}>
      {field.label !== "Description" && (
        <Typography color="textSecondary" component="h2">
          {field.label}
        </Typography>
      )}
      <Typography
        component="div"
        tabIndex={0}
        sx={{
          overflowWrap: "anywhere",
          whiteSpace: "pre-wrap",
          // Limits long texts so the facts stay in sight.
          maxHeight: { sm: 320 },
          overflowY: "auto",
        }}
      >
        <Value field={field} />
      </Typography>
    </Box>
  );
}

function Value({ field: { value, own } }: { readonly field: Field }) {
  return own && typeof value === "string" ? <MarkedText text={value} own={own} /> : value;
}

interface AmountsProps {
  readonly report: ShownReport;
  readonly opened: boolean;
}

function Amounts({ report, opened }: AmountsProps) {
  const currency = currencyOf(report);
  const items = Array.isArray(report.chargebacks) ? (report.chargebacks as ShownReport[]) : [];
  const own = ownNumbers(report);
  const money = (amount: unknown) => formatMoney(Number(amount), currency);
  return (
    <>
      <Box
        component="dl"
        aria-label="Amounts"
        sx={{
          py: 1,
          display: "flex",
          flexWrap: "wrap",
          columnGap: 3,
          rowGap: 0.5,
          "& div": { display: "flex", gap: 0.75 },
          "& dt": { color: "text.secondary" },
          "& dd": { fontWeight: 600 },
        }}
      >
        {amountsOf(report).map(({ label, amount }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{money(amount)}</dd>
          </div>
        ))}
        <div>
          <dt>Additional</dt>
          <dd>
            {items.length > 0
              ? `${items.length}, ${money(items.reduce((sum, each) => sum + Number(each.total_due), 0))}`
              : "None"}
          </dd>
        </div>
        <div>
          <dt>Total due</dt>
          <Box component="dd" sx={{ color: color.due }}>
            {money(report.total_due)}
          </Box>
        </div>
      </Box>
      {items.map((item, index) => {
        const title = titleOf(item, index);
        const amounts = chargebackAmounts(item);
        const fields = fieldsOf(item, opened, own);
        return (
          <Box key={title} sx={{ py: 1, borderTop: `1px solid ${color.line}` }}>
            <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
            <Typography>
              {amounts.map(({ label, amount }) => `${label} ${money(amount)}`).join(", ")}
              {amounts.length > 1 && `, together ${money(item.total_due)}`}
            </Typography>
            {fields.length > 0 && <FieldList fields={fields} />}
          </Box>
        );
      })}
    </>
  );
}

function titleOf({ date, reason }: ShownReport, index: number): string {
  return [
    `Additional chargeback ${index + 1}`,
    ...(typeof date === "string" ? [formatDate(date)] : []),
    ...(typeof reason === "string" ? [reasonLabel(reason)] : []),
  ].join(", ");
}

/** Returns the currency of all amounts of a report. */
export function currencyOf({ currency }: ShownReport): string {
  return typeof currency === "string" ? currency : "USD";
}

const IN_TITLE: readonly ChargebackField[] = ["date", "reason"];
const FIELDS = CHARGEBACK_ORDER.filter(
  (name) => CHARGEBACK_ROWS[name].kind !== "money" && !IN_TITLE.includes(name),
);

/** The fields of an additional chargeback. Revealed ones come last. */
function fieldsOf(item: ShownReport, opened: boolean, own: readonly string[]): Field[] {
  const fields = FIELDS.flatMap((name): Field[] => {
    const value = item[name];
    if (name === "first_6") return cardField(item);
    if (name === "last_4" || value === undefined) return [];
    const kept = chargebackVisibility[name].moderator === "hidden";
    if (kept && !opened) return [];
    const text = valueText(name, value);
    const marks = marksOf(CHARGEBACK_ROWS[name], kept, own);
    return [{ label: fieldLabel(name), value: text, kept, ...marks }];
  });
  return fields.toSorted((a, b) => Number(a.kept ?? false) - Number(b.kept ?? false));
}

export interface SideBySideRow {
  readonly label: string;
  /** One per column, or a single one that spans all of them. */
  readonly cells: readonly string[];
  readonly mark?: "same" | "differs" | "unknown" | "kept";
}

/** Fields of two reports, or of two versions of one. On narrow screens, values are below the field's name. */
export function SideBySide(props: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly SideBySideRow[];
}) {
  const { label, columns, rows } = props;
  return (
    <Box component="table" aria-label={label} sx={TABLE}>
      <thead>
        <tr>
          {["Field", ...columns].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label: field, cells, mark }) => (
          <tr key={field} data-mark={mark}>
            <th scope="row">{field}</th>
            {cells.length === 1 ? (
              <td colSpan={columns.length}>{cells[0]}</td>
            ) : (
              columns.map((column, index) => (
                <td key={column} data-label={column}>
                  {cells[index]}
                </td>
              ))
            )}
          </tr>
        ))}
      </tbody>
    </Box>
  );
}

const TABLE = {
  width: "100%",
  tableLayout: "fixed",
  borderCollapse: "collapse",
  "& th, & td": {
    py: 0.75,
    pr: 2,
    textAlign: "left",
    verticalAlign: "top",
    overflowWrap: "anywhere",
    whiteSpace: "pre-wrap",
    fontWeight: 400,
  },
  "& thead th": { color: "text.secondary" },
  "& tbody th": { fontWeight: 600 },
  "& tbody tr": { borderTop: `1px solid ${color.line}` },
  "& [data-mark=kept] td": { color: color.private },
  "& [data-mark=same] td:last-of-type": { color: color.settled },
  "& [data-mark=differs] td:last-of-type": { color: color.warning },
  "@media (max-width: 599px)": {
    "& thead": visuallyHidden,
    "& tbody tr": { display: "block", py: 1 },
    "& tbody th, & tbody td": { display: "block", py: 0.25 },
    "& td[data-label]:not(:empty)::before": {
      content: 'attr(data-label) ": "',
      color: "text.secondary",
    },
  },
} as const;
