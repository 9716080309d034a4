import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import type { ReactNode } from "react";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { messageOf } from "../data/api-error.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { useSettings } from "../shared/use-settings.ts";

/** What is made of the settings once they are here: until then that they come, or why they do not. */
export function LoadedSettings(props: {
  /** The sentence when they cannot be read. */
  readonly failed: string;
  readonly children: (settings: SystemSettings) => ReactNode;
}) {
  const { failed, children } = props;
  const { data, error, isPending, refetch } = useSettings();
  if (data) return children(data);
  if (isPending)
    return (
      <Delayed>
        <LinearProgress aria-label="Loading the settings" />
      </Delayed>
    );
  const why = messageOf(error, "");
  return (
    <Alert
      severity="error"
      action={
        <Button color="inherit" onClick={() => void refetch()}>
          Try again
        </Button>
      }
    >
      {why ? `${failed}: ${why}` : failed}
    </Alert>
  );
}
