import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import type { ListControllerResult } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import type { Deletion, Deletions } from "#contracts/http/report-view.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { DeletionSteps } from "../commands/DeletionSteps.tsx";
import { erasedIn } from "../commands/labels.ts";
import { filtered, paths } from "../config/paths.ts";
import { personName } from "../record/record-fields.ts";
import { ConcernsYou } from "../reports/actions.tsx";
import { StatusTabs } from "../reports/StatusTabs.tsx";
import { formatBoth } from "../shared/formats.ts";
import { deletionReasonText, valueText } from "../shared/labels.ts";
import type { Column } from "../shared/list/columns.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { oneLine } from "../shared/list/RecordRows.tsx";
import { PageHeading } from "../shared/page.tsx";
import { Instant, StatusChip } from "../shared/parts.tsx";
import { useSettings, useStatusCounts } from "../shared/reads.ts";
import { EmptyNote } from "../shared/states.tsx";

const COLUMNS: readonly Column<Deletion>[] = [
  {
    source: "name",
    label: "Name",
    render: (deletion) => (
      <>
        <Link
          component={RouterLink}
          to={paths.report(deletion.id)}
          title={personName(deletion)}
          underline="hover"
        >
          {personName(deletion)}
        </Link>
        <Box
          title={deletion.title}
          sx={{ ...oneLine, color: "text.secondary", display: { xs: "none", lg: "block" } }}
        >
          {deletion.title}
        </Box>
      </>
    ),
  },
  {
    source: "erase_at",
    label: "State",
    width: 120,
    render: ({ erase_at }) => (
      <Box component="span" sx={{ whiteSpace: { lg: "normal" } }}>
        {erase_at ? (
          <>
            Will be erased{" "}
            <time dateTime={erase_at} title={formatBoth(erase_at)}>
              {erasedIn(erase_at, Date.now())}
            </time>
          </>
        ) : (
          "Waiting for another admin"
        )}
      </Box>
    ),
  },
  {
    source: "status",
    label: "Status",
    width: 108,
    phone: "end",
    render: ({ status, report_type }) => (
      <>
        <StatusChip status={status} />
        <Box component="span" sx={{ color: "text.secondary", display: "block" }}>
          {valueText("report_type", report_type)}
        </Box>
      </>
    ),
  },
  {
    source: "reason",
    label: "Reason",
    width: 136,
    render: ({ reason_code }) => (
      <span title={deletionReasonText(reason_code)}>{deletionReasonText(reason_code)}</span>
    ),
  },
  {
    source: "by",
    label: "By",
    width: 116,
    phone: "hidden",
    render: ({ by, by_name, at }) => (
      <>
        {by_name ?? (by === "system" ? "The system" : "An admin")}
        <Box component="span" sx={{ color: "text.secondary", display: "block" }}>
          <Instant at={at} as="day" />
        </Box>
      </>
    ),
  },
  {
    source: "actions",
    label: "Actions",
    width: 280,
    phone: "none",
    render: (deletion) => <Steps deletion={deletion} />,
  },
];

/** Deletions awaiting another admin, and deleted reports until they are erased. */
export function DeletionList() {
  const navigate = useNavigate();
  const { counts } = useStatusCounts();
  const hours = useSettings().data?.eraseHours;
  return (
    <Stack spacing={2}>
      <PageHeading title="Deleted reports">Deleted reports</PageHeading>
      <RecordList<Deletion>
        resource="deletions"
        of={["deletion", "deletions"]}
        label="Deleted"
        columns={COLUMNS}
        perPage={100}
        pageSizes={[100]}
        to={({ id }) => paths.report(id)}
        tabs={({ meta }: ListControllerResult<Deletion>) => (
          <>
            <StatusTabs
              filter={{}}
              isDeleted
              counts={counts}
              onChange={(tab) => navigate(filtered(paths.reports, omitUndefined(tab)))}
            />
            {(meta as Deletions | undefined)?.has_more && (
              <Alert severity="info" sx={{ m: 2 }}>
                Not all reports are shown. Those due to be erased first are listed first.
              </Alert>
            )}
          </>
        )}
        empty={
          <EmptyNote title="No deleted reports">
            A deleted report stays here
            {hours !== undefined && ` for ${hours === 1 ? "1 hour" : `${hours} hours`}`} until it is
            erased. Until then, any admin can undo the deletion.
          </EmptyNote>
        }
      />
    </Stack>
  );
}

function Steps({ deletion }: { readonly deletion: Deletion }) {
  const { id, by, reason_code, erase_at, own } = deletion;
  return (
    <Box sx={{ py: 0.5 }}>
      {own ? (
        <ConcernsYou />
      ) : (
        <DeletionSteps
          id={id}
          name={personName(deletion)}
          by={by}
          reasonCode={reason_code}
          isHidden={erase_at !== undefined}
        />
      )}
    </Box>
  );
}
