import Button from "@mui/material/Button";
import { useState } from "react";
import { TEMPLATE_TYPES } from "#contracts/mail/template-kinds.ts";
import { paths } from "../config/paths.ts";
import type { EmailRow } from "../data/email-rows.ts";
import {
  type Column,
  countColumn,
  dayColumn,
  linkColumn,
  wordColumn,
} from "../shared/list/columns.tsx";
import { ListFilters, SearchFilter, SelectFilter } from "../shared/list/filters.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { StatusChip } from "../shared/parts.tsx";
import { EMAIL_STATUSES } from "./labels.ts";
import { NewTemplate } from "./NewTemplate.tsx";

const CHIPS = { custom: "active", drafts: "draft", default: "inactive" } as const;

const pageOf = (id: string) => `${paths.templates}/${id}`;
const COLUMNS: readonly Column<EmailRow>[] = [
  linkColumn("title", "Name", pageOf, { sortable: true, width: "28%" }),
  wordColumn("type", "Type", TEMPLATE_TYPES, { sortable: true, width: 96 }),
  {
    source: "subject",
    label: "Subject",
    render: ({ subject }) => <span title={subject}>{subject}</span>,
  },
  {
    source: "status",
    label: "Status",
    sortable: true,
    width: 168,
    phone: "end",
    render: ({ status, active }) => (
      <span title={active.name}>
        <StatusChip status={CHIPS[status]} label={EMAIL_STATUSES[status]} />
      </span>
    ),
  },
  dayColumn("last_modified", "Last modified", { sortable: true, width: 128, phone: "hidden" }),
  countColumn("usage", "Usage", { sortable: true, width: 64, phone: "hidden" }),
];

/** All emails with their active template, by area. */
export function TemplateList() {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <RecordList<EmailRow>
        resource="templates"
        of={["email", "emails"]}
        label="Email templates"
        sort={{ field: "type", order: "ASC" }}
        perPage={100}
        pageSizes={[100]}
        columns={COLUMNS}
        to={({ id }) => pageOf(id)}
        actions={
          <Button variant="contained" onClick={() => setCreating(true)}>
            Create template
          </Button>
        }
        filters={
          <ListFilters>
            <SearchFilter placeholder="Email, subject or template" />
            <SelectFilter source="type" label="Type" options={TEMPLATE_TYPES} />
            <SelectFilter source="status" label="Status" options={EMAIL_STATUSES} />
          </ListFilters>
        }
      />
      {isCreating && <NewTemplate of={undefined} onClose={() => setCreating(false)} />}
    </>
  );
}
