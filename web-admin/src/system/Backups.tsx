import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useDataProvider } from "react-admin";
import { given } from "#contracts/given.ts";
import type { BackupList, KeptBackup } from "#contracts/http/backups.ts";
import { isEnded } from "#contracts/http/jobs.ts";
import { BACKUP_CHECK_ACTION } from "#contracts/system/actions.ts";
import { size } from "#theme/tokens.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { FigureTable } from "../shared/figures/FigureTable.tsx";
import { Instant } from "../shared/Instant.tsx";
import { Section } from "../shared/Section.tsx";
import { useJob } from "../shared/use-job.ts";
import { checkWords, makerWords, sizeWords, stateWords } from "./backup-words.ts";
import { failureReason } from "./system-words.ts";

const TITLE = "Backups";

/** The backups that are kept, where they are, and a check of each. */
export function Backups() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error, refetch } = useQuery({
    queryKey: ["system", "backups"],
    queryFn: () => provider.backups(),
    retry: false,
  });
  const check = useBackupCheck();
  const { isBusy } = check;
  return (
    <Section
      title={TITLE}
      anchor="backups"
      action={
        // Not `disabled` while it checks: the focus would be lost.
        <Button aria-disabled={isBusy} onClick={() => check.start()}>
          Refresh List
        </Button>
      }
    >
      {error && (
        <Alert
          severity="error"
          action={
            <Button color="inherit" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          Couldn't load the backups: {failureReason(error)}
        </Alert>
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

/** Lists the backups again or verifies one, and follows a check that runs already. */
function useBackupCheck() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [name, setName] = useState<string>();
  const job = useJob(["system", "audit-logs"]);
  const { begin, follow, isBegun, isBusy } = job;
  const { data: recent = [] } = useQuery({
    queryKey: ["system", "jobs"],
    queryFn: () => provider.newestJobs("system"),
  });
  const running = recent.find(
    ({ kind, state }) => kind === BACKUP_CHECK_ACTION && !isEnded(state),
  )?.id;
  useEffect(() => {
    if (!isBegun && running) follow(running);
  }, [isBegun, running, follow]);
  return {
    ...job,
    name,
    start(backup?: string) {
      if (isBusy) return;
      setName(backup);
      const action = BACKUP_CHECK_ACTION;
      void begin(
        () => provider.startAction({ action, ...given({ backup }) }),
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
      <Box
        component="dl"
        sx={{
          display: "grid",
          gridTemplateColumns: { sm: "max-content minmax(0, 1fr)" },
          columnGap: 2,
          m: 0,
          mb: 2,
          "& dt": { color: "text.secondary" },
          "& dd": { m: 0, overflowWrap: "anywhere" },
        }}
      >
        <dt>Archives</dt>
        <dd>{list.archives}</dd>
        <dt>Keys</dt>
        <dd>{list.keys}</dd>
        <dt>Last checked</dt>
        <dd>
          <Instant at={at} />
        </dd>
      </Box>
      {list.backups.length === 0 ? (
        <EmptyNote title="No backups here">
          Create one above, or turn on Auto Backup below.
        </EmptyNote>
      ) : (
        <FigureTable
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
      sizeWords(bytes),
      makerWords(backup),
      <Box
        key="state"
        component="span"
        sx={{ color: state === "opens" && !failed ? undefined : "warning.main" }}
      >
        {failed && state === "opens" ? "Not verified" : stateWords(backup)}
      </Box>,
      <Button
        key="verify"
        size="small"
        // The word ends where its column does.
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

/** How a check goes, and what came of it. */
function CheckState({ check }: { readonly check: BackupCheck }) {
  const { name, job, isBusy, failure, stop } = check;
  if (!job && !isBusy && !failure) return null;
  return (
    <Box sx={{ mt: 2 }}>
      {failure && <Alert severity="error">{failure}</Alert>}
      {isBusy && (
        <>
          <LinearProgress aria-label="Checking backups" />
          <Box sx={{ display: "flex", gap: 2, alignItems: "center", mt: 1 }}>
            <Typography role="status" sx={{ overflowWrap: "anywhere" }}>
              {checkWords(name, job)}
            </Typography>
            <Button disabled={!job || job.state === "stopping"} onClick={() => void stop()}>
              Stop
            </Button>
          </Box>
        </>
      )}
      {job && !isBusy && (
        <Alert
          role="status"
          severity={job.state === "done" ? "success" : "warning"}
          sx={{ overflowWrap: "anywhere" }}
        >
          {checkWords(name, job)}
          {job.lines.map(({ number, message }) => (
            <Box key={number}>{message}</Box>
          ))}
        </Alert>
      )}
    </Box>
  );
}
