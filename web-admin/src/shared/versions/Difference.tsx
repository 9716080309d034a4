import Box from "@mui/material/Box";
import { useMemo } from "react";
import { color } from "#theme/color.ts";
import { counted } from "../formats.ts";
import { diffLines, folded } from "./line-diff.ts";

const SIGNS = { same: " ", removed: "−", added: "+" } as const;
const GROUNDS = { same: undefined, removed: color.warningTint, added: color.settledTint } as const;
const ELEMENTS = { same: "span", removed: "del", added: "ins" } as const;

export interface DifferenceProps {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Says which two texts are compared. */
  readonly label: string;
}

/** What differs between two versions of a text, line by line. */
export function Difference({ before, after, label }: DifferenceProps) {
  const shown = useMemo(() => folded(diffLines(before, after)), [before, after]);
  return (
    <Box
      component="ol"
      aria-label={label}
      sx={{ m: 0, p: 0, listStyle: "none", border: `1px solid ${color.line}`, fontSize: 14 }}
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
