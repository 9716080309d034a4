import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useDataProvider } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { type ListedNotice, NOTICE_KINDS } from "#contracts/http/admin-notices.ts";
import { NOTICE_STATUSES } from "#contracts/notice/notice-rules.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { type Columns, useColumns } from "../shared/columns/use-columns.ts";
import { counted } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
import { ListFilter } from "../shared/ListFilter.tsx";
import { PagedList } from "../shared/PagedList.tsx";
import { usePages } from "../shared/use-pages.ts";
import { NoticeClock } from "./NoticeClock.tsx";

const COLUMNS = ["Email", "Kind", "Received", "Status", "Notes"] as const;
type Shown = Columns<(typeof COLUMNS)[number]>;

/** DMCA notices and counter-notices. */
export function NoticeList() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const list = usePages("notices", ["kind", "status", "overdue"], provider.notices);
  const columns = useColumns("notices", COLUMNS);
  return (
    <PagedList
      list={list}
      what="notices"
      columns={columns}
      filters={
        <>
          <ListFilter
            list={list}
            name="kind"
            label="Kind"
            options={Object.entries(NOTICE_KINDS)}
            width={210}
          />
          <ListFilter
            list={list}
            name="status"
            label="Status"
            options={Object.entries(NOTICE_STATUSES)}
            width={210}
          />
          <ListFilter
            list={list}
            name="overdue"
            label="Time"
            options={[
              ["yes", "Late"],
              ["soon", "Late, or due within a day"],
            ]}
            width={230}
          />
        </>
      }
    >
      {list.pages?.flatMap(({ notices }) =>
        notices.map((notice) => <Row key={notice.id} notice={notice} columns={columns} />),
      ) ?? []}
    </PagedList>
  );
}

function Row({ notice, columns }: { readonly notice: ListedNotice; readonly columns: Shown }) {
  const { id, number, kind, status, email, notes, received_at } = notice;
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
          to={paths.notice(id)}
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
        {columns.shows("Kind") && <Typography>{NOTICE_KINDS[kind]}</Typography>}
        {columns.shows("Received") && (
          <Typography color="textSecondary">
            Received <Instant at={received_at} />
          </Typography>
        )}
      </Box>
      <Box>
        {columns.shows("Status") && (
          <>
            <Typography sx={{ fontWeight: 600 }}>{NOTICE_STATUSES[status]}</Typography>
            <NoticeClock notice={notice} />
          </>
        )}
        {columns.shows("Notes") && notes > 0 && (
          <Typography color="textSecondary">{counted(notes, "note", "notes")}</Typography>
        )}
      </Box>
    </Box>
  );
}
