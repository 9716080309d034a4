import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { formatSize } from "#contracts/format-size.ts";
import {
  BACKUPS,
  type BackupList,
  type KeptBackup,
  type ListedBackups,
} from "#contracts/http/backups.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { BACKUP_CHECK_ACTION } from "#contracts/system/actions.ts";
import { size } from "#theme/tokens.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { Section } from "../shared/page.tsx";
import { Instant } from "../shared/parts.tsx";
import { useRead } from "../shared/reads.ts";
import { EmptyNote, Failure, RetryAlert } from "../shared/states.tsx";
import { StatsTable } from "../shared/stats/stats.tsx";
import { backupCheckText, failureReason, makerText, stateText } from "./labels.ts";
import { useSystemJob } from "./SystemActions.tsx";

const TITLE = "Backups";

/** The existing backups, their location, and a check for each. */
export function Backups() {
  const { data, error, refetch } = useRead<ListedBackups>(["system", "backups"], BACKUPS);
  const check = useBackupCheck();
  const { isBusy } = check;
  return (
    <Section
      title={TITLE}
      anchor="backups"
      action={
        // Not `disabled` while checking, which would lose the focus.
        <Button aria-disabled={isBusy} onClick={() => check.start()}>
          Refresh List
        </Button>
      }
    >
      {error && (
        <RetryAlert onRetry={refetch}>Couldn't load the backups: {failureReason(error)}</RetryAlert>
      )}
      {data && !data.list && (
        <EmptyNote title="No backups listed yet">
          Create one above, or turn on Auto Backup below. Refresh the list to see those from the
          command line.
        </EmptyNote>
      )}
      {data?.list && data.listed_at && (
        <Listed list={data.list} at={data.listed_at} check={check} />
      )}
      <CheckState check={check} />
    </Section>
  );
}

type BackupCheck = ReturnType<typeof useBackupCheck>;

/** Refreshes the list of backups or verifies one, and follows a check that is already running. */
function useBackupCheck() {
  const [name, setName] = useState<string>();
  const job = useSystemJob((kind) => kind === BACKUP_CHECK_ACTION);
  return {
    ...job,
    /** Name of the backup being verified. */
    name,
    start(backup?: string) {
      if (job.isBusy) return;
      setName(backup);
      void job.start(
        { action: BACKUP_CHECK_ACTION, ...omitUndefined({ backup }) },
        "The check didn't start",
      );
    },
  };
}

function Listed(props: {
  readonly list: BackupList;
  readonly at: string;
  readonly check: BackupCheck;
}) {
  const { list, at, check } = props;
  return (
    <>
      <Box sx={{ mb: 2 }}>
        <FieldList
          fields={[
            { label: "Archives", value: list.archives },
            { label: "Keys", value: list.keys },
            { label: "Last checked", value: <Instant at={at} /> },
          ]}
        />
      </Box>
      {list.backups.length === 0 ? (
        <EmptyNote title="No backups here">
          Create one above, or turn on Auto Backup below.
        </EmptyNote>
      ) : (
        <StatsTable
          label={TITLE}
          columns={["Backup", "Size", "Origin", "Restore", "Check"]}
          rows={list.backups.map((backup) => rowOf(backup, check))}
        />
      )}
    </>
  );
}

function rowOf(backup: KeptBackup, check: BackupCheck) {
  const { isBusy, start } = check;
  const { name, made_at, bytes, state } = backup;
  const failed = !isBusy && check.name === name && check.job?.state === "failed";
  return {
    key: name,
    cells: [
      <Box key="name">
        {made_at && (
          <Box>
            <Instant at={made_at} />
          </Box>
        )}
        <Typography
          component="span"
          variant="body2"
          sx={{ color: "text.secondary", overflowWrap: "anywhere" }}
        >
          {name}
        </Typography>
      </Box>,
      formatSize(bytes),
      makerText(backup),
      <Box
        key="state"
        component="span"
        sx={{ color: state === "opens" && !failed ? undefined : "warning.main" }}
      >
        {failed && state === "opens" ? "Not verified" : stateText(backup)}
      </Box>,
      <Button
        key="verify"
        size="small"
        // Aligns the text with the end of the column.
        sx={{ minWidth: size.target, px: { xs: 0, sm: 1 }, mr: { xs: 0, sm: -1 } }}
        aria-label={`Verify ${name}`}
        aria-disabled={isBusy}
        onClick={() => start(name)}
      >
        Verify
      </Button>,
    ],
  };
}

function CheckState({ check }: { readonly check: BackupCheck }) {
  const { name, job, isBusy, failure, stop } = check;
  if (!job && !isBusy && !failure) return null;
  return (
    <Box sx={{ mt: 2 }}>
      <Failure>{failure}</Failure>
      {isBusy && (
        <>
          <LinearProgress aria-label="Checking backups" />
          <Box sx={{ display: "flex", gap: 2, alignItems: "center", mt: 1 }}>
            <Typography role="status" sx={{ overflowWrap: "anywhere" }}>
              {backupCheckText(name, job)}
            </Typography>
            <Button disabled={!job || job.state === "stopping"} onClick={() => void stop()}>
              Stop
            </Button>
          </Box>
        </>
      )}
      {job && !isBusy && (
        <Alert role="status" severity={job.state === "done" ? "success" : "warning"}>
          {backupCheckText(name, job)}
          {job.lines.map(({ number, message }) => (
            <Box key={number}>{message}</Box>
          ))}
        </Alert>
      )}
    </Box>
  );
}
