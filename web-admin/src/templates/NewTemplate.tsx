import { useNavigate } from "react-router-dom";
import { ADMIN_TEMPLATES, SHIPPED } from "#contracts/http/admin-templates.ts";
import {
  TEMPLATE_BOUNDS,
  TEMPLATE_KINDS,
  type TemplateKind,
} from "#contracts/mail/template-kinds.ts";
import { paths } from "../config/paths.ts";
import { ApiError } from "../data/api-error.ts";
import { AskDialog, type Typed } from "../shared/AskDialog.tsx";
import type { FormField } from "../shared/fields.tsx";
import { urlOf, useCommands } from "../shared/versions/use-commands.ts";
import { kindText, NAME, TEMPLATE_SET } from "./labels.ts";

interface CopiedTemplate {
  readonly kind: TemplateKind;
  /** `shipped`, or the id of a template. */
  readonly id: string;
  readonly name: string;
}

const KIND: FormField = {
  source: "kind",
  label: "Email",
  choices: Object.fromEntries(TEMPLATE_KINDS.map((kind) => [kind, kindText(kind)])),
};
/** Asks for kind and name of a new template, or for the name of a copy, and opens it. */
export function NewTemplate({
  of,
  onClose,
}: {
  /** Undefined: the default template of a kind that is chosen here. */
  readonly of: CopiedTemplate | undefined;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const { send, clear, running, failure } = useCommands(TEMPLATE_SET);
  const isCopy = of !== undefined && of.id !== SHIPPED;

  async function create({ name, kind = "" }: Typed, refuse: (sentences: Typed) => void) {
    const body = { name, ...(isCopy ? { from: of.id } : {}) };
    const outcome = await send("create", urlOf(ADMIN_TEMPLATES, of?.kind ?? kind), body);
    if (outcome.state === "done") navigate(paths.template(of?.kind ?? kind, outcome.id));
    const { fields = {} } =
      outcome.state === "failed" && outcome.error instanceof ApiError ? outcome.error : {};
    if (!fields.name) return;
    clear();
    refuse(fields);
  }

  return (
    <AskDialog
      title={isCopy ? `Duplicate “${of.name}”` : "New template"}
      consequence={`${of ? `${kindText(of.kind)}. ` : ""}${isCopy ? "" : "Starts as a copy of the default template. "}Emails don't change until you activate it.`}
      confirm={isCopy ? "Duplicate" : "Create"}
      fields={of ? [NAME] : [KIND, NAME]}
      values={{
        kind: "verification",
        name: isCopy ? `Copy of ${of.name}`.slice(0, TEMPLATE_BOUNDS.name) : "",
      }}
      running={running !== undefined}
      failure={failure}
      onSend={(typed, refuse) => void create(typed, refuse)}
      onClose={onClose}
    />
  );
}
