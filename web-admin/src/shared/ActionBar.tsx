import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { color } from "#theme/color.ts";

/** What can be done with what is edited above, always in sight. */
export function ActionBar(props: {
  /** Why the last of it failed. */
  readonly failure: string | undefined;
  /** How what is edited stands. */
  readonly standing: string;
  /** Buttons. */
  readonly children: ReactNode;
}) {
  const { failure, standing, children } = props;
  return (
    <Box
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
        border: `1px solid ${color.line}`,
      }}
    >
      {failure && (
        <Alert severity="error" role="alert" sx={{ flex: "1 1 100%" }}>
          {failure}
        </Alert>
      )}
      <Typography
        sx={{ flex: { xs: "1 1 100%", sm: "1 1 0" } }}
        color="textSecondary"
        role="status"
      >
        {standing}
      </Typography>
      {children}
    </Box>
  );
}
