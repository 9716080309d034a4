import LockIcon from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { keptBackWords } from "./kept-back-words.ts";
import type { ShownReport } from "./record-fields.ts";
import type { Reveal } from "./use-reveal.ts";

export interface KeptBackProps {
  readonly report: ShownReport;
  readonly reveal: Reveal;
  /** Whether revealed data can be hidden again. It cannot while a form holds it. */
  readonly canHide?: boolean;
}

/** Says which data is hidden, and reveals it. */
export function KeptBack({ report, reveal, canHide = true }: KeptBackProps) {
  const { full, running, open, hide, dialog } = reveal;
  return (
    <Box
      component="section"
      aria-label="Kept-back data"
      sx={{
        display: "flex",
        gap: 2,
        alignItems: "center",
        flexWrap: "wrap",
        p: 2,
        bgcolor: color.privateTint,
        border: `1px solid ${color.privateLine}`,
        borderRadius: `${radius.small}px`,
      }}
    >
      <LockIcon sx={{ color: color.private }} />
      <Box sx={{ flex: "1 1 300px" }}>
        <Typography sx={{ fontWeight: 600 }}>
          {full ? "Kept-back data is open" : "Some data is kept back or masked"}
        </Typography>
        <Typography>
          {full
            ? `It stands ${canHide ? "tinted below" : "in the form"}. That you opened it is recorded in the history.`
            : `${keptBackWords(report)}. Opening it is recorded in the history, with your name.`}
        </Typography>
      </Box>
      {full && canHide && (
        <Button variant="outlined" onClick={hide}>
          Hide
        </Button>
      )}
      {!full && (
        <Button variant="outlined" loading={running} onClick={() => void open()}>
          Reveal
        </Button>
      )}
      {dialog}
    </Box>
  );
}
