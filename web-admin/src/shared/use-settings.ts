import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";

/** The registry's settings as they are now; read again when somebody changes them. */
export function useSettings() {
  const provider = useDataProvider<ConsoleDataProvider>();
  return useQuery({
    queryKey: ["settings"],
    queryFn: async () => (await provider.settings()).data,
    retry: false,
  });
}
