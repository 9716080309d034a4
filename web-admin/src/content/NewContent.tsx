import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import { useWarnWhenUnsavedChanges } from "react-admin";
import { FormProvider } from "react-hook-form";
import { Link as RouterLink, useNavigate, useSearchParams } from "react-router-dom";
import { CONTENT_KINDS, slugOf } from "#contracts/content/content-rules.ts";
import { ADMIN_CONTENT } from "#contracts/http/content.ts";
import { paths } from "../config/paths.ts";
import { Field, problemsOf } from "../shared/fields.tsx";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { useCheckedForm } from "../shared/versions/use-checked-form.ts";
import { useCommands } from "../shared/versions/use-commands.ts";
import { besides, stacked } from "../shared/versions/VersionedEditor.tsx";
import { ContentPreview } from "./ContentPreview.tsx";
import { bodyOf, CONTENT_SET, EMPTY, fieldsOf, slugField } from "./labels.ts";

/** Kinds that can be added: the legal texts are always there. */
const NEW_KINDS = ["blog", "page", "faq"] as const;

/** Creates a post, a page or a FAQ item, as a draft. */
export function NewContent() {
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const kind = NEW_KINDS.find((each) => each === query.get("type")) ?? "blog";
  const { send, running, failure, clear } = useCommands(CONTENT_SET);
  const fields = [...fieldsOf(kind), slugField(kind)];
  // What is typed stays when another kind is chosen.
  const form = useCheckedForm({ ...EMPTY, slug: "" }, (values) => problemsOf(fields, values));
  const values = form.watch();
  const [created, setCreated] = useState<string>();
  useWarnWhenUnsavedChanges(created === undefined, undefined, form.control as never);
  useEffect(() => {
    if (created) navigate(paths.text(created), { replace: true });
  }, [created, navigate]);
  const { errors, dirtyFields } = form.formState;
  // It follows the title until it is typed itself.
  const slug = dirtyFields.slug ? values.slug : slugOf(values.title);
  useEffect(() => form.setValue("slug", slug), [slug, form.setValue]);

  async function create() {
    if (!(await form.check())) return;
    const typed = form.getValues();
    const body = { kind, slug: typed.slug.trim(), ...bodyOf(typed, kind) };
    const outcome = await send("create", ADMIN_CONTENT, body);
    if (outcome.state === "done") setCreated(outcome.id);
    if (outcome.state === "failed") form.refuse(outcome.error);
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
                clear();
              }}
            >
              {NEW_KINDS.map((each) => (
                <MenuItem key={each} value={each}>
                  {CONTENT_KINDS[each]}
                </MenuItem>
              ))}
            </TextField>
            <FormProvider {...form}>
              {fields.map((field) => (
                <Field key={field.source} field={field} id={`text-${field.source}`} />
              ))}
            </FormProvider>
            {failure && !errors.slug && (
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
