import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import { Fragment, useState } from "react";
import { Link } from "react-admin";
import { type ListedNotice, NOTICE_KINDS } from "#contracts/http/admin-notices.ts";
import { NOTICE_STATUSES } from "#contracts/notice/notice-rules.ts";
import { paths } from "../config/paths.ts";
import { Deadline } from "../shared/cases/Deadline.tsx";
import {
  type Column,
  countColumn,
  dayColumn,
  linkColumn,
  wordColumn,
} from "../shared/list/columns.tsx";
import { ListFilters, SelectFilter } from "../shared/list/filters.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { DocumentTabs, PageHeading } from "../shared/page.tsx";
import { visuallyHidden } from "../shared/visually-hidden.ts";
import { DeleteButton, DeleteDialog } from "./actions.tsx";
import { clockText } from "./labels.ts";

const NUMBER = linkColumn("number", "Number", paths.notice, { width: 152 });
const KIND = wordColumn("kind", "Kind", NOTICE_KINDS, { width: 164 });
const STATUS = wordColumn("status", "Status", NOTICE_STATUSES, { width: 140, phone: "end" });
const RECEIVED = dayColumn("received_at", "Received", { width: 116, phone: "hidden" });
const COLUMNS: readonly Column<ListedNotice>[] = [
  NUMBER,
  {
    source: "email",
    label: "Email",
    phone: "hidden",
    render: ({ email }) => email || "Address erased",
  },
  KIND,
  STATUS,
  {
    source: "due_at",
    label: "Time",
    width: 168,
    phone: "end",
    render: (notice) => <Deadline of={clockText(notice, Date.now())} />,
  },
  RECEIVED,
  countColumn("notes", "Notes", { width: 64, phone: "hidden" }),
];

function NoticeFilters({ isTimed }: { readonly isTimed?: true }) {
  return (
    <ListFilters>
      <SelectFilter source="kind" label="Kind" options={NOTICE_KINDS} />
      <SelectFilter source="status" label="Status" options={NOTICE_STATUSES} />
      {isTimed && (
        <SelectFilter
          source="overdue"
          label="Time"
          options={{ yes: "Late", soon: "Late, or due within a day" }}
        />
      )}
    </ListFilters>
  );
}

/** DMCA notices and counter-notices. */
export function NoticeList() {
  return (
    <RecordList<ListedNotice>
      resource="notices"
      of={["notice", "notices"]}
      columns={COLUMNS}
      pageSizes={[25]}
      to={({ id }) => paths.notice(id)}
      filters={<NoticeFilters isTimed />}
    />
  );
}

const materialColumns = (
  onDelete: (notice: ListedNotice) => void,
): readonly Column<ListedNotice>[] => [
  NUMBER,
  KIND,
  STATUS,
  RECEIVED,
  { source: "material", label: "Material", render: (notice) => <Material notice={notice} /> },
  {
    source: "actions",
    label: "Actions",
    align: "right",
    width: 104,
    phone: "end",
    render: (notice) => <DeleteButton notice={notice} onClick={() => onDelete(notice)} />,
  },
];

/**
 * DMCA notices with the reports and pictures they are about. Each opens on its own page, and can be deleted once it
 * has ended.
 */
export function NoticeMaterial() {
  const [deleting, setDeleting] = useState<ListedNotice>();
  const [columns] = useState(() => materialColumns(setDeleting));
  return (
    <Stack spacing={2}>
      <DocumentTabs />
      {/* Visually redundant with the tab. */}
      <Box sx={visuallyHidden}>
        <PageHeading title="DMCA notices">DMCA notices</PageHeading>
      </Box>
      <RecordList<ListedNotice>
        resource="notices"
        storeKey="notice-material"
        of={["notice", "notices"]}
        columns={columns}
        pageSizes={[25]}
        to={({ id }) => paths.notice(id)}
        filters={<NoticeFilters />}
      />
      {deleting && <DeleteDialog notice={deleting} onClose={() => setDeleting(undefined)} />}
    </Stack>
  );
}

function Material({ notice: { kind, targets } }: { readonly notice: ListedNotice }) {
  if (targets.length === 0) return kind === "takedown" ? "Nothing linked yet" : "None";
  return targets.map(({ report_id, report_number, copy_id }, n) => (
    <Fragment key={`${report_id} ${copy_id}`}>
      {n > 0 && "; "}
      <Link to={paths.report(report_id)}>
        {report_number}
        {copy_id && ", one picture"}
      </Link>
    </Fragment>
  ));
}
