import Box from "@mui/material/Box";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import type { FormEventHandler, ReactElement, ReactNode } from "react";
import { productName } from "../config/product.ts";
import { PageHeading } from "../shared/PageHeading.tsx";

interface SignInFrameProps {
  readonly title: string;
  readonly heading: string;
  readonly onSubmit: FormEventHandler;
  readonly children: ReactNode;
}

/** A page with one form, for visitors who are not signed in. */
export function SignInFrame({
  title,
  heading,
  onSubmit,
  children,
}: SignInFrameProps): ReactElement {
  return (
    <Box
      component="main"
      sx={{
        minHeight: "100vh",
        display: "grid",
        placeItems: { xs: "start center", sm: "center" },
        p: 2,
      }}
    >
      <Paper
        component="form"
        noValidate
        onSubmit={onSubmit}
        sx={{
          width: "100%",
          maxWidth: 400,
          p: 3,
          display: "grid",
          gap: 2,
          border: 1,
          borderColor: "divider",
        }}
      >
        <Box>
          <Typography sx={{ color: "primary.main", fontWeight: 600 }}>{productName}</Typography>
          <PageHeading title={title}>{heading}</PageHeading>
        </Box>
        {children}
      </Paper>
    </Box>
  );
}
