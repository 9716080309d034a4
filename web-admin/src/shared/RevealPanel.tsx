import LockIcon from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { Failure } from "./states.tsx";

/** Style of content that only staff can see. */
export const PRIVATE = {
  p: 2,
  bgcolor: color.privateTint,
  border: `1px solid ${color.privateLine}`,
  borderRadius: `${radius.small}px`,
} as const;

/** A panel for hidden content with a button to reveal it, which the registry records. */
export function RevealPanel(props: {
  readonly label: string;
  readonly hidden: string;
  readonly visible: string;
  /** Pronoun for the hidden content. */
  readonly it: "it" | "them";
  readonly opening: {
    readonly data: unknown;
    readonly isPending: boolean;
    readonly mutate: () => void;
    readonly reset: () => void;
  };
  readonly failure: string | undefined;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const { label, hidden, visible, it, opening, failure, action, children } = props;
  const isOpen = opening.data !== undefined;
  return (
    <Box component="section" aria-label={label} sx={{ ...PRIVATE, px: { xs: 2, md: 3 } }}>
      <Box sx={{ display: "flex", gap: 2, alignItems: "center", flexWrap: "wrap" }}>
        <LockIcon sx={{ color: color.private }} />
        <Box sx={{ flex: "1 1 240px" }}>
          <Typography sx={{ fontWeight: 600 }}>{isOpen ? visible : hidden}</Typography>
          <Typography>
            {isOpen
              ? "This view is recorded in the history."
              : `Revealing ${it} is recorded in the history, with your name.`}
          </Typography>
        </Box>
        {action}
        {isOpen ? (
          <Button variant="outlined" onClick={opening.reset}>
            Hide
          </Button>
        ) : (
          <Button variant="outlined" loading={opening.isPending} onClick={() => opening.mutate()}>
            Reveal
          </Button>
        )}
      </Box>
      {children}
      <Failure sx={{ mt: 1 }}>{failure}</Failure>
    </Box>
  );
}
