import { useNavigate } from "react-router-dom";
import { ADMIN_TEMPLATES, SHIPPED } from "#contracts/http/admin-templates.ts";
import {
  TEMPLATE_BOUNDS,
  TEMPLATE_KINDS,
  type TemplateKind,
} from "#contracts/mail/template-kinds.ts";
import { paths } from "../config/paths.ts";
import { SendDialog } from "../shared/AskDialog.tsx";
import type { FormField } from "../shared/fields.tsx";
import { urlOf } from "../shared/versions/use-commands.ts";
import { kindText, NAME } from "./labels.ts";

interface CopiedTemplate {
  readonly kind: TemplateKind;
  /** `shipped`, or the ID of a template. */
  readonly id: string;
  readonly name: string;
}

const KIND: FormField = {
  source: "kind",
  label: "Email",
  choices: Object.fromEntries(TEMPLATE_KINDS.map((kind) => [kind, kindText(kind)])),
};
/** Asks for kind and name of a new template, or for the name of a copy, then opens it. */
export function NewTemplate({
  of,
  onClose,
}: {
  /** If undefined, the user chooses a kind and copies its default template. */
  readonly of: CopiedTemplate | undefined;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const isCopy = of !== undefined && of.id !== SHIPPED;
  return (
    <SendDialog
      title={isCopy ? `Duplicate “${of.name}”` : "New template"}
      consequence={`${of ? `${kindText(of.kind)}. ` : ""}${isCopy ? "" : "Starts as a copy of the default template. "}Emails don't change until you activate it.`}
      confirm={isCopy ? "Duplicate" : "Create"}
      fields={of ? [NAME] : [KIND, NAME]}
      values={{
        kind: "verification",
        name: isCopy ? `Copy of ${of.name}`.slice(0, TEMPLATE_BOUNDS.name) : "",
      }}
      send={async (provider, typed) => {
        const kind = of?.kind ?? typed.kind ?? "";
        const body = { name: typed.name, ...(isCopy ? { from: of.id } : {}) };
        const said = await provider.command<{ id: string }>(urlOf(ADMIN_TEMPLATES, kind), body);
        return { ...said, path: paths.template(kind, said.data.id) };
      }}
      again={["templates", "audit-logs"]}
      tells="success"
      onDone={({ data, path }) => data.id && navigate(path)}
      onClose={onClose}
    />
  );
}
