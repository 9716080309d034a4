import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { usePermissions } from "react-admin";
import type { Role } from "#contracts/http/account.ts";
import { counted } from "../shared/formats.ts";
import { roleText } from "../shared/labels.ts";
import { PageHeading, Section, SystemTabs } from "../shared/page.tsx";
import { useProvider } from "../shared/reads.ts";
import { type Outcome, runChecks } from "./connectivity.ts";

const TITLE = "Connectivity Test";

/** Tests whether the console can reach its APIs, and whether the registry's dependencies work. */
export function TestPage() {
  const { permissions: role } = usePermissions<Role>();
  const provider = useProvider();
  const { data, isFetching, refetch } = useQuery({
    queryKey: ["system", "test"],
    queryFn: () => runChecks(provider),
    retry: false,
  });
  const failed = data?.filter(({ isWell }) => !isWell).length ?? 0;
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <SystemTabs />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, alignItems: "center" }}>
        <Box sx={{ flex: 1 }}>
          <PageHeading title={TITLE}>{TITLE}</PageHeading>
        </Box>
        <Button variant="contained" disabled={isFetching} onClick={() => void refetch()}>
          Run again
        </Button>
      </Box>
      <Typography>
        Your role: <strong>{role ? roleText(role) : "…"}</strong>
      </Typography>
      <Section title="Checks">
        {isFetching && <LinearProgress aria-label="Running checks" />}
        <Box role="status">
          {data && !isFetching && (
            <Typography sx={{ mb: 1 }}>
              {failed === 0
                ? `All ${counted(data.length, "check", "checks")} passed.`
                : `${counted(failed, "check", "checks")} of ${data.length} failed.`}
            </Typography>
          )}
        </Box>
        <Box component="ul">
          {data?.map((outcome) => (
            <Result key={outcome.name} outcome={outcome} />
          ))}
        </Box>
      </Section>
    </Box>
  );
}

function Result({ outcome }: { readonly outcome: Outcome }) {
  const { isWell, words, ms } = outcome;
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: "divider" }}>
      <Alert
        severity={isWell ? "success" : "error"}
        role="presentation"
        sx={{ "&&": { p: 0, border: 0, bgcolor: "transparent" } }}
      >
        {words}
        {ms !== undefined && (
          <Typography component="span" color="textSecondary">
            {" "}
            {ms} ms
          </Typography>
        )}
      </Alert>
    </Box>
  );
}
