import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link } from "react-admin";
import { useParams } from "react-router-dom";
import {
  ADMIN_TEMPLATES,
  SHIPPED,
  type TemplateItem,
  type TemplateRecord,
} from "#contracts/http/admin-templates.ts";
import {
  TEMPLATE_STATUSES,
  TEMPLATE_TYPES,
  type TemplateKind,
  templateKind,
  variablesOf,
} from "#contracts/mail/template-kinds.ts";
import { paths } from "../config/paths.ts";
import { PageHeading, Section } from "../shared/page.tsx";
import { StatusChip } from "../shared/parts.tsx";
import { useRead } from "../shared/reads.ts";
import { urlOf } from "../shared/versions/use-commands.ts";
import {
  sideBySide,
  stacked,
  VersionedEditor,
  VersionedPage,
} from "../shared/versions/VersionedEditor.tsx";
import { kindText, templateEditing } from "./labels.ts";
import { NewTemplate } from "./NewTemplate.tsx";
import { EmailPreview, plain } from "./Preview.tsx";

/** A template with its editor. The default template can only be read and copied. */
export function TemplatePage() {
  const { kind = "", id = "" } = useParams();
  const url = urlOf(ADMIN_TEMPLATES, kind, id);
  const place = { resource: "templates", what: "template", url, list: paths.templates };
  return (
    <VersionedPage<TemplateRecord>
      place={place}
      absence="It was deleted, or the address is mistyped."
      all="All templates"
    >
      {(record, reload) =>
        record.id === SHIPPED ? (
          <DefaultTemplate key={kind} record={record} />
        ) : (
          <VersionedEditor
            key={id}
            of={templateEditing}
            place={place}
            record={record}
            reload={reload}
            facts={(now, isBusy) => (
              <>
                <Facts record={now} />
                <Copy of={now} isBusy={isBusy} />
              </>
            )}
            preview={({ subject, body }) => (
              <EmailPreview kind={record.kind} subject={subject} body={body} />
            )}
          >
            <Variables kind={record.kind} />
            <SameKind kind={record.kind} id={record.id} />
          </VersionedEditor>
        )
      }
    </VersionedPage>
  );
}

function DefaultTemplate({ record }: { readonly record: TemplateRecord }) {
  const { kind, subject, body } = record;
  const { title } = templateKind(kind);
  return (
    <Box sx={stacked}>
      <Box sx={{ display: "grid", gap: 0.5 }}>
        <PageHeading title={title}>{title}</PageHeading>
        <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
          <Facts record={record} />
          <Copy of={record} isBusy={false} />
        </Box>
      </Box>
      <Typography>
        Default template. It can't be changed. Used when no other template of this kind is active.
      </Typography>
      <Box sx={sideBySide}>
        <Section title="Content">
          <Typography sx={{ mb: 1, overflowWrap: "anywhere" }}>Subject: {subject}</Typography>
          <Box component="pre" sx={plain}>
            {body}
          </Box>
        </Section>
        <EmailPreview kind={kind} subject={subject} body={body} />
      </Box>
      <Variables kind={kind} />
      <SameKind kind={kind} id={SHIPPED} />
    </Box>
  );
}

function Facts({ record: { id, status, kind } }: { readonly record: TemplateRecord }) {
  return (
    <>
      <StatusChip status={status} label={TEMPLATE_STATUSES[status]} />
      <Typography color="textSecondary" sx={{ flex: "1 1 200px" }}>
        {id === SHIPPED ? TEMPLATE_TYPES[templateKind(kind).type] : kindText(kind)}
      </Typography>
    </>
  );
}

function Copy({ of, isBusy }: { readonly of: TemplateRecord; readonly isBusy: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const isDefault = of.id === SHIPPED;
  return (
    <>
      <Button
        variant={isDefault ? "contained" : "outlined"}
        disabled={isBusy}
        onClick={() => setOpen(true)}
      >
        {isDefault ? "Create from this" : "Duplicate"}
      </Button>
      {isOpen && <NewTemplate of={of} onClose={() => setOpen(false)} />}
    </>
  );
}

function SameKind({ kind, id }: { readonly kind: TemplateKind; readonly id: string }) {
  const { data } = useRead<TemplateItem[]>(["templates", "all"], ADMIN_TEMPLATES);
  // No list means the session has ended; the sign-in page follows.
  const all = Array.isArray(data) ? data : [];
  const others = all.filter((item) => item.kind === kind && item.id !== id);
  if (others.length === 0) return null;
  return (
    <Section title="Other templates for this email">
      <Box component="ul" sx={{ display: "grid", gap: 1 }}>
        {others.map((item) => (
          <Box key={item.id} component="li" sx={{ display: "flex", gap: 1, alignItems: "center" }}>
            <StatusChip status={item.status} label={TEMPLATE_STATUSES[item.status]} />
            <Link to={paths.template(kind, item.id)} sx={{ overflowWrap: "anywhere" }}>
              {item.name}
            </Link>
          </Box>
        ))}
      </Box>
    </Section>
  );
}

const code = (text: string) => (
  <Box component="code" sx={{ fontFamily: "monospace", overflowWrap: "anywhere" }}>
    {text}
  </Box>
);

function Variables({ kind }: { readonly kind: TemplateKind }) {
  return (
    <Section title="Variables">
      <Typography sx={{ mb: 1 }}>
        {code("{{ name }}")} inserts a value, and{" "}
        {code("{% if name %}text{% else %}other text{% endif %}")} depends on one. The body is
        Markdown. Links must start with {code("{{ site_url }}")}. The button, warning and closing
        line of this email are added automatically.
      </Typography>
      <Box
        component="dl"
        sx={{
          display: "grid",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "220px minmax(0, 1fr)" },
          columnGap: 2,
          "& dt": { pt: 1 },
          "& dd": { pt: { xs: 0, sm: 1 } },
        }}
      >
        {variablesOf(kind).map(({ name, label, sample }) => (
          <Box key={name} sx={{ display: "contents" }}>
            <dt>{code(`{{ ${name} }}`)}</dt>
            <dd>
              {label}
              <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
                For example: {sample}
              </Typography>
            </dd>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
