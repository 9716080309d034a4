import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Paper from "@mui/material/Paper";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import type { OpenResolution } from "#contracts/http/resolution.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { paths } from "../config/paths.ts";
import { loadFailureText } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { ColumnsButton } from "../shared/columns/ColumnsButton.tsx";
import { type Columns, useColumns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { counted, formatBoth } from "../shared/formats.ts";
import { ageInWords, wordsOf } from "./resolution-words.ts";

type ShownTab = OpenResolution["stage"] | "all";
const TABS: Readonly<Record<ShownTab, string>> = {
  all: "All",
  requested: "Letter to check",
  letter_accepted: "Fee due",
};

const COLUMNS = ["Letter", "Payment", "Waiting"] as const;
type Shown = Columns<(typeof COLUMNS)[number]>;

/** Open requests for the RESOLVED banner: what staff do about one stands on the page of its report. */
export function Resolutions() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [shown, setShown] = useState<ShownTab>("all");
  const columns = useColumns("resolutions", COLUMNS);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["resolutions"],
    queryFn: async () => (await provider.openResolutions()).data,
    retry: false,
  });
  const all = data?.resolutions ?? [];
  const inTab = (tab: ShownTab) => all.filter(({ stage }) => tab === "all" || stage === tab);
  const listed = inTab(shown);
  return (
    <Paper sx={{ border: 1, borderColor: "divider" }}>
      <Tabs
        value={shown}
        onChange={(_event, tab: ShownTab) => setShown(tab)}
        variant="scrollable"
        aria-label="Requests by what they wait for"
        sx={{
          borderBottom: 1,
          borderColor: "divider",
          px: 1,
          "& .MuiTab-root": { px: 1, minWidth: 0 },
        }}
      >
        {(Object.keys(TABS) as ShownTab[]).map((tab) => (
          <Tab
            key={tab}
            value={tab}
            label={data ? `${TABS[tab]} (${inTab(tab).length})` : TABS[tab]}
          />
        ))}
      </Tabs>
      <Box sx={{ p: 2 }}>
        <ColumnsButton columns={columns} />
      </Box>
      {isPending && (
        <Delayed>
          <LinearProgress aria-label="Loading requests" />
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
          {loadFailureText("requests", error)}
        </Alert>
      )}
      {data?.has_more && (
        <Alert severity="info" sx={{ m: 2 }}>
          There are more than these {all.length}. The oldest stand first.
        </Alert>
      )}
      {data && listed.length === 0 && (
        <EmptyNote title="Nothing waits here">
          <Typography>
            Owners of published reports ask for the RESOLVED banner with a notarized letter.
          </Typography>
        </EmptyNote>
      )}
      <Box component="ul" aria-label="Requests" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {listed.map((request) => (
          <Request key={request.id} request={request} columns={columns} />
        ))}
      </Box>
      <Box role="status" sx={HIDDEN}>
        {data && counted(listed.length, "request", "requests")}
      </Box>
    </Paper>
  );
}

const HIDDEN = {
  position: "absolute",
  width: "1px",
  height: "1px",
  overflow: "hidden",
  clip: "rect(0 0 0 0)",
} as const;

function Request({
  request,
  columns,
}: {
  readonly request: OpenResolution;
  readonly columns: Shown;
}) {
  const { id, number, first_name, last_name, fee, since } = request;
  const { letter, payment, hint } = wordsOf(request);
  const facts = [
    ["Letter", letter],
    ["Payment", `${payment} (${formatMoney(fee.amount, fee.currency)})`],
  ] as const;
  return (
    <Box
      component="li"
      sx={{
        p: 2,
        display: "grid",
        gap: 1,
        gridTemplateColumns: { md: "minmax(0, 2fr) minmax(0, 2fr) minmax(0, 1fr)" },
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
          {first_name} {last_name}
        </Link>
        <Typography color="textSecondary">{number}</Typography>
      </Box>
      <Box
        component="dl"
        sx={{ m: 0, display: "grid", gridTemplateColumns: "max-content 1fr", columnGap: 2 }}
      >
        {facts.flatMap(([label, value]) =>
          columns.shows(label) ? (
            <Box key={label} sx={{ display: "contents" }}>
              <Typography component="dt" color="textSecondary">
                {label}
              </Typography>
              <Typography component="dd" sx={{ m: 0 }}>
                {value}
              </Typography>
            </Box>
          ) : (
            []
          ),
        )}
      </Box>
      <Typography sx={{ textAlign: { md: "right" } }}>
        {columns.shows("Waiting") && (
          <>
            Waiting for{" "}
            <time dateTime={since} title={formatBoth(since)}>
              {ageInWords(since, Date.now())}
            </time>
          </>
        )}
      </Typography>
      {hint && (
        <Typography color="textSecondary" sx={{ gridColumn: "1 / -1" }}>
          {hint}
        </Typography>
      )}
    </Box>
  );
}
