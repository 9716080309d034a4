import useMediaQuery from "@mui/material/useMediaQuery";
import { useLayoutEffect, useRef } from "react";
import { useSidebarState, useStore } from "react-admin";
import { useLocation } from "react-router-dom";
import { paths } from "../config/paths.ts";

/** The window's width in CSS pixels from which on there is room for the sidebar beside the page. */
const ROOMY = 1200;
const ROOMY_FOR_QUEUE = 1440;

/**
 * Collapses the sidebar where a page begins without room for it, and opens it again where there is room.
 * @returns whether it is open; on a phone, whether it covers the page.
 */
export function useRoom(): boolean {
  const [isOpen, setOpen] = useSidebarState();
  const [reopens, setReopens] = useStore("sidebar.reopens", false);
  const isQueue = useLocation().pathname.startsWith(paths.queue);
  const isTight = !useMediaQuery(`(min-width: ${isQueue ? ROOMY_FOR_QUEUE : ROOMY}px)`, {
    noSsr: true,
  });
  const settled = useRef<boolean>(undefined);
  const isSettled = settled.current === isTight;
  useLayoutEffect(() => {
    if (isSettled) return;
    settled.current = isTight;
    if (isTight && isOpen) {
      setReopens(true);
      setOpen(false);
    } else if (!isTight && reopens) {
      setReopens(false);
      setOpen(true);
    }
  });
  return isOpen && (isSettled || !isTight);
}
