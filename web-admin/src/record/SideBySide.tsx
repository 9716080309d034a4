import Box from "@mui/material/Box";
import { color } from "#theme/color.ts";
import { visuallyHidden } from "../shared/visually-hidden.ts";

export interface SideBySideRow {
  readonly label: string;
  /** One for each column; a single one where it says something of all of them. */
  readonly cells: readonly string[];
  readonly mark?: "same" | "differs" | "unknown" | "kept";
}

/** Fields of two reports, or of two versions of one. On a narrow screen the values stand below the field's name. */
export function SideBySide({
  label,
  columns,
  rows,
}: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly SideBySideRow[];
}) {
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
