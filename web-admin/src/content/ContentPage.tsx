import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { type MouseEvent, useEffect } from "react";
import { FormProvider } from "react-hook-form";
import { Link as RouterLink, useParams, useSearchParams } from "react-router-dom";
import { CONTENT_KINDS, contentPath, slugOf } from "#contracts/content/content-rules.ts";
import { ADMIN_CONTENT, type ContentRecord } from "#contracts/http/content.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { Field } from "../shared/fields.tsx";
import { PageHeading, Section } from "../shared/page.tsx";
import { StatusChip } from "../shared/parts.tsx";
import { Failure } from "../shared/states.tsx";
import { Preview } from "../shared/versions/Preview.tsx";
import { useCheckedForm } from "../shared/versions/use-checked-form.ts";
import { urlOf, useCommands } from "../shared/versions/use-commands.ts";
import {
  sideBySide,
  stacked,
  VersionedEditor,
  VersionedPage,
} from "../shared/versions/VersionedEditor.tsx";
import {
  bodyOf,
  CONTENT_SET,
  contentEditing,
  EMPTY,
  fieldsOf,
  slugField,
  statusText,
} from "./labels.ts";

/** A text with its editor. */
export function ContentPage() {
  const { id = "" } = useParams();
  const url = urlOf(ADMIN_CONTENT, id);
  const place = { resource: "content", what: "text", url, list: paths.content };
  return (
    <VersionedPage<ContentRecord>
      place={place}
      absence="Check the address for typos."
      all="All content"
    >
      {(record, reload) => (
        <VersionedEditor
          key={id}
          of={contentEditing}
          place={place}
          record={record}
          reload={reload}
          facts={(now) => <Facts record={now} />}
          preview={({ body }) => <ContentPreview body={body} />}
        />
      )}
    </VersionedPage>
  );
}

function Facts({ record }: { readonly record: ContentRecord }) {
  const { type, slug, status, version } = record;
  const path = contentPath(type, slug);
  return (
    <>
      <StatusChip status={status} label={statusText(record)} />
      <Typography color="textSecondary">
        {CONTENT_KINDS[type]}
        {version && `, version ${version}`}
      </Typography>
      {status === "published" ? (
        <Link href={path} target="_blank" rel="noopener">
          Open {path} on the site
        </Link>
      ) : (
        <Typography color="textSecondary">{path}, not published</Typography>
      )}
    </>
  );
}

/** Kinds that can be added. Legal texts always exist. */
const NEW_KINDS = ["blog", "page", "faq"] as const;

/** Creates a post, a page or an FAQ item, as a draft. */
export function NewContent() {
  const [query, setQuery] = useSearchParams();
  const kind = NEW_KINDS.find((each) => each === query.get("type")) ?? "blog";
  const { send, running, failure, clear } = useCommands(CONTENT_SET);
  const fields = [...fieldsOf(kind), slugField(kind)];
  // What is typed stays when the kind changes.
  const form = useCheckedForm({ ...EMPTY, slug: "" });
  const values = form.watch();
  const { errors, dirtyFields } = form.formState;
  // Follows the title until it is edited.
  const slug = dirtyFields.slug ? values.slug : slugOf(values.title);
  useEffect(() => form.setValue("slug", slug), [slug, form.setValue]);

  async function create() {
    if (!(await form.check())) return;
    const typed = form.getValues();
    const body = { kind, slug: typed.slug.trim(), ...bodyOf(typed, kind) };
    const outcome = await send("create", ADMIN_CONTENT, body);
    if (outcome.state === "done") form.leave(paths.text(outcome.id), true);
    if (outcome.state === "failed") form.refuse(outcome.error);
  }

  const title = kind === "faq" ? "New FAQ item" : `New ${CONTENT_KINDS[kind].toLowerCase()}`;
  return (
    <Box sx={stacked}>
      <Box>
        <PageHeading title={title}>{title}</PageHeading>
        <Typography color="textSecondary">Starts as a draft that only admins can read.</Typography>
      </Box>
      <Box sx={sideBySide}>
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
            <Failure>{!errors.slug && failure}</Failure>
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

function ContentPreview({ body }: { readonly body: string }) {
  return (
    <Preview<{ html: string }>
      title="Preview"
      url={`${ADMIN_CONTENT}/preview`}
      source={{ body }}
      empty="Nothing to preview yet."
    >
      {({ html }) => <Rendered html={html} />}
    </Preview>
  );
}

function Rendered({ html }: { readonly html: string }) {
  // Its headings have IDs that may also occur on the console's own page.
  const inert = html.replace(/ id="[^"]*"/g, "");
  // Following a link would lose what is typed.
  const stay = (event: MouseEvent) => {
    if ((event.target as Element).closest("a")) event.preventDefault();
  };
  return (
    <Box
      onClickCapture={stay}
      sx={{
        overflowWrap: "anywhere",
        "& h1, & h2, & h3": { fontSize: 20, lineHeight: "28px", mt: 3, mb: 1 },
        // The first element. Emotion warns about `:first-child`.
        "&& > :not(* + *)": { mt: 0 },
        "& a": { color: color.primary },
        "& p, & ul, & ol": { my: 1 },
        "& ul, & ol": { listStyle: "revert", paddingInlineStart: "revert" },
        "& pre": { whiteSpace: "pre-wrap", p: 1.5, bgcolor: color.groundStrong },
        "& blockquote": { mx: 0, my: 2, px: 2, borderLeft: `4px solid ${color.primary}` },
        "& table": { width: "100%", my: 2, borderCollapse: "collapse" },
        '& [role="group"]': { overflowX: "auto", overflowWrap: "normal" },
        "& th, & td": { p: 1, textAlign: "left", borderBottom: `1px solid ${color.line}` },
        '& [align="center"]': { textAlign: "center" },
        '& [align="right"]': { textAlign: "right" },
      }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server's Markdown renderer lets no HTML in.
      dangerouslySetInnerHTML={{ __html: inert }}
    />
  );
}
