import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useDataProvider } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { LISTED_KINDS, type ListedInquiry } from "#contracts/http/admin-inquiries.ts";
import { INQUIRY_STATUSES } from "#contracts/inquiry/inquiry-status.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { type Columns, useColumns } from "../shared/columns/use-columns.ts";
import { counted } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
import { ListFilter } from "../shared/ListFilter.tsx";
import { PagedList } from "../shared/PagedList.tsx";
import { usePages } from "../shared/use-pages.ts";
import { InTime } from "./InTime.tsx";

const COLUMNS = ["Email", "Kind", "Received", "Status", "Notes"] as const;
type Shown = Columns<(typeof COLUMNS)[number]>;

/** What companies and agencies sent by the forms. */
export function InquiryList() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const list = usePages("inquiries", ["kind", "status", "overdue"], provider.inquiries);
  const columns = useColumns("inquiries", COLUMNS);
  return (
    <PagedList
      list={list}
      what="inquiries"
      columns={columns}
      filters={
        <>
          <ListFilter
            list={list}
            name="kind"
            label="Kind"
            options={Object.entries(LISTED_KINDS)}
            width={230}
          />
          <ListFilter
            list={list}
            name="status"
            label="Status"
            options={Object.entries(INQUIRY_STATUSES)}
          />
          <ListFilter
            list={list}
            name="overdue"
            label="Promised answer"
            options={[["yes", "Late"]]}
            width={180}
          />
        </>
      }
    >
      {list.pages?.flatMap(({ inquiries }) =>
        inquiries.map((inquiry) => <Row key={inquiry.id} inquiry={inquiry} columns={columns} />),
      ) ?? []}
    </PagedList>
  );
}

function Row({ inquiry, columns }: { readonly inquiry: ListedInquiry; readonly columns: Shown }) {
  const { id, number, kind, status, email, has_document, notes, received_at } = inquiry;
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        gap: 1,
        gridTemplateColumns: { md: "minmax(0, 2fr) minmax(0, 2fr) minmax(0, 2fr)" },
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Link
          component={RouterLink}
          to={paths.inquiry(id)}
          sx={{ fontWeight: 600, display: "inline-block", py: 1.25, my: -1.25 }}
        >
          {number}
        </Link>
        {columns.shows("Email") && (
          <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
            {email || "Address erased"}
          </Typography>
        )}
      </Box>
      <Box>
        {columns.shows("Kind") && <Typography>{LISTED_KINDS[kind]}</Typography>}
        {columns.shows("Received") && (
          <Typography color="textSecondary">
            Received <Instant at={received_at} />
            {has_document && ", with a document"}
          </Typography>
        )}
      </Box>
      <Box>
        {columns.shows("Status") && (
          <>
            <Typography sx={{ fontWeight: 600 }}>{INQUIRY_STATUSES[status]}</Typography>
            <InTime inquiry={inquiry} />
          </>
        )}
        {columns.shows("Notes") && notes > 0 && (
          <Typography color="textSecondary">{counted(notes, "note", "notes")}</Typography>
        )}
      </Box>
    </Box>
  );
}
