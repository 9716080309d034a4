import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import TableSortLabel from "@mui/material/TableSortLabel";
import type { MouseEvent } from "react";
import {
  DataTable,
  type RaRecord,
  RecordContextProvider,
  useDataTableRenderContext,
  useListContext,
  useRecordContext,
} from "react-admin";
import { visuallyHidden } from "../visually-hidden.ts";
import type { Column, ShownColumns } from "./columns.tsx";

export interface RowsProps<Row extends RaRecord> {
  /** Name of the table, or of the list on phones. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly shown: ShownColumns;
  /** Target of a click on a row. */
  readonly to?: ((row: Row) => string) | undefined;
  /** A row's name in the label of its checkbox. Without it, rows can't be selected. */
  readonly selectAs?: ((row: Row) => string) | undefined;
}

/** Keeps clicks on controls in a row, and in dialogs they opened, from counting as clicks on the row. */
function keepFromRow(event: MouseEvent<HTMLElement>) {
  const target = event.target as Element;
  if (!event.currentTarget.contains(target) || target.closest("a, button, input, label"))
    event.stopPropagation();
}

/** A list's rows as react-admin's table, with labeled checkboxes and the sort order for screen readers. */
export function WideRows<Row extends RaRecord>(props: RowsProps<Row>) {
  const { label, columns, shown, to, selectAs } = props;
  return (
    <DataTable<Row>
      aria-label={label}
      storeKey={shown.key}
      bulkActionButtons={false}
      empty={null}
      rowClick={to ? (_id, _resource, row) => to(row as Row) : false}
      sx={{
        "& .RaDataTable-headerCell": { bgcolor: "action.hover", lineHeight: "18px" },
        "& td": {
          lineHeight: "18px",
          whiteSpace: "nowrap",
          maxWidth: 0,
          overflow: "hidden",
          textOverflow: "ellipsis",
        },
        "& td:first-of-type a": { fontWeight: 600 },
        "& table": { tableLayout: "fixed" },
        "& th, & td": { px: 0.5 },
        "& .MuiTableCell-alignRight + :not(.MuiTableCell-alignRight)": { pl: 0.75 },
        "& tr > :first-of-type": { pl: 2 },
        "& tr > :last-child": { pr: 2 },
      }}
    >
      {selectAs && <SelectColumn label={label} selectAs={selectAs} />}
      {columns.map((column) => (
        <WideColumn key={column.source} column={column} />
      ))}
    </DataTable>
  );
}

function WideColumn<Row extends RaRecord>({ column }: { readonly column: Column<Row> }) {
  const { source, label, sortable, align = "left", width, render, second } = column;
  const isHead = useDataTableRenderContext() === "header";
  const { sort } = useListContext();
  const isSorted = isHead && [source, second?.source].includes(sort.field);
  return (
    <DataTable.Col<Row>
      source={source as never}
      label={second ? <TwoHeads heads={[column, second]} /> : label}
      align={align}
      disableSort={!sortable || second !== undefined}
      sortByOrder="DESC"
      render={(row) =>
        second ? (
          <>
            {render(row)}
            <Box sx={{ color: "text.secondary" }}>{second.render(row)}</Box>
          </>
        ) : (
          render(row)
        )
      }
      {...(isHead ? { sx: { width } } : { onClick: keepFromRow })}
      {...(isSorted ? { sortDirection: sort.order === "ASC" ? "asc" : "desc" } : {})}
    />
  );
}

function TwoHeads(props: {
  readonly heads: readonly { readonly source: string; readonly label: string }[];
}) {
  const { sort, setSort } = useListContext();
  return props.heads.map(({ source, label }) => {
    const active = sort.field === source;
    const isDown = active && sort.order === "DESC";
    return (
      <TableSortLabel
        key={source}
        active={active}
        direction={active && !isDown ? "asc" : "desc"}
        onClick={() => setSort({ field: source, order: isDown ? "ASC" : "DESC" })}
        sx={{ display: "flex", width: "fit-content" }}
      >
        {label}
      </TableSortLabel>
    );
  });
}

function SelectColumn<Row extends RaRecord>(props: {
  readonly label: string;
  readonly selectAs: (row: Row) => string;
}) {
  const { label, selectAs } = props;
  const isHead = useDataTableRenderContext() === "header";
  return (
    <DataTable.Col
      label={<SelectPage label={label} />}
      disableSort
      padding="none"
      {...(isHead ? { sx: { width: 40 } } : { onClick: keepFromRow })}
    >
      <SelectRow selectAs={selectAs} />
    </DataTable.Col>
  );
}

function SelectPage({ label }: { readonly label: string }) {
  const { data = [], selectedIds, onSelect } = useListContext();
  const ids = data.map(({ id }) => id);
  const selected = ids.filter((id) => selectedIds.includes(id)).length;
  return (
    <Checkbox
      size="small"
      sx={{ p: 0.5 }}
      checked={ids.length > 0 && selected === ids.length}
      indeterminate={selected > 0 && selected < ids.length}
      onChange={({ target }) => {
        const others = selectedIds.filter((id) => !ids.includes(id));
        onSelect(target.checked ? [...others, ...ids] : others);
      }}
      slotProps={{ input: { "aria-label": `Select all ${label.toLowerCase()} on this page` } }}
    />
  );
}

function SelectRow<Row extends RaRecord>(props: { readonly selectAs: (row: Row) => string }) {
  const row = useRecordContext<Row>();
  const { selectedIds, onToggleItem } = useListContext();
  if (!row) return null;
  return (
    <Checkbox
      size="small"
      sx={{ p: { xs: 1.25, lg: 0.5 }, ml: { xs: -1.25, lg: 0 } }}
      checked={selectedIds.includes(row.id)}
      onChange={() => onToggleItem(row.id)}
      slotProps={{ input: { "aria-label": `Select ${props.selectAs(row)}` } }}
    />
  );
}

/** Truncates text with an ellipsis. */
export const oneLine = {
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
} as const;

/** A list's rows on narrow screens, with two lines each: the title and its facts. */
export function NarrowRows<Row extends RaRecord>(props: RowsProps<Row>) {
  const { label, columns, shown, selectAs } = props;
  const { data = [] } = useListContext<Row>();
  const title = columns.find(({ phone }) => phone === "title") ?? columns[0];
  const facts = columns.flatMap((column, n): readonly Column<Row>[] => {
    const { second, source, phone } = column;
    if (phone === "none" || (n > 0 && !shown.shows(source))) return [];
    return [...(column === title ? [] : [column]), ...(second ? [second] : [])];
  });
  return (
    <Box component="ul" aria-label={label}>
      {data.map((row) => (
        <RecordContextProvider key={row.id} value={row}>
          <Box
            component="li"
            sx={{
              display: "flex",
              alignItems: "center",
              gap: 1,
              px: 2,
              py: 1,
              borderTop: 1,
              borderColor: "divider",
            }}
          >
            {selectAs && <SelectRow selectAs={selectAs} />}
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Box sx={{ ...oneLine, fontWeight: 600 }}>{title?.render(row)}</Box>
              <Facts row={row} columns={facts.filter(({ phone }) => phone !== "end")} />
            </Box>
            <Facts row={row} columns={facts.filter(({ phone }) => phone === "end")} isEnd />
          </Box>
        </RecordContextProvider>
      ))}
    </Box>
  );
}

/** Cells with their column names, which are only for screen readers here. */
function Facts<Row>(props: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly isEnd?: true;
}) {
  const { row, columns, isEnd } = props;
  if (columns.length === 0) return null;
  return (
    <Box
      component="dl"
      sx={{
        // Keeps visually hidden content from widening the page.
        position: "relative",
        ...(isEnd
          ? { display: "grid", justifyItems: "end", textAlign: "end" }
          : { ...oneLine, color: "text.secondary" }),
        "& a": { textDecoration: "underline" },
        "& dt": visuallyHidden,
        "& dd": { display: "inline" },
        ...(isEnd
          ? {}
          : { "& div:not(.is-hidden) ~ div:not(.is-hidden)::before": { content: '" · "' } }),
        "& div": { display: "inline" },
      }}
    >
      {columns.map(({ source, label, render, phone }) => (
        <Box
          key={source}
          // A link in it becomes visible while focused.
          {...(phone === "hidden" && {
            className: "is-hidden",
            sx: { "&:not(:focus-within)": visuallyHidden },
          })}
        >
          <dt>{label}</dt>
          <dd>{typeof phone === "function" ? phone(row) : render(row)}</dd>
        </Box>
      ))}
    </Box>
  );
}
