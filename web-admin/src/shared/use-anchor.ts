import { type MouseEvent, useState } from "react";

/** State of a popover or menu below a button: props for both, and a function to close it. */
export function useAnchor(opens: "menu" | "dialog") {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const open = anchor !== null;
  const close = () => setAnchor(null);
  return {
    close,
    button: {
      "aria-haspopup": opens,
      "aria-expanded": open,
      onClick: (event: MouseEvent<HTMLElement>) => setAnchor(event.currentTarget),
    },
    below: { open, anchorEl: anchor, onClose: close },
  };
}
