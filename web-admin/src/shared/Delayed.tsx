import { keyframes } from "@emotion/react";
import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { motion } from "#theme/tokens.ts";

const appear = keyframes({ from: { opacity: 0 }, to: { opacity: 1 } });

/** Shows its content after a short delay, so that fast loads do not flicker. */
export function Delayed({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ animation: `${appear} 1ms linear ${motion.skeletonDelay}ms both` }}>{children}</Box>
  );
}
