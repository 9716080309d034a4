import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMemo, useState } from "react";
import { color } from "#theme/color.ts";
import { counted } from "../formats.ts";
import { Section } from "../page.tsx";
import { Instant } from "../parts.tsx";
import { useRead } from "../reads.ts";
import { Read } from "../states.tsx";
import { diffLines, folded } from "./line-diff.ts";

const SIGNS = { same: " ", removed: "−", added: "+" } as const;
const GROUNDS = { same: undefined, removed: color.warningTint, added: color.settledTint } as const;
const ELEMENTS = { same: "span", removed: "del", added: "ins" } as const;

interface DifferenceProps {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly label: string;
}

/** The differences between two versions of a text, line by line. */
export function Difference({ before, after, label }: DifferenceProps) {
  const shown = useMemo(() => folded(diffLines(before, after)), [before, after]);
  return (
    <Box
      component="ol"
      aria-label={label}
      sx={{ mt: 1, border: `1px solid ${color.line}`, fontSize: 14 }}
    >
      {shown.map((line, index) => (
        <Box
          component="li"
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity, and never move.
          key={index}
          sx={{ display: "flex", gap: 1, px: 1, minHeight: 24, lineHeight: "24px" }}
          style={"skipped" in line ? {} : { backgroundColor: GROUNDS[line.kind] }}
        >
          {"skipped" in line ? (
            <Box component="span" sx={{ color: color.inkMuted }}>
              {counted(line.skipped, "unchanged line", "unchanged lines")}
            </Box>
          ) : (
            <>
              <Box component="span" aria-hidden="true" sx={{ width: 12, flexShrink: 0 }}>
                {SIGNS[line.kind]}
              </Box>
              <Box
                component={ELEMENTS[line.kind]}
                sx={{ textDecoration: "none", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
              >
                {line.text}
              </Box>
            </>
          )}
        </Box>
      ))}
    </Box>
  );
}

/** An event in the history of a versioned record. */
export interface VersionEvent {
  readonly revision: number;
  readonly type: string;
  readonly at?: string;
  /** Whether the version after this event can be shown and restored. */
  readonly has_text: boolean;
}

interface Compared<T> {
  /** Name of the current version: "draft". */
  readonly present: string;
  /** The current version, as lines. */
  readonly lines: readonly string[];
  readonly url: string;
  readonly linesOf: (version: T) => readonly string[];
}

/** Who changed a record and when, newest first, with buttons to compare and restore each version. */
export function VersionHistory<E extends VersionEvent, T extends object>(
  props: Compared<T> & {
    /** Oldest first. */
    readonly events: readonly E[];
    readonly sentenceOf: (event: E) => string;
    /** Restores a revision; undefined while that would lose unsaved changes. */
    readonly onRestore: ((revision: number) => void) | undefined;
  },
) {
  const { present, sentenceOf, onRestore } = props;
  const [compared, setCompared] = useState<number>();
  const events = props.events.toReversed();
  const latest = events.find((event) => event.has_text)?.revision;
  return (
    <Section title="History">
      {events.length === 0 && <Typography>Unchanged from the default.</Typography>}
      {events.length > 0 && !onRestore && (
        <Typography color="textSecondary">
          Save or discard your changes before you restore a version.
        </Typography>
      )}
      <Box component="ol">
        {events.map((event) => {
          const { revision, at, has_text } = event;
          const isOpen = compared === revision;
          return (
            <Box
              key={revision}
              component="li"
              sx={{ py: 1, "& + &": { borderTop: `1px solid ${color.line}` } }}
            >
              <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
                <Box sx={{ flex: "1 1 200px", minWidth: 0 }}>
                  <Typography>{sentenceOf(event)}</Typography>
                  <Typography color="textSecondary">
                    Revision {revision}
                    {at && ", "}
                    {at && <Instant at={at} />}
                  </Typography>
                </Box>
                {has_text && revision !== latest && (
                  <>
                    <Button
                      aria-expanded={isOpen}
                      aria-label={`Compare revision ${revision} with the ${present}`}
                      onClick={() => setCompared(isOpen ? undefined : revision)}
                    >
                      Compare
                    </Button>
                    <Button
                      aria-label={`Restore revision ${revision}`}
                      disabled={!onRestore}
                      onClick={() => onRestore?.(revision)}
                    >
                      Restore
                    </Button>
                  </>
                )}
              </Box>
              {isOpen && <Comparison {...props} revision={revision} />}
            </Box>
          );
        })}
      </Box>
    </Section>
  );
}

function Comparison<T extends object>(props: Compared<T> & { readonly revision: number }) {
  const { url, lines, linesOf, present, revision } = props;
  const path = `${url}/versions/${revision}`;
  const query = useRead<T>(["version", url, revision], path, { gcTime: 0 });
  return (
    <Read query={query} what="the version">
      {(version) =>
        // No body means the session has ended; the sign-in page follows.
        "body" in version && (
          <Difference
            before={linesOf(version)}
            after={lines}
            label={`Revision ${revision} and the ${present}, compared`}
          />
        )
      }
    </Read>
  );
}
