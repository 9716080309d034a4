import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { color } from "#theme/color.ts";
import { loadFailureText } from "../../data/api-error.ts";
import { Instant } from "../Instant.tsx";
import { Section } from "../Section.tsx";
import { Difference } from "./Difference.tsx";

/** What happened to something that has versions, in one event. */
export interface Happened {
  readonly revision: number;
  /** Who did what. */
  readonly sentence: string;
  readonly at?: string | undefined;
  /** What the event left can be shown and restored. */
  readonly hasText: boolean;
}

export interface VersionHistoryProps {
  /** Oldest first. */
  readonly events: readonly Happened[];
  /** What is said where nothing has happened. */
  readonly empty: string;
  /** What the present version is called: "draft". */
  readonly present: string;
  /** The present version, as lines. */
  readonly lines: readonly string[];
  /** Reads a former version, as lines; undefined once the session has ended. */
  readonly read: (revision: number) => Promise<readonly string[] | undefined>;
  /** Names what has the history, among all that is read. */
  readonly of: readonly string[];
  /** Restores the version of a revision; undefined while that would lose what is typed. */
  readonly onRestore: ((revision: number) => void) | undefined;
}

/** Who changed something and when, newest first, with each version to compare and to restore. */
export function VersionHistory(props: VersionHistoryProps) {
  const { empty, present, onRestore } = props;
  const [compared, setCompared] = useState<number>();
  const events = props.events.toReversed();
  const latest = events.find((event) => event.hasText)?.revision;
  if (events.length === 0)
    return (
      <Section title="History">
        <Typography>{empty}</Typography>
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
              <Event event={event} />
              {event.hasText && event.revision !== latest && (
                <>
                  <Button
                    aria-expanded={compared === event.revision}
                    aria-label={`Compare revision ${event.revision} with the ${present}`}
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
            {compared === event.revision && <Compared {...props} revision={event.revision} />}
          </Box>
        ))}
      </Box>
    </Section>
  );
}

function Event({ event: { revision, sentence, at } }: { readonly event: Happened }) {
  return (
    <Box sx={{ flex: "1 1 200px", minWidth: 0 }}>
      <Typography>{sentence}</Typography>
      <Typography color="textSecondary">
        Revision {revision}
        {at && (
          <>
            {", "}
            <Instant at={at} />
          </>
        )}
      </Typography>
    </Box>
  );
}

/** A former version beside the present one. */
function Compared(
  props: Pick<VersionHistoryProps, "of" | "read" | "lines" | "present"> & {
    readonly revision: number;
  },
) {
  const { of, read, lines, present, revision } = props;
  const { data, error } = useQuery({
    queryKey: [...of, "version", revision],
    queryFn: async () => (await read(revision)) ?? null,
    retry: false,
    gcTime: 0,
  });
  if (error) return <Alert severity="error">{loadFailureText("version", error)}</Alert>;
  if (!data) return <Typography role="status">Loading…</Typography>;
  return (
    <Difference
      before={data}
      after={lines}
      label={`Revision ${revision} and the ${present}, compared`}
    />
  );
}
