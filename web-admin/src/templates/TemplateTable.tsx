import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import { Link as RouterLink } from "react-router-dom";
import { SHIPPED, type TemplateItem } from "#contracts/http/admin-templates.ts";
import { TEMPLATE_TYPES, templateKind } from "#contracts/mail/template-kinds.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import type { Columns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { formatCount } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
import { TemplateChip } from "./TemplateChip.tsx";
import { stepsFor } from "./template-words.ts";

export interface TemplateRows {
  /** Undefined while they load. */
  readonly items: readonly TemplateItem[] | undefined;
  readonly onDuplicate: (item: TemplateItem) => void;
  readonly onDelete: (item: TemplateItem) => void;
  readonly columns: Columns<(typeof TEMPLATE_COLUMNS)[number]>;
}

/** What can be chosen in the list of templates. */
export const TEMPLATE_COLUMNS = ["Type", "Subject", "Status", "Last modified", "Usage"] as const;

const COLUMNS = [
  ["Name"],
  ["Type", 100],
  ["Subject"],
  ["Status", 96],
  ["Last modified", 110],
  ["Usage", 64],
  ["Actions", 168],
] as const;
const cut = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

/** The templates as a table with one row for each. */
export function TemplateTable({ items, ...acts }: TemplateRows) {
  const shown = COLUMNS.filter(
    ([label]) => label === "Name" || label === "Actions" || acts.columns.shows(label),
  );
  return (
    <Table aria-label="Templates" sx={{ tableLayout: "fixed" }}>
      <TableHead>
        <TableRow>
          {shown.map(([label, width]) => (
            <TableCell
              key={label}
              align={label === "Usage" ? "right" : "left"}
              sx={{ width, "&:first-of-type": { pl: 2 }, "&:last-of-type": { pr: 2 } }}
            >
              {label}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {items
          ? items.map((item) => <Row key={`${item.kind} ${item.id}`} item={item} {...acts} />)
          : Array.from({ length: 8 }, (_, row) => row).map((row) => (
              <TableRow key={row}>
                <TableCell colSpan={shown.length}>
                  <Delayed>
                    <Skeleton variant="text" />
                  </Delayed>
                </TableCell>
              </TableRow>
            ))}
      </TableBody>
    </Table>
  );
}

function Row(props: Omit<TemplateRows, "items"> & { readonly item: TemplateItem }) {
  const { item, columns, ...acts } = props;
  const { type, subject, status, last_modified, author, usage } = item;
  return (
    <TableRow hover sx={{ "& td": { fontVariantNumeric: "tabular-nums" } }}>
      <TableCell sx={{ ...cut, pl: 2, py: 1 }}>
        <TemplateName item={item} />
      </TableCell>
      {columns.shows("Type") && <TableCell sx={cut}>{TEMPLATE_TYPES[type]}</TableCell>}
      {columns.shows("Subject") && (
        <TableCell sx={cut} title={subject}>
          {subject}
        </TableCell>
      )}
      {columns.shows("Status") && (
        <TableCell>
          <TemplateChip status={status} />
        </TableCell>
      )}
      {columns.shows("Last modified") && (
        <TableCell sx={cut} title={author}>
          {last_modified ? <Instant at={last_modified} as="day" /> : "As shipped"}
        </TableCell>
      )}
      {columns.shows("Usage") && <TableCell align="right">{formatCount(usage)}</TableCell>}
      <TableCell sx={{ pr: 2, whiteSpace: "nowrap" }}>
        <TemplateActs item={item} {...acts} />
      </TableCell>
    </TableRow>
  );
}

/** Name and kind of a template, which lead to it. */
export function TemplateName({ item: { kind, id, name } }: { readonly item: TemplateItem }) {
  const { title } = templateKind(kind);
  return (
    <>
      <Link
        component={RouterLink}
        to={paths.template(kind, id)}
        underline="hover"
        title={name}
        aria-label={`${name}, ${title}`}
        sx={{ overflowWrap: "anywhere" }}
      >
        {name}
      </Link>
      <Box sx={{ color: color.inkMuted, fontSize: 14, ...cut }} title={title}>
        {title}
      </Box>
    </>
  );
}

/** What can be done with a template from the list. */
export function TemplateActs(
  props: Omit<TemplateRows, "items" | "columns"> & { readonly item: TemplateItem },
) {
  const { item, onDuplicate, onDelete } = props;
  const what = `${item.name}, ${templateKind(item.kind).title}`;
  return (
    <>
      <Button sx={{ px: 1 }} aria-label={`Duplicate ${what}`} onClick={() => onDuplicate(item)}>
        Duplicate
      </Button>
      {item.id !== SHIPPED && stepsFor(item.status).includes("delete") && (
        <Button
          sx={{ px: 1 }}
          color="warning"
          aria-label={`Delete ${what}`}
          onClick={() => onDelete(item)}
        >
          Delete
        </Button>
      )}
    </>
  );
}
