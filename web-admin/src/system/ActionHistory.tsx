import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import type { JobSummary } from "#contracts/http/jobs.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Instant } from "../shared/Instant.tsx";
import { Section } from "../shared/Section.tsx";
import { historyWords } from "./action-words.ts";
import { JobLines } from "./JobLines.tsx";
import { failureReason } from "./system-words.ts";

const TITLE = "Action history";

/** What was done with the registry, by whom, when and with what result, the newest first. */
export function ActionHistory({
  jobs,
  error,
}: {
  readonly jobs: readonly JobSummary[];
  readonly error: Error | null;
}) {
  const entries = jobs.flatMap((job) => {
    const words = historyWords(job);
    return words ? [{ job, words }] : [];
  });
  if (!error && entries.length === 0) return null;
  return (
    <Section title={TITLE} anchor="history">
      {error !== null && (
        <Alert severity="error">Couldn't load the history: {failureReason(error)}</Alert>
      )}
      <Box component="ul" aria-label={TITLE} sx={{ listStyle: "none", m: 0, p: 0 }}>
        {entries.map(({ job, words }) => (
          <Entry key={job.id} job={job} words={words} />
        ))}
      </Box>
    </Section>
  );
}

function Entry({ job, words }: { readonly job: JobSummary; readonly words: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: "divider" }}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <Box component="summary" sx={{ py: 1.25, cursor: "pointer" }}>
          {words}
          <Typography component="span" color="textSecondary">
            {" "}
            · {job.by ?? "An admin"} · <Instant at={job.ended_at ?? job.created_at} as="ago" />
          </Typography>
        </Box>
        {isOpen && <Results job={job} />}
      </details>
    </Box>
  );
}

/** The results are read once somebody asks for them. */
function Results({ job: { id, state } }: { readonly job: JobSummary }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error } = useQuery({
    queryKey: ["system", "job", id, state],
    queryFn: () => provider.openJob(id, 0),
    retry: false,
  });
  if (error) return <Typography>Couldn't load the results: {failureReason(error)}</Typography>;
  if (data?.lines.length === 0) return <Typography>No results were recorded.</Typography>;
  return data ? <JobLines label="Earlier results" lines={data.lines} /> : null;
}
