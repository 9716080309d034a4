import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { SystemStatus } from "#contracts/http/system.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { formatInstant } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
import { ProcessorTable } from "./ProcessorTable.tsx";
import { ProcessTable } from "./ProcessTable.tsx";
import { SystemTiles } from "./SystemTiles.tsx";
import { failureReason } from "./system-words.ts";

/** Milliseconds between two looks. */
const REFRESH_MS = 5000;

/** What the registry stands on and the processes that run it, renewed while the page is in view. */
export function SystemState() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error, refetch } = useQuery({
    queryKey: ["system", "status"],
    queryFn: async () => (await provider.systemStatus()).data,
    refetchInterval: REFRESH_MS,
    retry: false,
  });
  return (
    <>
      {error && <LoadFailed error={error} shown={data} onRetry={() => void refetch()} />}
      {(data || !error) && (
        <>
          {data && data.old_servers.length > 0 && (
            <Alert severity="warning" role="note">
              {data.old_servers.map((sentence) => (
                <p key={sentence} style={{ margin: 0 }}>
                  {sentence}
                </p>
              ))}
            </Alert>
          )}
          <SystemTiles data={data} />
          <Typography color="textSecondary">
            {data && (
              <>
                Checked <Instant at={data.checked_at} />, updated every {REFRESH_MS / 1000} seconds.
              </>
            )}
          </Typography>
          <ProcessTable processes={data?.processes} asked={data?.asked} />
          <ProcessorTable processors={data?.processors} />
        </>
      )}
    </>
  );
}

function LoadFailed(props: {
  readonly error: Error;
  readonly shown: SystemStatus | undefined;
  readonly onRetry: () => void;
}) {
  const { error, shown, onRetry } = props;
  return (
    <Alert
      severity={shown ? "warning" : "error"}
      action={
        <Button color="inherit" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      Failed to load system data: {failureReason(error)}
      {shown && ` Showing data from ${formatInstant(shown.checked_at)}.`}
    </Alert>
  );
}
