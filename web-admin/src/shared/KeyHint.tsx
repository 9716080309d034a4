import Box from "@mui/material/Box";

/** The shortcut key of the button that contains it. Hidden from screen readers. */
export function KeyHint({ children }: { readonly children: string }) {
  return (
    <span aria-hidden>
      <Key>{children}</Key>
    </span>
  );
}

/** A key, in a text about keys. */
export function Key({ children }: { readonly children: string }) {
  return (
    <Box
      component="kbd"
      sx={{
        fontFamily: "inherit",
        fontSize: 14,
        lineHeight: "20px",
        display: "inline-block",
        minWidth: 20,
        textAlign: "center",
        px: 0.5,
        border: 1,
        borderRadius: 0.5,
        opacity: 0.7,
      }}
    >
      {children}
    </Box>
  );
}
