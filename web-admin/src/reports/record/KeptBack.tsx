import LockIcon from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { color } from "#theme/color.ts";
import { KeyHint } from "../../shared/KeyHint.tsx";
import type { Reveal } from "./use-reveal.ts";

export interface KeptBackProps {
  readonly reveal: Reveal;
  /** Whether revealed data can be hidden again. It cannot while a form holds it. */
  readonly canHide?: boolean;
  /** The key that reveals it, where one does. */
  readonly hint?: string | undefined;
}

/** Says that data is hidden, and reveals it. */
export function KeptBack({ reveal, canHide = true, hint }: KeptBackProps) {
  const { full, running, open, hide, dialog } = reveal;
  return (
    <Box
      component="section"
      aria-label="Hidden data"
      sx={{
        display: "flex",
        columnGap: 1,
        alignItems: "center",
        px: 2,
        py: 0.25,
        bgcolor: color.privateTint,
        borderTop: `1px solid ${color.privateLine}`,
      }}
    >
      <LockIcon sx={{ color: color.private, fontSize: 20 }} />
      <Typography sx={{ flex: 1 }}>
        {full
          ? `Hidden data is visible${canHide ? ", highlighted" : " in the form"}. This view is recorded.`
          : "Some data is hidden or masked. Revealing it is recorded."}
      </Typography>
      {full && canHide && <Button onClick={hide}>Hide data</Button>}
      {!full && (
        <Button
          loading={running}
          onClick={() => void open()}
          endIcon={hint && <KeyHint>{hint}</KeyHint>}
        >
          Reveal all
        </Button>
      )}
      {dialog}
    </Box>
  );
}
