import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useDataProvider } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { type ListedNotice, NOTICE_KINDS } from "#contracts/http/admin-notices.ts";
import { NOTICE_STATUSES } from "#contracts/notice/notice-rules.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { type Columns, useColumns } from "../shared/columns/use-columns.ts";
import { DeleteNotice } from "../shared/DeleteNotice.tsx";
import { Instant } from "../shared/Instant.tsx";
import { ListFilter } from "../shared/ListFilter.tsx";
import { PagedList } from "../shared/PagedList.tsx";
import { usePages } from "../shared/use-pages.ts";

const COLUMNS = ["Status", "Received", "Material"] as const;
type Shown = Columns<(typeof COLUMNS)[number]>;

/**
 * DMCA notices with the reports and pictures that they are about; each is opened on its page, and deleted once it
 * has ended.
 */
export function NoticeMaterial() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const list = usePages("notices", ["kind", "status"], provider.notices);
  const columns = useColumns("notice-material", COLUMNS);
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
  const { id, number, kind, status, received_at, targets } = notice;
  const material = columns.shows("Material") ? targets : [];
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        gap: 1,
        alignItems: "center",
        gridTemplateColumns: { md: "minmax(0, 2fr) minmax(0, 2fr) 200px" },
      }}
    >
      <Box>
        <Typography sx={{ fontWeight: 600 }}>
          {NOTICE_KINDS[kind]} {number}
        </Typography>
        {columns.shows("Status") && (
          <Typography color="textSecondary">{NOTICE_STATUSES[status]}</Typography>
        )}
        {columns.shows("Received") && (
          <Typography color="textSecondary">
            Received <Instant at={received_at} />
          </Typography>
        )}
      </Box>
      <Box>
        {material.map(({ report_id, report_number, copy_id }) => (
          <Box key={`${report_id} ${copy_id}`}>
            <Link component={RouterLink} to={paths.report(report_id)} sx={{ py: 1.25 }}>
              {report_number}
              {copy_id && ", one picture"}
            </Link>
          </Box>
        ))}
        {columns.shows("Material") && kind === "takedown" && targets.length === 0 && (
          <Typography color="textSecondary">Nothing is linked yet</Typography>
        )}
      </Box>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
        <Button
          component={RouterLink}
          to={paths.notice(id)}
          variant="outlined"
          aria-label={`Open ${number}`}
        >
          Open
        </Button>
        <DeleteNotice notice={notice} />
      </Box>
    </Box>
  );
}
