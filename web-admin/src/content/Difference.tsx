import Box from "@mui/material/Box";
import { useMemo } from "react";
import type { ContentKind } from "#contracts/content/content-rules.ts";
import type { ContentText } from "#contracts/http/admin-content.ts";
import { color } from "#theme/tokens.ts";
import { counted } from "../shared/formats.ts";
import { diffLines, folded } from "./line-diff.ts";
import { textLines } from "./text-words.ts";

const SIGNS = { same: " ", removed: "−", added: "+" } as const;
const GROUNDS = { same: undefined, removed: color.warningTint, added: color.settledTint } as const;
const ELEMENTS = { same: "span", removed: "del", added: "ins" } as const;

export interface DifferenceProps {
  readonly kind: ContentKind;
  readonly before: ContentText;
  readonly after: ContentText;
  /** Says which two texts are compared. */
  readonly label: string;
}

/** What differs between two versions of a text, line by line. */
export function Difference({ kind, before, after, label }: DifferenceProps) {
  const shown = useMemo(
    () => folded(diffLines(textLines(kind, before), textLines(kind, after))),
    [kind, before, after],
  );
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
