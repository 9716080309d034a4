import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import { ADMIN_TEMPLATES, type TemplateItem } from "#contracts/http/admin-templates.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { TEMPLATE_SET } from "./labels.ts";

/** All templates, by kind, the default one first. */
export function useTemplates(enabled = true) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const found = useQuery({
    queryKey: TEMPLATE_SET.list,
    queryFn: async () => (await provider.ask<TemplateItem[]>(ADMIN_TEMPLATES)).data,
    enabled,
    retry: false,
  });
  // Once the session has ended there is no list, and the sign-in page follows.
  return { ...found, data: Array.isArray(found.data) ? found.data : undefined };
}
