import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import { useWarnWhenUnsavedChanges } from "react-admin";
import { Link as RouterLink, useNavigate, useSearchParams } from "react-router-dom";
import {
  CONTENT_BOUNDS,
  CONTENT_KINDS,
  contentPath,
  slugOf,
} from "#contracts/content/content-rules.ts";
import { ADMIN_CONTENT } from "#contracts/http/content.ts";
import { paths } from "../config/paths.ts";
import { ApiError } from "../data/api-error.ts";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { useCheckedForm } from "../shared/versions/use-checked-form.ts";
import { useCommands } from "../shared/versions/use-commands.ts";
import { besides, stacked } from "../shared/versions/VersionedEditor.tsx";
import { ContentFields, ContentPreview } from "./fields.tsx";
import { bodyOf, CONTENT_SET, EMPTY, problemsOf, slugProblem } from "./labels.ts";

/** Kinds that can be added: the legal texts are always there. */
const NEW_KINDS = ["blog", "page", "faq"] as const;

/** Creates a post, a page or a FAQ item, as a draft. */
export function NewContent() {
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const kind = NEW_KINDS.find((each) => each === query.get("type")) ?? "blog";
  const { send, running, failure, clear } = useCommands(CONTENT_SET);
  // What is typed stays when another kind is chosen.
  const form = useCheckedForm(EMPTY, (values) => problemsOf(values, kind));
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
    const body = { kind, slug, ...bodyOf(form.getValues(), kind) };
    const outcome = await send("create", ADMIN_CONTENT, body);
    if (outcome.state === "done") setCreated(outcome.id);
    if (outcome.state !== "failed") return;
    form.refuse(outcome.error);
    if (outcome.error instanceof ApiError) setWrongSlug(outcome.error.fields.slug);
  }

  const title = kind === "faq" ? "New FAQ item" : `New ${CONTENT_KINDS[kind].toLowerCase()}`;
  return (
    <Box sx={stacked}>
      <Box>
        <PageHeading title={title}>{title}</PageHeading>
        <Typography color="textSecondary">Starts as a draft that only admins can read.</Typography>
      </Box>
      <Box sx={besides}>
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
                setQuery({ type: target.value }, { replace: true });
                form.clearErrors();
                setWrongSlug(undefined);
                clear();
              }}
            >
              {NEW_KINDS.map((each) => (
                <MenuItem key={each} value={each}>
                  {CONTENT_KINDS[each]}
                </MenuItem>
              ))}
            </TextField>
            <ContentFields kind={kind} control={form.control} />
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
                `${contentPath(kind, slug || "…")} on the site. It can't be changed later.`
              }
              autoComplete="off"
              slotProps={{ htmlInput: { maxLength: CONTENT_BOUNDS.slug } }}
            />
            {failure && !wrongSlug && (
              <Alert severity="error" role="alert">
                {failure}
              </Alert>
            )}
            <Box sx={{ display: "flex", gap: 1, justifyContent: "flex-end" }}>
              <Button component={RouterLink} to={paths.content}>
                Cancel
              </Button>
              <Button type="submit" variant="contained" loading={running !== undefined}>
                Save draft
              </Button>
            </Box>
          </Box>
        </Section>
        <ContentPreview body={values.body} />
      </Box>
    </Box>
  );
}
