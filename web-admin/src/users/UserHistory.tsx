import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useGetList } from "react-admin";
import type { AuditEntry } from "#contracts/http/audit.ts";
import { messageOf } from "../data/api-error.ts";
import { actionText } from "../shared/action-words.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { Instant } from "../shared/Instant.tsx";
import { Section } from "../shared/Section.tsx";
import { Lines } from "./UserLists.tsx";

const PAGE_SIZE = 25;

/** What happened to the account, who looked at it, and what it did itself, newest first. */
export function UserHistory({ id }: { readonly id: string }) {
  const [shown, setShown] = useState(PAGE_SIZE);
  const { data, total, error, isPending, refetch } = useGetList<AuditEntry>(
    "audit-logs",
    {
      pagination: { page: 1, perPage: shown },
      sort: { field: "timestamp", order: "DESC" },
      filter: { search: id },
    },
    // Lines that are read stay in sight while more are fetched.
    { retry: false, onError: () => undefined, placeholderData: keepPreviousData },
  );
  return (
    <Section title="History">
      {error && (
        <Alert
          severity="error"
          action={
            <Button color="inherit" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          Failed to load the history: {messageOf(error, "Unknown error occurred")}
        </Alert>
      )}
      {isPending && !error && (
        <Delayed>
          <LinearProgress aria-label="Loading the history" />
        </Delayed>
      )}
      {data?.length === 0 && <Typography color="textSecondary">None</Typography>}
      {data && data.length > 0 && (
        <Lines>
          {data.filter(isNew).map((entry) => (
            <Box component="li" key={entry.id}>
              <Typography sx={{ overflowWrap: "anywhere" }}>
                {actionText(entry.action)}: {entry.user_id === id ? "the user" : entry.user}
              </Typography>
              <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
                <Instant at={entry.timestamp} />
                {entry.ipAddress && `, ${entry.ipAddress}`}
              </Typography>
            </Box>
          ))}
        </Lines>
      )}
      {total !== undefined && total > shown && shown < 1000 && (
        <Button sx={{ mt: 1 }} onClick={() => setShown(Math.min(shown + 100, 1000))}>
          Show more
        </Button>
      )}
    </Section>
  );
}

/** Whether the entry tells something after the one before: a command may append several events. */
function isNew(entry: AuditEntry, index: number, all: readonly AuditEntry[]): boolean {
  const before = all[index - 1];
  const { action, user_id, timestamp } = entry;
  return before?.action !== action || before.user_id !== user_id || before.timestamp !== timestamp;
}
