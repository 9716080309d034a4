import { createContext, useContext, useEffect, useRef } from "react";
import type { ChangedResource } from "#contracts/http/changes.ts";
import type { ChangeNews } from "../data/change-news.ts";

/** Where the console hears of what others change. */
export const ChangesContext = createContext<ChangeNews | undefined>(undefined);

/** Calls the function whenever something of the resource has changed. */
export function useChanged(resource: ChangedResource, act: () => void): void {
  const news = useContext(ChangesContext);
  const current = useRef(act);
  current.current = act;
  useEffect(
    () =>
      news?.subscribe((changes) => {
        if (!changes || changes.some((each) => each.resource === resource)) current.current();
      }),
    [news, resource],
  );
}
