import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Paper from "@mui/material/Paper";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { type ReactNode, useState } from "react";
import { useRequireAccess } from "react-admin";
import { Link as RouterLink, useSearchParams } from "react-router-dom";
import { TEMPLATE_TYPES } from "#contracts/mail/template-kinds.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { loadFailureText } from "../data/api-error.ts";
import { useColumns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { FilterBar } from "../shared/FilterBar.tsx";
import { counted, formatCount } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
import { SearchField } from "../shared/SearchField.tsx";
import { SelectField } from "../shared/SelectField.tsx";
import { StatusChip } from "../shared/StatusChip.tsx";
import { type EmailRow, emailRows, FOUND_AS, foundEmails } from "./labels.ts";
import { type CopiedTemplate, NewTemplate } from "./NewTemplate.tsx";
import { useTemplates } from "./use-templates.ts";

const COLUMNS = ["Subject", "Template", "Last modified", "Usage"] as const;
type Column = (typeof COLUMNS)[number];
const WIDTHS: Partial<Record<Column, number>> = { Template: 240, "Last modified": 130, Usage: 80 };
const cut = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;
const wide = { display: { xs: "none", md: "table-cell" } } as const;

/** The emails by area, with the template that each uses. Filters are in the address. */
export function TemplateList() {
  const { isPending: isChecking } = useRequireAccess({ resource: "templates", action: "list" });
  const [query, setQuery] = useSearchParams();
  /** The template to copy, or a new one of the default. */
  const [copied, setCopied] = useState<CopiedTemplate | "new">();
  const { data, error, isFetching, refetch } = useTemplates(!isChecking);
  const columns = useColumns("templates", COLUMNS);
  const filter = {
    type: query.get("type") ?? "",
    status: query.get("status") ?? "",
    q: query.get("q") ?? "",
  };
  const narrow = (change: Partial<typeof filter>) =>
    setQuery(
      Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value)),
      { replace: true },
    );
  const rows = data && foundEmails(emailRows(data), filter);
  const isNarrowed = Object.values(filter).some(Boolean);
  const shown = COLUMNS.filter((column) => columns.shows(column));
  return (
    <Paper sx={{ border: 1, borderColor: "divider" }}>
      <FilterBar
        columns={columns}
        active={(filter.type ? 1 : 0) + (filter.status ? 1 : 0)}
        onClear={isNarrowed ? () => narrow({ type: "", status: "", q: "" }) : undefined}
        search={
          <SearchField
            placeholder="Email, subject or template"
            value={filter.q}
            onSearch={(q) => narrow({ q })}
          />
        }
      >
        <SelectField
          label="Type"
          value={filter.type || undefined}
          options={Object.entries(TEMPLATE_TYPES)}
          onChange={(type) => narrow({ type: type ?? "" })}
        />
        <SelectField
          label="Status"
          value={filter.status || undefined}
          options={Object.entries(FOUND_AS)}
          onChange={(status) => narrow({ status: status ?? "" })}
        />
      </FilterBar>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, px: 2, pb: 1 }}>
        <Typography role="status" color="textSecondary" sx={{ flex: 1 }}>
          {rows && counted(rows.length, "email", "emails")}
        </Typography>
        <Button variant="contained" onClick={() => setCopied("new")}>
          Create template
        </Button>
      </Box>
      <Box sx={{ height: 4 }}>
        {isFetching && (
          <Delayed>
            <LinearProgress aria-label="Loading templates" />
          </Delayed>
        )}
      </Box>
      {error && (
        <Alert
          severity="error"
          sx={{ m: 2 }}
          action={
            <Button color="inherit" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {loadFailureText("templates", error)}
        </Alert>
      )}
      {rows?.length === 0 && (
        <EmptyNote title={isNarrowed ? "No templates match these filters" : "No templates"} />
      )}
      {rows && rows.length > 0 && (
        <Table aria-label="Templates" sx={{ tableLayout: "fixed" }}>
          <TableHead>
            <TableRow>
              <TableCell sx={{ pl: 2 }}>Name</TableCell>
              {shown.map((column) => (
                <TableCell
                  key={column}
                  align={column === "Usage" ? "right" : "left"}
                  sx={{ ...wide, width: WIDTHS[column] }}
                >
                  {column}
                </TableCell>
              ))}
              <TableCell sx={{ ...wide, width: 110, pr: 2 }}>Actions</TableCell>
            </TableRow>
          </TableHead>
          {Object.entries(TEMPLATE_TYPES).map(([type, label]) => (
            <Area key={type} label={label} span={shown.length + 2}>
              {rows
                .filter((row) => row.type === type)
                .map((row) => (
                  <Row key={row.kind} row={row} shown={shown} onCopy={setCopied} />
                ))}
            </Area>
          ))}
        </Table>
      )}
      {copied && (
        <NewTemplate
          of={copied === "new" ? undefined : copied}
          onClose={() => setCopied(undefined)}
        />
      )}
    </Paper>
  );
}

function Area(props: {
  readonly label: string;
  readonly span: number;
  readonly children: readonly ReactNode[];
}) {
  if (props.children.length === 0) return null;
  return (
    <TableBody>
      <TableRow>
        <TableCell
          component="th"
          scope="rowgroup"
          colSpan={props.span}
          sx={{ px: 2, pt: 2, fontWeight: 600, color: color.inkMuted }}
        >
          {props.label}
        </TableCell>
      </TableRow>
      {props.children}
    </TableBody>
  );
}

function Row({
  row,
  shown,
  onCopy,
}: {
  readonly row: EmailRow;
  readonly shown: readonly Column[];
  readonly onCopy: (of: CopiedTemplate) => void;
}) {
  const { kind, title, active, isChanged, others, usage } = row;
  const used = (
    <>
      <StatusChip
        status={isChanged ? "active" : "inactive"}
        label={isChanged ? "Customized" : "Default"}
      />
      {others > 0 && ` + ${others}`}
    </>
  );
  const cells: Readonly<Record<Column, ReactNode>> = {
    Subject: active.subject,
    Template: (
      <>
        {used} {isChanged && active.name}
      </>
    ),
    "Last modified": active.last_modified ? (
      <Instant at={active.last_modified} as="day" />
    ) : (
      "Never"
    ),
    Usage: formatCount(usage),
  };
  return (
    <TableRow hover sx={{ "& td": { fontVariantNumeric: "tabular-nums" } }}>
      <TableCell sx={{ pl: 2, py: 0.75, ...cut }}>
        <Box sx={{ display: "flex", gap: 1, alignItems: "center" }}>
          <Link
            component={RouterLink}
            to={paths.template(kind, active.id)}
            underline="hover"
            sx={{ ...cut, flex: { xs: 1, md: "none" }, maxWidth: "100%" }}
            title={title}
          >
            {title}
          </Link>
          <Box sx={{ display: { md: "none" } }}>{used}</Box>
        </Box>
        <Box sx={{ display: { md: "none" }, color: color.inkMuted, fontSize: 14, ...cut }}>
          {active.subject}
        </Box>
      </TableCell>
      {shown.map((column) => (
        <TableCell
          key={column}
          align={column === "Usage" ? "right" : "left"}
          sx={{ ...cut, ...wide, py: 0.75 }}
          title={column === "Subject" ? active.subject : undefined}
        >
          {cells[column]}
        </TableCell>
      ))}
      <TableCell sx={{ ...wide, py: 0, pr: 2 }}>
        <Button
          sx={{ px: 1 }}
          aria-label={`Duplicate ${title}`}
          onClick={() => onCopy({ kind, id: active.id, name: active.name })}
        >
          Duplicate
        </Button>
      </TableCell>
    </TableRow>
  );
}
