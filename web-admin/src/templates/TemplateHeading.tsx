import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import type { TemplateRecord } from "#contracts/http/admin-templates.ts";
import { TEMPLATE_TYPES, templateKind } from "#contracts/mail/template-kinds.ts";
import { PageHeading } from "../shared/PageHeading.tsx";
import { TemplateChip } from "./TemplateChip.tsx";

/** Which template of which kind of mail this is, with what can be done beside editing it. */
export function TemplateHeading({
  record: { kind, name, status, type },
  children,
}: {
  readonly record: TemplateRecord;
  /** Buttons. */
  readonly children: ReactNode;
}) {
  return (
    <Box sx={{ display: "grid", gap: 0.5 }}>
      <PageHeading title={name}>{name}</PageHeading>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
        <TemplateChip status={status} />
        <Typography color="textSecondary" sx={{ flex: "1 1 200px" }}>
          {templateKind(kind).title} ({TEMPLATE_TYPES[type]})
        </Typography>
        {children}
      </Box>
    </Box>
  );
}
