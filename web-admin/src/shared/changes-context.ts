import { createContext, useContext, useEffect, useRef } from "react";
import type { ChangedResource } from "#contracts/http/changes.ts";
import type { ChangeStream } from "../data/change-stream.ts";

/** Where the console hears of what others change; the console provides it. */
export const ChangesContext = createContext({} as ChangeStream);

/** Calls the function whenever something of one of the resources has changed. */
export function useChanged(resources: readonly ChangedResource[], act: () => void): void {
  const news = useContext(ChangesContext);
  const current = useRef({ resources, act });
  current.current = { resources, act };
  useEffect(
    () =>
      news.subscribe((changes) => {
        const { resources, act } = current.current;
        if (!changes || changes.some(({ resource }) => resources.includes(resource))) act();
      }),
    [news],
  );
}
