import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { useFieldArray, useWatch } from "react-hook-form";
import { given } from "#contracts/given.ts";
import { MAX_CHARGEBACKS, type ReportField } from "#contracts/report/catalogue.ts";
import { choicesOf } from "#contracts/report/derive/amounts.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { countryOf, REGIONS, regionLabel } from "#contracts/report/regions.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { color } from "#theme/color.ts";
import {
  type EditFieldName,
  type EditGroup,
  type EditRow,
  type EditValues,
  editRow,
  emptyItem,
  ITEM_FIELDS,
  isRequired,
} from "../record/edit-values.ts";
import { isKept } from "../record/record-fields.ts";
import { Field } from "../shared/fields.tsx";
import { counted } from "../shared/formats.ts";
import { fieldLabel } from "../shared/labels.ts";
import { Section } from "../shared/page.tsx";

const GRID = {
  display: "grid",
  gap: 2,
  gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(2, minmax(0, 1fr))" },
} as const;

interface EditFieldProps {
  readonly name: string;
  readonly label: string;
  readonly row: EditRow;
  readonly options?: ReturnType<typeof choicesOf>;
  readonly required?: boolean;
  readonly placeholder?: string | undefined;
}

/** The form checks all fields at once, so that none has rules of its own. */
function EditField(props: EditFieldProps) {
  const { name, label, row, options = choicesOf(row), required = false, placeholder } = props;
  const { kind, width } = row;
  const isBroad = kind === "prose" || kind === "ip_addresses" || width === "full";
  const choices = [...(required ? [] : [["", "Not given"]]), ...options];
  return (
    <Box sx={isBroad ? { gridColumn: "1 / -1" } : {}}>
      <Field
        field={{
          source: name,
          label,
          ...given({ needs: required ? label : undefined, placeholder }),
          ...(kind === "choice" && { choices: Object.fromEntries(choices) }),
          ...(kind === "prose" && { isLong: true }),
          ...((kind === "date" || kind === "money") && { type: kind }),
        }}
      />
    </Box>
  );
}

/** The region, picked from the list of the country that is chosen; a text where it has no list. */
function RegionField(props: { readonly name: EditFieldName; readonly required: boolean }) {
  const [chosen, present = ""] = useWatch<EditValues, ["country", EditFieldName]>({
    name: ["country", props.name],
  });
  const country = countryOf(chosen);
  const listed = Object.entries(REGIONS[country]).map(
    ([code, name]) => [code, `${name} (${code})`] as const,
  );
  const isListed = listed.length === 0 || listed.some(([code]) => code === present);
  // What another list or a former rule allowed stays in sight until somebody picks another one.
  const options = isListed || present === "" ? listed : [[present, present] as const, ...listed];
  return (
    <EditField
      name={props.name}
      label={regionLabel(country)}
      row={{ kind: listed.length > 0 ? "choice" : "line" }}
      options={options}
      required={props.required}
    />
  );
}

/** The fields of one group, two beside each other where there is room. */
export function EditFieldset({
  group,
  type,
  opened,
  initialStatus,
  children,
}: {
  readonly group: EditGroup;
  readonly type: ReportType;
  /** Whether the form holds the hidden data. */
  readonly opened: boolean;
  readonly initialStatus: string;
  readonly children?: ReactNode;
}) {
  return (
    <Section title={group.title}>
      <Box sx={{ ...GRID, pt: 1 }}>
        {group.fields.map((name) =>
          name === "state" ? (
            <RegionField key={name} name={name} required={isRequired(name, type)} />
          ) : (
            <EditField
              key={name}
              name={name}
              label={fieldLabel(name)}
              row={editRow(name)}
              required={isRequired(name, type)}
              placeholder={!opened && isKeptBack(name) ? "Hidden" : undefined}
            />
          ),
        )}
        {group.fields.includes("status") && <RejectionReason initialStatus={initialStatus} />}
      </Box>
      {children}
    </Section>
  );
}

function RejectionReason({ initialStatus }: { readonly initialStatus: string }) {
  const status = useWatch<EditValues, "status">({ name: "status" });
  if (status !== "rejected" || initialStatus === "rejected") return null;
  return <EditField name="reason" label="Reason for rejection" row={{ kind: "prose" }} required />;
}

function isKeptBack(name: EditFieldName): boolean {
  return Object.hasOwn(REPORT_ROWS, name) && isKept(name as ReportField);
}

/**
 * The additional chargebacks. They are always replaced as a whole list, so they must be revealed
 * before they can be edited. Otherwise their hidden parts would be lost.
 */
export function EditItems({
  count,
  opened,
  opening,
  onOpen,
}: {
  readonly count: number;
  /** Whether the form holds their hidden parts. */
  readonly opened: boolean;
  readonly opening: boolean;
  readonly onOpen: () => unknown;
}) {
  const { fields, append, remove } = useFieldArray<EditValues, "chargebacks">({
    name: "chargebacks",
  });
  if (!opened && count > 0) {
    return (
      <Section title="Additional chargebacks">
        <Typography sx={{ mb: 1 }}>
          {counted(count, "additional chargeback has", "additional chargebacks have")} parts that
          are hidden. To edit {count === 1 ? "it" : "them"}, reveal the hidden data first; that is
          recorded in the history.
        </Typography>
        <Button variant="outlined" loading={opening} onClick={() => void onOpen()}>
          Reveal
        </Button>
      </Section>
    );
  }
  return (
    <Section
      title="Additional chargebacks"
      action={
        <Button
          variant="outlined"
          disabled={fields.length >= MAX_CHARGEBACKS}
          onClick={() => append(emptyItem())}
        >
          Add
        </Button>
      }
    >
      {fields.length === 0 && <Typography color="textSecondary">None</Typography>}
      {fields.map((item, index) => (
        <Box
          key={item.id}
          role="group"
          aria-label={`Additional chargeback ${index + 1}`}
          sx={{ py: 2, borderTop: `1px solid ${color.line}` }}
        >
          <Box sx={{ display: "flex", alignItems: "center", mb: 1 }}>
            <Typography variant="h3" sx={{ flex: 1 }}>
              Additional chargeback {index + 1}
            </Typography>
            <Button onClick={() => remove(index)}>Remove</Button>
          </Box>
          <Box sx={GRID}>
            {ITEM_FIELDS.map((name) => {
              const row = CHARGEBACK_ROWS[name];
              return (
                <EditField
                  key={name}
                  name={`chargebacks.${index}.${name}`}
                  label={row.label}
                  row={row}
                  required={row.required === true}
                />
              );
            })}
          </Box>
        </Box>
      ))}
    </Section>
  );
}
