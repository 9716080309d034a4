import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router-dom";
import { SHIPPED } from "#contracts/http/admin-templates.ts";
import {
  TEMPLATE_BOUNDS,
  TEMPLATE_KINDS,
  TEMPLATE_TYPES,
  type TemplateKind,
  templateKind,
} from "#contracts/mail/template-kinds.ts";
import { paths } from "../config/paths.ts";
import { ApiError } from "../data/api-error.ts";
import { useTemplateCommands } from "./use-template-commands.ts";

/** The template that a new one begins as a copy of. */
export interface CopiedTemplate {
  readonly kind: TemplateKind;
  /** `shipped`, or the id of a template. */
  readonly id: string;
  readonly name: string;
}

/** Asks for kind and name of a new template, or for the name of a copy, and opens it. */
export function NewTemplateDialog({
  of,
  onClose,
}: {
  /** Undefined: of what ships, for a kind that is chosen here. */
  readonly of: CopiedTemplate | undefined;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const commands = useTemplateCommands();
  const isCopy = of !== undefined && of.id !== SHIPPED;
  const [kind, setKind] = useState<TemplateKind>(of?.kind ?? "verification");
  const [name, setName] = useState(
    isCopy ? `Copy of ${of.name}`.slice(0, TEMPLATE_BOUNDS.name) : "",
  );
  const [problem, setProblem] = useState<string>();
  const isRunning = commands.running !== undefined;

  async function create(event: FormEvent) {
    event.preventDefault();
    if (!name.trim()) return setProblem("Please enter a name");
    setProblem(undefined);
    const body = { name: name.trim(), ...(isCopy ? { from: of.id } : {}) };
    const outcome = await commands.send("create", kind, undefined, body);
    if (outcome.state === "done") navigate(paths.template(kind, outcome.id));
    else if (outcome.state === "failed" && outcome.error instanceof ApiError)
      setProblem(outcome.error.fields.name);
  }

  return (
    <>
      <Dialog open onClose={isRunning ? undefined : onClose} maxWidth="sm" fullWidth>
        <form noValidate onSubmit={(event) => void create(event)}>
          <DialogTitle sx={{ overflowWrap: "anywhere" }}>
            {isCopy ? `Duplicate “${of.name}”` : "Add a template"}
          </DialogTitle>
          <DialogContent sx={{ display: "grid", gap: 2 }}>
            <DialogContentText>
              {of && `For mails “${templateKind(kind).title}”. `}
              {!isCopy && "It begins as a copy of the shipped template of its kind. "}
              It is a draft: mails stay as they are until you activate it.
            </DialogContentText>
            {!of && (
              <TextField
                select
                id="template-kind"
                label="Kind of mail"
                value={kind}
                onChange={({ target }) => setKind(target.value as TemplateKind)}
              >
                {TEMPLATE_KINDS.map((each) => (
                  <MenuItem key={each} value={each}>
                    {templateKind(each).title} ({TEMPLATE_TYPES[templateKind(each).type]})
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
              helperText={problem ?? "For admins only."}
              autoComplete="off"
              slotProps={{ htmlInput: { maxLength: TEMPLATE_BOUNDS.name } }}
            />
            {commands.failure && !problem && (
              <Alert severity="error" role="alert">
                {commands.failure}
              </Alert>
            )}
          </DialogContent>
          <DialogActions sx={{ p: 2 }}>
            <Button onClick={onClose} disabled={isRunning}>
              Cancel
            </Button>
            <Button type="submit" variant="contained" loading={isRunning}>
              {isCopy ? "Duplicate" : "Add"}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
      {commands.dialog}
    </>
  );
}
