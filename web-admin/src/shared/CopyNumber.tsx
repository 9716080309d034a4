import CopyIcon from "@mui/icons-material/ContentCopy";
import Button from "@mui/material/Button";
import { useNotify } from "react-admin";
import { reportNumber } from "#contracts/report/masks.ts";

/** A report's number, as emails and notices have it; a press copies it. */
export function CopyNumber({ id }: { readonly id: string }) {
  const notify = useNotify();
  const number = reportNumber(id);
  return (
    <Button
      size="small"
      aria-label={`Copy number ${number}`}
      onClick={() =>
        void navigator.clipboard.writeText(number).then(
          () => notify("Number copied", { type: "success" }),
          () => notify("Couldn't copy the number", { type: "error" }),
        )
      }
      endIcon={<CopyIcon sx={{ fontSize: 16 }} />}
      sx={{
        px: 0.5,
        mx: -0.5,
        minHeight: { xs: 44, md: 28 },
        fontWeight: 400,
        fontVariantNumeric: "tabular-nums",
        color: "text.secondary",
      }}
    >
      {number}
    </Button>
  );
}
