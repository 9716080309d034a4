import { useEffect, useRef, useState } from "react";

/** The action for each key, in lowercase. */
type Shortcuts = Readonly<Record<string, () => void>>;

const KEY = "console-shortcuts";

/**
 * Single-key shortcuts of a page. Disabled while the user types, while a dialog or menu is open, and with a modifier
 * key; holding a key down triggers it once. Users can turn them off (WCAG 2.1.4), which this browser remembers.
 */
export function useShortcuts(shortcuts: Shortcuts) {
  const [enabled, setEnabled] = useState(() => localStorage.getItem(KEY) !== "off");
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    if (!enabled) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (
        event.repeat ||
        isWriting(event.target) ||
        document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')
      )
        return;
      const act = current.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [enabled]);
  return {
    enabled,
    setEnabled(next: boolean) {
      if (next) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, "off");
      setEnabled(next);
    },
  };
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest("input, textarea, select, [role=combobox]") !== null)
  );
}
