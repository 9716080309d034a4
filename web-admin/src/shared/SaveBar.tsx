import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Failure } from "./states.tsx";
import { SAVE_BAR } from "./theme.ts";

/** The bar at the bottom of a form: status, error and buttons. */
export function SaveBar(props: {
  readonly status: string;
  readonly failure?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Box
      className={SAVE_BAR}
      sx={{
        position: "sticky",
        bottom: 0,
        zIndex: 10,
        p: 2,
        display: "flex",
        alignItems: "center",
        justifyContent: "flex-end",
        gap: 1,
        flexWrap: "wrap",
        bgcolor: "background.paper",
        border: 1,
        borderColor: "divider",
        // Fits three buttons on one line at 360 pixels.
        "& .MuiButton-root": { px: { xs: 1.5, sm: 2 } },
      }}
    >
      <Failure sx={{ flex: "1 1 100%" }}>{props.failure}</Failure>
      <Typography
        role="status"
        color="textSecondary"
        sx={{ flex: { xs: "1 1 100%", sm: "1 1 0" }, "&:empty": { flexBasis: 0 } }}
      >
        {props.status}
      </Typography>
      {props.children}
    </Box>
  );
}
