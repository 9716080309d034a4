import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { ADMIN_TEMPLATES, SHIPPED } from "#contracts/http/admin-templates.ts";
import {
  TEMPLATE_BOUNDS,
  TEMPLATE_KINDS,
  type TemplateKind,
} from "#contracts/mail/template-kinds.ts";
import { paths } from "../config/paths.ts";
import { ApiError } from "../data/api-error.ts";
import { FormDialog } from "../shared/FormDialog.tsx";
import { urlOf, useCommands } from "../shared/versions/use-commands.ts";
import { kindText, TEMPLATE_SET } from "./labels.ts";

/** The template that a new one begins as a copy of. */
interface CopiedTemplate {
  readonly kind: TemplateKind;
  /** `shipped`, or the id of a template. */
  readonly id: string;
  readonly name: string;
}

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
  const { send, running, failure, dialog } = useCommands(TEMPLATE_SET);
  const isCopy = of !== undefined && of.id !== SHIPPED;
  const [kind, setKind] = useState<TemplateKind>(of?.kind ?? "verification");
  const [name, setName] = useState(
    isCopy ? `Copy of ${of.name}`.slice(0, TEMPLATE_BOUNDS.name) : "",
  );
  const [problem, setProblem] = useState<string>();

  async function create() {
    if (!name.trim()) return setProblem("Enter a name");
    const body = { name: name.trim(), ...(isCopy ? { from: of.id } : {}) };
    const outcome = await send("create", urlOf(ADMIN_TEMPLATES, kind), body);
    if (outcome.state === "done") navigate(paths.template(kind, outcome.id));
    else if (outcome.state === "failed" && outcome.error instanceof ApiError)
      setProblem(outcome.error.fields.name);
  }

  return (
    <FormDialog
      title={isCopy ? `Duplicate “${of.name}”` : "New template"}
      consequence={`${of ? `${kindText(of.kind)}. ` : ""}${isCopy ? "" : "Starts as a copy of the default template. "}Emails don't change until you activate it.`}
      confirm={isCopy ? "Duplicate" : "Create"}
      running={running !== undefined}
      failure={problem ? undefined : failure}
      proof={dialog}
      onSubmit={() => void create()}
      onClose={onClose}
    >
      {!of && (
        <TextField
          select
          id="template-kind"
          label="Email"
          value={kind}
          onChange={({ target }) => setKind(target.value as TemplateKind)}
        >
          {TEMPLATE_KINDS.map((each) => (
            <MenuItem key={each} value={each}>
              {kindText(each)}
            </MenuItem>
          ))}
        </TextField>
      )}
      <TextField
        id="template-name"
        label="Name"
        required
        autoFocus
        value={name}
        onChange={({ target }) => {
          setName(target.value);
          setProblem(undefined);
        }}
        error={problem !== undefined}
        helperText={problem ?? "Only admins see it."}
        autoComplete="off"
        slotProps={{ htmlInput: { maxLength: TEMPLATE_BOUNDS.name } }}
      />
    </FormDialog>
  );
}
