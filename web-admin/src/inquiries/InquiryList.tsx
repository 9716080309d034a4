import { LISTED_KINDS, type ListedInquiry } from "#contracts/http/admin-inquiries.ts";
import { INQUIRY_STATUSES } from "#contracts/inquiry/inquiry-status.ts";
import { paths } from "../config/paths.ts";
import { Deadline } from "../shared/cases/Deadline.tsx";
import { counted } from "../shared/formats.ts";
import { type Column, dayColumn, linkColumn, wordColumn } from "../shared/list/columns.tsx";
import { ListFilters, SelectFilter } from "../shared/list/filters.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { againstPromise } from "./labels.ts";

const COLUMNS: readonly Column<ListedInquiry>[] = [
  linkColumn("number", "Number", paths.inquiry, { width: 152 }),
  {
    source: "email",
    label: "Email",
    phone: "hidden",
    render: ({ email }) => email || "Address erased",
  },
  wordColumn("kind", "Kind", LISTED_KINDS, { width: 188 }),
  wordColumn("status", "Status", INQUIRY_STATUSES, { width: 104, phone: "end" }),
  {
    source: "answer_by",
    label: "Answer due",
    width: 140,
    phone: "end",
    render: (inquiry) => <Deadline of={againstPromise(inquiry, Date.now())} />,
  },
  dayColumn("received_at", "Received", { width: 116, phone: "hidden" }),
  {
    source: "attached",
    label: "Attached",
    width: 140,
    phone: "hidden",
    render: ({ has_document, notes }) =>
      [has_document && "Document", notes > 0 && counted(notes, "note", "notes")]
        .filter(Boolean)
        .join(", ") || "Nothing",
  },
];

/** Inquiries sent with the forms for companies and agencies. */
export function InquiryList() {
  return (
    <RecordList<ListedInquiry>
      resource="inquiries"
      of={["inquiry", "inquiries"]}
      columns={COLUMNS}
      pageSizes={[25]}
      to={({ id }) => paths.inquiry(id)}
      filters={
        <ListFilters>
          <SelectFilter source="kind" label="Kind" options={LISTED_KINDS} />
          <SelectFilter source="status" label="Status" options={INQUIRY_STATUSES} />
          <SelectFilter source="overdue" label="Answer due" options={{ yes: "Late" }} />
        </ListFilters>
      }
    />
  );
}
