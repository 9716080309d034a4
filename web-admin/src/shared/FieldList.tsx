import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { color } from "#theme/color.ts";
import { MarkedText } from "./MarkedText.tsx";

export interface Field {
  readonly label: string;
  /** If undefined, the field is left out. */
  readonly value: ReactNode;
  /** Hidden in lists and from the public; shown after a reveal. */
  readonly kept?: boolean;
  /** Whether it has to stay on one line. */
  readonly isWhole?: true;
  /** The report's own order numbers, if private and abusive text is to be marked. */
  readonly own?: readonly string[];
}

/** A definition list with labels on the left. On narrow screens, values are below the labels. */
export function FieldList({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <Box
      component="dl"
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "200px minmax(0, 1fr)" },
        columnGap: 2,
        "& dt": { color: "text.secondary", py: { xs: 0, sm: 0.75 }, pt: 0.75 },
        "& dd": {
          py: 0.75,
          pt: { xs: 0, sm: 0.75 },
          overflowWrap: "anywhere",
          whiteSpace: "pre-wrap",
        },
        "& dd[data-kept]": { bgcolor: color.privateTint, px: 1, mx: -1 },
      }}
    >
      {fields
        .filter(({ value }) => value !== undefined)
        .map(({ label, value, kept, own }) => (
          <Box key={label} sx={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd data-kept={kept ? "" : undefined}>
              {own && typeof value === "string" ? <MarkedText text={value} own={own} /> : value}
            </dd>
          </Box>
        ))}
    </Box>
  );
}
