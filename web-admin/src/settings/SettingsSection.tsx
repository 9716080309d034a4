import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Section } from "../shared/Section.tsx";
import { SettingsForm } from "./SettingsForm.tsx";

const FAILED = "Failed to load system data";

/** The registry's settings, on the page of the system. */
export function SettingsSection() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["settings"],
    queryFn: async () => (await provider.settings()).data,
    // What is typed is never replaced behind somebody's back.
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const why = messageOf(error, "");
  return (
    <Section title="Settings" anchor="settings">
      {isPending && <LinearProgress aria-label="Loading the settings" />}
      {error && !data && (
        <Alert
          severity="error"
          action={
            <Button color="inherit" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {why ? `${FAILED}: ${why}` : FAILED}
        </Alert>
      )}
      {data && <SettingsForm settings={data} />}
    </Section>
  );
}
