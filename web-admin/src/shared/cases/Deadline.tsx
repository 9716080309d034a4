import Box from "@mui/material/Box";

/** How an inquiry or a notice stands against its time. */
export function Deadline({
  of,
}: {
  readonly of: { readonly text: string; readonly isLate: boolean };
}) {
  return (
    <Box
      sx={{
        color: of.isLate ? "error.main" : "text.secondary",
        fontWeight: of.isLate ? 600 : undefined,
        display: "inline-block",
        "&::first-letter": { textTransform: "uppercase" },
      }}
    >
      {of.text}
    </Box>
  );
}
