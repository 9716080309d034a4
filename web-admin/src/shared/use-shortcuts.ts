import { useEffect, useRef, useState } from "react";

/** What each single key does, by the key's lower-case letter. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const KEY = "console-shortcuts";

/**
 * Single-key shortcuts of a page, silent while somebody writes, while a dialog or a menu is open,
 * and with a modifier key. They can be switched off (WCAG 2.1.4), which this browser remembers.
 */
export function useShortcuts(shortcuts: Shortcuts): {
  readonly enabled: boolean;
  readonly setEnabled: (enabled: boolean) => void;
} {
  const [enabled, setEnabled] = useState(() => localStorage.getItem(KEY) !== "off");
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    if (!enabled) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isWriting(event.target) || document.querySelector('[role="dialog"], [role="menu"]'))
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
    setEnabled(next) {
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
