import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import type { ReportField } from "#contracts/report/catalogue.ts";
import { REPORT_ROWS, rowOf } from "#contracts/report/derive/fields.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { fieldLabel } from "../../shared/labels.ts";
import { Section } from "../../shared/Section.tsx";
import { isKept } from "../record/record-fields.ts";
import { type EditField, type EditGroup, isRequired } from "./edit-fields.ts";
import type { EditValues } from "./edit-values.ts";
import { FormField } from "./FormField.tsx";
import { RegionField } from "./RegionField.tsx";

export interface EditFieldsetProps {
  readonly group: EditGroup;
  readonly type: ReportType;
  /** Whether the form holds the hidden data. */
  readonly opened: boolean;
  readonly initialStatus: string;
  readonly children?: ReactNode;
}

/** The fields of one group, two beside each other where there is room. */
export function EditFieldset({ group, type, opened, initialStatus, children }: EditFieldsetProps) {
  return (
    <Section title={group.title}>
      <Box
        sx={{
          display: "grid",
          gap: 2,
          pt: 1,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(2, minmax(0, 1fr))" },
        }}
      >
        {group.fields.map((field) => (
          <Box key={field.name} sx={isBroad(field) ? { gridColumn: "1 / -1" } : undefined}>
            {field.kind === "state" ? (
              <RegionField name={field.name} required={isRequired(field.name, type)} />
            ) : (
              <FormField
                name={field.name}
                label={fieldLabel(field.name)}
                kind={field.kind}
                options={field.options}
                required={isRequired(field.name, type)}
                placeholder={!opened && isKeptBack(field) ? "Hidden" : undefined}
              />
            )}
          </Box>
        ))}
        {group.fields.some(({ name }) => name === "status") && (
          <RejectionReason initialStatus={initialStatus} />
        )}
      </Box>
      {children}
    </Section>
  );
}

/** A rejection by an edit needs a reason too. */
function RejectionReason({ initialStatus }: { readonly initialStatus: string }) {
  const status = useWatch<EditValues, "status">({ name: "status" });
  if (status !== "rejected" || initialStatus === "rejected") return null;
  return (
    <Box sx={{ gridColumn: "1 / -1" }}>
      <FormField name="reason" label="Reason of the rejection" kind="prose" required />
    </Box>
  );
}

function isBroad({ name, kind }: EditField): boolean {
  return kind === "prose" || kind === "ip_addresses" || rowOf(name)?.width === "full";
}

function isKeptBack({ name }: EditField): boolean {
  return Object.hasOwn(REPORT_ROWS, name) && isKept(name as ReportField);
}
