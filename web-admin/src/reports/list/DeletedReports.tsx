import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Paper from "@mui/material/Paper";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider, useRequireAccess } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { given } from "#contracts/given.ts";
import type { Deletion } from "#contracts/http/report-view.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { paths } from "../../config/paths.ts";
import { loadFailureText } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { Delayed } from "../../shared/Delayed.tsx";
import { EmptyNote } from "../../shared/EmptyNote.tsx";
import { formatBoth } from "../../shared/formats.ts";
import { Instant } from "../../shared/Instant.tsx";
import { deletionReasonText, valueText } from "../../shared/labels.ts";
import { PageHeading } from "../../shared/PageHeading.tsx";
import { StatusChip } from "../../shared/StatusChip.tsx";
import { useSettings } from "../../shared/use-settings.ts";
import { useStatusCounts } from "../../shared/use-status-counts.ts";
import { erasedIn } from "../commands/labels.ts";
import { DeletionSteps } from "../record/DeletionSteps.tsx";
import { personName } from "../record/person-name.ts";
import { StatusTabs } from "./StatusTabs.tsx";

/** Deletions that wait for another admin, and deleted reports until they are erased. */
export function DeletedReports() {
  const { isPending: isChecking } = useRequireAccess({ resource: "reports", action: "list" });
  const provider = useDataProvider<ConsoleDataProvider>();
  const navigate = useNavigate();
  const { counts } = useStatusCounts();
  const hours = useSettings().data?.eraseHours;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["reports", "deletions"],
    queryFn: () => provider.deletions(),
    enabled: !isChecking,
    retry: false,
  });
  const all = data?.deletions ?? [];
  const parts = [
    ["Waiting for another admin", all.filter(({ erase_at }) => erase_at === undefined)],
    ["Deleted", all.filter(({ erase_at }) => erase_at !== undefined)],
  ] as const;
  return (
    <Stack spacing={2}>
      <PageHeading title="Deleted reports">Deleted reports</PageHeading>
      <Paper sx={{ border: 1, borderColor: "divider" }}>
        <StatusTabs
          filter={{}}
          isDeleted
          counts={counts}
          onChange={(tab) => {
            const filter = JSON.stringify(given(tab));
            navigate(`${paths.reports}?${new URLSearchParams({ filter })}`);
          }}
        />
        {isPending && (
          <Delayed>
            <LinearProgress aria-label="Loading deletions" />
          </Delayed>
        )}
        {error && (
          <Alert
            severity="error"
            action={
              <Button color="inherit" onClick={() => void refetch()}>
                Try again
              </Button>
            }
          >
            {loadFailureText("deletions", error)}
          </Alert>
        )}
        {data?.has_more && (
          <Alert severity="info" sx={{ m: 2 }}>
            There are more than these. Those that are erased first come first.
          </Alert>
        )}
        {data && all.length === 0 && (
          <EmptyNote title="No deleted reports">
            <Typography>
              A deleted report stays here
              {hours !== undefined && ` for ${hours === 1 ? "1 hour" : `${hours} hours`}`} until it
              is erased. Until then, any admin can undo the deletion.
            </Typography>
          </EmptyNote>
        )}
        {parts.map(
          ([title, deletions]) =>
            deletions.length > 0 && (
              <Box component="section" key={title} aria-label={title}>
                <Typography variant="h2" sx={{ px: 2, pt: 2, pb: 1 }}>
                  {title} ({deletions.length})
                </Typography>
                <Box component="ul" aria-label={title} sx={{ m: 0, p: 0, listStyle: "none" }}>
                  {deletions.map((deletion) => (
                    <Row key={deletion.id} deletion={deletion} />
                  ))}
                </Box>
              </Box>
            ),
        )}
      </Paper>
    </Stack>
  );
}

function Row({ deletion }: { readonly deletion: Deletion }) {
  const { id, title, report_type, status, by, by_name, at, reason_code, erase_at, own } = deletion;
  const name = personName(deletion);
  return (
    <Box
      component="li"
      sx={{
        p: 2,
        display: "grid",
        gap: 2,
        gridTemplateColumns: { md: "minmax(0, 2fr) minmax(0, 2fr) minmax(0, 2fr)" },
        borderTop: 1,
        borderColor: "divider",
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Link
          component={RouterLink}
          to={paths.report(id)}
          sx={{
            fontWeight: 600,
            display: "inline-block",
            py: 1.25,
            my: -1.25,
            overflowWrap: "anywhere",
          }}
        >
          {name}
        </Link>
        <Typography sx={{ overflowWrap: "anywhere" }}>{title}</Typography>
        <Box sx={{ display: "flex", gap: 1, alignItems: "center", mt: 0.5, flexWrap: "wrap" }}>
          <StatusChip status={status} />
          <Typography component="span" color="textSecondary">
            {valueText("report_type", report_type)}
          </Typography>
        </Box>
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Typography>{deletionReasonText(reason_code)}</Typography>
        <Typography color="textSecondary">
          {erase_at ? "Deleted" : "Requested"} by{" "}
          {by_name ?? (by === "system" ? "the system" : "an admin")}
          <br />
          <Instant at={at} />
        </Typography>
      </Box>
      <Box sx={{ display: "grid", gap: 1, alignContent: "start" }}>
        {erase_at && (
          <Typography>
            Will be erased{" "}
            <time dateTime={erase_at} title={formatBoth(erase_at)}>
              {erasedIn(erase_at, Date.now())}
            </time>
          </Typography>
        )}
        {own ? (
          <Typography color="textSecondary">{OWN_REPORT}</Typography>
        ) : (
          <DeletionSteps
            id={id}
            name={name}
            by={by}
            reasonCode={reason_code}
            isHidden={erase_at !== undefined}
          />
        )}
      </Box>
    </Box>
  );
}
