import Box from "@mui/material/Box";
import { Fragment } from "react";
import type { PrivatePlace } from "#contracts/report/private-text/find-private-text.ts";
import { placeLabel } from "#contracts/report/private-text/private-texts.ts";
import { color } from "#theme/color.ts";

export interface MarkedTextProps {
  readonly text: string;
  /** In the order of the text; they do not overlap. */
  readonly places: readonly PrivatePlace[];
}

/** A text in which the places that look private are marked, each with what it looks like. */
export function MarkedText({ text, places }: MarkedTextProps) {
  const after = places.map((_, i) => text.slice(places[i]?.end, places[i + 1]?.start));
  return (
    <>
      {text.slice(0, places[0]?.start)}
      {places.map((place, i) => (
        <Fragment key={place.start}>
          <Box
            component="mark"
            sx={{
              bgcolor: color.warningTint,
              color: "inherit",
              outline: `1px solid ${color.warningLine}`,
              borderRadius: "2px",
              px: 0.25,
            }}
          >
            {text.slice(place.start, place.end)}
            {/* No part of what is selected. */}
            <Box
              component="span"
              sx={{
                userSelect: "none",
                whiteSpace: "nowrap",
                typography: "body2",
                color: "text.secondary",
                pl: 0.75,
              }}
            >
              {placeLabel(place)}
            </Box>
          </Box>
          {after[i]}
        </Fragment>
      ))}
    </>
  );
}
