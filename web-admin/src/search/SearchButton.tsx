import SearchIcon from "@mui/icons-material/Search";
import IconButton from "@mui/material/IconButton";
import { Suspense, useEffect, useState } from "react";
import { lazyExport } from "../shared/later.ts";
import { useShortcuts } from "../shared/use-shortcuts.ts";
import type { SearchDialogProps } from "./SearchDialog.tsx";

const SearchDialog = lazyExport("SearchDialog", () => import("./SearchDialog.tsx"));

/** Opens the global search. "/" and Ctrl-K (Cmd-K on a Mac) do the same. */
export function SearchButton(props: Omit<SearchDialogProps, "onClose">) {
  const [isOpen, setIsOpen] = useState(false);
  useShortcuts({ "/": () => setIsOpen(true) });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isWanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isWanted || event.key.toLowerCase() !== "k") return;
      // An open dialog comes first.
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      setIsOpen(true);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <IconButton
        aria-label="Search everything"
        aria-keyshortcuts="/ Control+K"
        title="Search everything (/ or Ctrl-K)"
        onClick={() => setIsOpen(true)}
        sx={{ width: 44, height: 44 }}
      >
        <SearchIcon />
      </IconButton>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
