import { keyframes } from "@emotion/react";
import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { motion } from "#theme/tokens.ts";

const appear = keyframes({ from: { opacity: 0 }, to: { opacity: 1 } });

/** Shows its content a moment later, so that what loads fast never flickers. */
export function Appears({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ animation: `${appear} 1ms linear ${motion.skeletonDelay}ms both` }}>{children}</Box>
  );
}
