import { useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect } from "react";
import { ChangedQueries } from "../data/changed-queries.ts";
import { ChangesContext } from "../shared/changes-context.ts";

/** Milliseconds between two times that changed pages are read: many changes are shown at once. */
const APART_MS = 1_500;
/** Milliseconds between two looks whether a question that is open has been answered. */
const LOOKS_MS = 250;
/** What must not change while it is open: a row may go with what is typed into its dialog. */
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Reads again what is on the screen when others change it, in tabs that somebody can see. */
export function LiveChanges() {
  const news = useContext(ChangesContext);
  const queryClient = useQueryClient();
  useEffect(() => {
    const changed = new ChangedQueries();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let readMs = 0;
    const read = () => {
      timer = undefined;
      if (changed.isEmpty) return;
      const waitMs = document.querySelector(OPEN) ? LOOKS_MS : readMs + APART_MS - Date.now();
      if (waitMs > 0) {
        timer = setTimeout(read, waitMs);
        return;
      }
      readMs = Date.now();
      void queryClient.invalidateQueries({ predicate: (query) => changed.concern(query) });
      changed.clear();
    };
    const forget = news.subscribe((changes) => {
      changed.add(changes);
      timer ??= setTimeout(read, 0);
    });
    const look = () => (document.visibilityState === "visible" ? news.start() : news.stop());
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      forget();
      clearTimeout(timer);
      news.stop();
    };
  }, [news, queryClient]);
  return null;
}
