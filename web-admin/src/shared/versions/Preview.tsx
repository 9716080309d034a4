import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError, loadFailureText } from "../../data/api-error.ts";
import { Section } from "../page.tsx";
import { useProvider } from "../reads.ts";
import { RetryAlert } from "../states.tsx";
import { useDebounced } from "../use-paused.ts";

/** Debounce in milliseconds before the server renders what is typed. */
const PAUSE_MS = 500;

/** A preview of what is typed, rendered by the server. */
export function Preview<T extends object>(props: {
  readonly title: string;
  readonly url: string;
  readonly source: Readonly<Record<string, string>>;
  readonly empty: string;
  readonly children: (rendered: T) => ReactNode;
}) {
  const { title, url, empty, children } = props;
  const provider = useProvider();
  const asked = useDebounced(JSON.stringify(props.source), PAUSE_MS);
  const source: Record<string, string> = JSON.parse(asked);
  const isWritten = Object.values(source).every((part) => part.trim() !== "");
  const { data, error, refetch } = useQuery({
    queryKey: ["preview", url, asked],
    queryFn: async () => (await provider.command<T>(url, source)).data,
    enabled: isWritten,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  // An empty response means the session has ended; the sign-in page follows.
  const isRendered = data !== undefined && Object.keys(data).length > 0;
  return (
    <Section title={title}>
      {!isWritten && <Typography color="textSecondary">{empty}</Typography>}
      {isWritten && error && <Refused error={error} onRetry={() => void refetch()} />}
      {isWritten && !error && isRendered && children(data)}
    </Section>
  );
}

function Refused({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  if (fields.length > 0)
    return (
      <Alert severity="warning">
        {fields.map(([field, sentence]) => (
          <Box key={field} sx={{ "&::first-letter": { textTransform: "uppercase" } }}>
            {field}: {sentence || error.message}
          </Box>
        ))}
      </Alert>
    );
  return <RetryAlert onRetry={onRetry}>{loadFailureText("the preview", error)}</RetryAlert>;
}
