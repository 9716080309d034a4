import Box from "@mui/material/Box";
import { Fragment, useMemo } from "react";
import { color } from "#theme/color.ts";
import { markedPlaces } from "./marked-places.ts";

interface MarkedTextProps {
  readonly text: string;
  /** The report's own order and tracking numbers. */
  readonly own: readonly string[];
}

/** A text with private and abusive parts highlighted and labeled. */
export function MarkedText({ text, own }: MarkedTextProps) {
  const places = useMemo(() => markedPlaces(text, own), [text, own]);
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
              boxDecorationBreak: "clone",
            }}
          >
            {text.slice(place.start, place.end)}
            {/* Excluded from the selection. */}
            <Box component="span" sx={{ userSelect: "none" }}>
              {" "}
              <Box
                component="span"
                sx={{ whiteSpace: "nowrap", typography: "body2", color: "text.secondary" }}
              >
                {place.label}
              </Box>
            </Box>
          </Box>
          {after[i]}
        </Fragment>
      ))}
    </>
  );
}
