import Box from "@mui/material/Box";
import type { ReactNode } from "react";

export interface CardFactsProps<Name extends string> {
  /** What a table would have in its cells, by the names of its columns. */
  readonly facts: readonly (readonly [label: Name, value: ReactNode])[];
  /** Whether a column is shown; all are when absent. */
  readonly shows?: (name: Name) => boolean;
}

/** What a card says of a row: each cell of the table with the name of its column. */
export function CardFacts<Name extends string>({ facts, shows }: CardFactsProps<Name>) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        mt: 0.5,
        display: "grid",
        gridTemplateColumns: "112px minmax(0, 1fr)",
        columnGap: 1.5,
        rowGap: 0.25,
        alignItems: "baseline",
        "& dt": { color: "text.secondary" },
        "& dd": { m: 0, overflowWrap: "anywhere", fontVariantNumeric: "tabular-nums" },
      }}
    >
      {facts
        .filter(([label]) => shows?.(label) ?? true)
        .map(([label, value]) => (
          <Box key={label} sx={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Box>
        ))}
    </Box>
  );
}
