import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import { useRequireAccess, useWarnWhenUnsavedChanges } from "react-admin";
import { Link as RouterLink, useNavigate, useSearchParams } from "react-router-dom";
import {
  CONTENT_BOUNDS,
  CONTENT_KINDS,
  type ContentKind,
  contentPath,
  slugOf,
} from "#contracts/content/content-rules.ts";
import { paths } from "../config/paths.ts";
import { ApiError } from "../data/api-error.ts";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { Preview } from "./Preview.tsx";
import { TextFields } from "./TextFields.tsx";
import { EMPTY_TEXT, slugProblem, textOf } from "./text-values.ts";
import { useTextCommands } from "./use-text-commands.ts";
import { useTextForm } from "./use-text-form.ts";

/** Kinds that can be added: the legal texts are always there. */
const NEW_KINDS = ["blog", "page", "faq"] as const satisfies readonly ContentKind[];

/** Begins a post, a page or a FAQ item, as a draft. */
export function NewTextPage() {
  useRequireAccess({ resource: "content", action: "create" });
  const [query, setQuery] = useSearchParams();
  const kind = NEW_KINDS.find((each) => each === query.get("type")) ?? "blog";
  const choose = (type: string) => setQuery({ type }, { replace: true });
  // What is typed stays when another kind is chosen.
  return <NewText kind={kind} onKind={choose} />;
}

function NewText({ kind, onKind }: { kind: ContentKind; onKind: (kind: string) => void }) {
  const navigate = useNavigate();
  const commands = useTextCommands();
  const form = useTextForm(kind, EMPTY_TEXT);
  const values = form.watch();
  const [typedSlug, setTypedSlug] = useState<string>();
  const [wrongSlug, setWrongSlug] = useState<string>();
  const [created, setCreated] = useState<string>();
  useWarnWhenUnsavedChanges(created === undefined, undefined, form.control as never);
  useEffect(() => {
    if (created) navigate(paths.text(created), { replace: true });
  }, [created, navigate]);
  const slug = typedSlug ?? slugOf(values.title);

  async function create() {
    const problem = slugProblem(kind, slug);
    setWrongSlug(problem);
    if (!(await form.check()) || problem) return;
    const text = textOf(kind, form.getValues());
    const outcome = await commands.send("create", undefined, { kind, slug, ...text });
    if (outcome.state === "done") setCreated(outcome.id);
    if (outcome.state !== "failed") return;
    form.refuse(outcome.error);
    if (outcome.error instanceof ApiError) setWrongSlug(outcome.error.fields.slug);
  }

  const title = kind === "faq" ? "New FAQ item" : `New ${CONTENT_KINDS[kind].toLowerCase()}`;
  return (
    <Box sx={{ maxWidth: 1280, display: "grid", gap: 2 }}>
      <Box>
        <PageHeading title={title}>{title}</PageHeading>
        <Typography color="textSecondary">
          It begins as a draft that nobody but admins can read.
        </Typography>
      </Box>
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "1fr 1fr" },
        }}
      >
        <Section title="Draft">
          <Box
            component="form"
            noValidate
            sx={{ display: "grid", gap: 2 }}
            onSubmit={(event) => {
              event.preventDefault();
              void create();
            }}
          >
            <TextField
              select
              id="text-kind"
              label="Type"
              value={kind}
              onChange={({ target }) => {
                onKind(target.value);
                form.clearErrors();
                setWrongSlug(undefined);
                commands.clear();
              }}
            >
              {NEW_KINDS.map((each) => (
                <MenuItem key={each} value={each}>
                  {CONTENT_KINDS[each]}
                </MenuItem>
              ))}
            </TextField>
            <TextFields kind={kind} control={form.control} />
            <TextField
              id="text-slug"
              label="Address"
              required
              value={slug}
              onChange={({ target }) => {
                setTypedSlug(target.value);
                setWrongSlug(undefined);
              }}
              error={wrongSlug !== undefined}
              helperText={
                wrongSlug ??
                `${contentPath(kind, slug || "…")} on the site. It can never be changed.`
              }
              autoComplete="off"
              slotProps={{ htmlInput: { maxLength: CONTENT_BOUNDS.slug } }}
            />
            {commands.failure && !wrongSlug && (
              <Alert severity="error" role="alert">
                {commands.failure}
              </Alert>
            )}
            <Box sx={{ display: "flex", gap: 1, justifyContent: "flex-end" }}>
              <Button component={RouterLink} to={paths.content}>
                Cancel
              </Button>
              <Button type="submit" variant="contained" loading={commands.running !== undefined}>
                Save draft
              </Button>
            </Box>
          </Box>
        </Section>
        <Preview body={values.body} />
      </Box>
    </Box>
  );
}
