import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import type { PrivatePlace } from "#contracts/report/private-text/find-private-text.ts";
import { color } from "#theme/color.ts";
import { MarkedText } from "./MarkedText.tsx";

export interface Field {
  readonly label: string;
  readonly value: ReactNode;
  /** Hidden in lists and from the public; shown after a reveal. */
  readonly kept?: boolean;
  /** Places of a text that look private. */
  readonly places?: readonly PrivatePlace[];
}

/** A definition list: names left, values right. On narrow screens values are below the names. */
export function FieldList({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: "grid",
        gridTemplateColumns: { xs: "1fr", sm: "200px minmax(0, 1fr)" },
        "& dt": { color: "text.secondary", py: { xs: 0, sm: 0.75 }, pt: 0.75 },
        "& dd": {
          m: 0,
          py: 0.75,
          pt: { xs: 0, sm: 0.75 },
          overflowWrap: "anywhere",
          whiteSpace: "pre-wrap",
        },
        "& dd[data-kept]": { bgcolor: color.privateTint, px: 1, mx: -1 },
      }}
    >
      {fields.map(({ label, value, kept, places }) => (
        <Box key={label} sx={{ display: "contents" }}>
          <dt>{label}</dt>
          <dd data-kept={kept ? "" : undefined}>
            {places && typeof value === "string" ? (
              <MarkedText text={value} places={places} />
            ) : (
              value
            )}
          </dd>
        </Box>
      ))}
    </Box>
  );
}
