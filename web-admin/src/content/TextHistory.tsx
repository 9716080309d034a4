import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import type { ContentRecord, ContentVersion } from "#contracts/http/admin-content.ts";
import { color } from "#theme/tokens.ts";
import { loadFailureText } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { formatInstant } from "../shared/formats.ts";
import { Section } from "../shared/Section.tsx";
import { Difference } from "./Difference.tsx";
import { historySentence } from "./text-words.ts";

/** Who changed the text and when, newest first, with each version to compare and to restore. */
export function TextHistory(props: {
  readonly record: ContentRecord;
  /** Restores the version of a revision; undefined while that would lose what is typed. */
  readonly onRestore: ((revision: number) => void) | undefined;
}) {
  const { record, onRestore } = props;
  const [compared, setCompared] = useState<number>();
  const events = record.history.toReversed();
  const draft = events.find((event) => event.has_text)?.revision;
  if (events.length === 0)
    return (
      <Section title="History">
        <Typography>Nobody has changed this text: it is as it came with the software.</Typography>
      </Section>
    );
  return (
    <Section title="History">
      {!onRestore && (
        <Typography color="textSecondary">
          Save or discard your changes before you restore a version.
        </Typography>
      )}
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {events.map((event) => (
          <Box
            key={event.revision}
            component="li"
            sx={{ py: 1, "& + &": { borderTop: `1px solid ${color.line}` } }}
          >
            <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
              <Happened event={event} />
              {event.has_text && event.revision !== draft && (
                <>
                  <Button
                    aria-expanded={compared === event.revision}
                    aria-label={`Compare revision ${event.revision} with the draft`}
                    onClick={() =>
                      setCompared(compared === event.revision ? undefined : event.revision)
                    }
                  >
                    Compare
                  </Button>
                  <Button
                    aria-label={`Restore revision ${event.revision}`}
                    disabled={!onRestore}
                    onClick={() => onRestore?.(event.revision)}
                  >
                    Restore
                  </Button>
                </>
              )}
            </Box>
            {compared === event.revision && <Compared record={record} revision={event.revision} />}
          </Box>
        ))}
      </Box>
    </Section>
  );
}

function Happened({ event }: { readonly event: ContentVersion }) {
  return (
    <Box sx={{ flex: "1 1 200px", minWidth: 0 }}>
      <Typography>{historySentence(event)}</Typography>
      <Typography color="textSecondary">
        Revision {event.revision}
        {event.at && (
          <>
            {", "}
            <time dateTime={event.at}>{formatInstant(event.at)}</time>
          </>
        )}
      </Typography>
    </Box>
  );
}

/** A former version beside the draft. */
function Compared({ record, revision }: { record: ContentRecord; revision: number }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error } = useQuery({
    queryKey: ["content", "version", record.id, revision],
    queryFn: async () => (await provider.textVersion(record.id, revision)).data,
    retry: false,
    gcTime: 0,
  });
  if (error) return <Alert severity="error">{loadFailureText("version", error)}</Alert>;
  if (data?.body === undefined) return <Typography role="status">Loading…</Typography>;
  return (
    <Difference
      kind={record.type}
      before={data}
      after={record.text}
      label={`Revision ${revision} and the draft, compared`}
    />
  );
}
