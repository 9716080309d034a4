import { useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect } from "react";
import { ChangedQueries } from "../data/changed-queries.ts";
import { ChangesContext } from "../shared/changes-context.ts";

/** Minimum interval in milliseconds between refetches, so that many changes are shown together. */
const APART_MS = 1_500;
/** Interval in milliseconds for checking whether an open dialog has been closed. */
const POLL_MS = 250;
/** Elements during which nothing may change: a row could disappear along with what is typed into its dialog. */
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Refetches what is on the screen when others change it, while the tab is visible. */
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
      const waitMs = document.querySelector(OPEN) ? POLL_MS : readMs + APART_MS - Date.now();
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
