import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider, useRequireAccess } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import { SHIPPED } from "#contracts/http/admin-templates.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";
import { LoadError } from "../shared/LoadError.tsx";
import { ShippedTemplate } from "./ShippedTemplate.tsx";
import { TemplateEditor } from "./TemplateEditor.tsx";

/** Loads a template and shows its editor; the shipped one can be read and copied. */
export function TemplatePage() {
  const { kind = "", id = "" } = useParams();
  const { isPending: isChecking } = useRequireAccess({ resource: "templates", action: "edit" });
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error, refetch } = useQuery({
    queryKey: ["templates", "detail", kind, id],
    queryFn: async () => (await provider.openTemplate(kind, id)).data,
    enabled: !isChecking,
    retry: false,
    gcTime: 0,
    // What is typed belongs to the template as it was opened.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  // Where it could be read before, what is typed stays.
  if (error && !data)
    return (
      <LoadError
        what="template"
        absence="It was deleted, or the address is mistyped."
        list={
          <Button key="list" variant="outlined" component={RouterLink} to={paths.templates}>
            All templates
          </Button>
        }
        error={error}
        onRetry={() => void refetch()}
      />
    );
  // Without an id the session has ended, and the sign-in page follows.
  if (!data?.id) return <FullPageLoading />;
  async function reload() {
    const { isError, data: now } = await refetch();
    return isError || !now?.id ? undefined : now;
  }
  if (data.id === SHIPPED) return <ShippedTemplate key={kind} record={data} />;
  return <TemplateEditor key={id} record={data} reload={reload} />;
}
