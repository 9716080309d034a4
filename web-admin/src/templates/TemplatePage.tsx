import Button from "@mui/material/Button";
import { useDataProvider } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import { SHIPPED } from "#contracts/http/admin-templates.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";
import { LoadError } from "../shared/LoadError.tsx";
import { useOpened } from "../shared/use-opened.ts";
import { ShippedTemplate } from "./ShippedTemplate.tsx";
import { TemplateEditor } from "./TemplateEditor.tsx";

/** Loads a template and shows its editor; the shipped one can be read and copied. */
export function TemplatePage() {
  const { kind = "", id = "" } = useParams();
  const provider = useDataProvider<ConsoleDataProvider>();
  const read = async () => (await provider.openTemplate(kind, id)).data;
  const { item, failure, retry, reload } = useOpened("templates", [kind, id], read);
  if (failure)
    return (
      <LoadError
        what="template"
        absence="It was deleted, or the address is mistyped."
        list={
          <Button key="list" variant="outlined" component={RouterLink} to={paths.templates}>
            All templates
          </Button>
        }
        error={failure}
        onRetry={retry}
      />
    );
  if (!item) return <FullPageLoading />;
  if (item.id === SHIPPED) return <ShippedTemplate key={kind} record={item} />;
  return <TemplateEditor key={id} record={item} reload={reload} />;
}
