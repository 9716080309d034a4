import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useFieldArray } from "react-hook-form";
import { CHARGEBACK_REASONS } from "#contracts/report/reasons.ts";
import { RESOLUTION_STATUSES } from "#contracts/report/words.ts";
import { color } from "#theme/tokens.ts";
import { counted } from "../../shared/formats.ts";
import { fieldLabel } from "../../shared/labels.ts";
import { Section } from "../../shared/Section.tsx";
import type { FieldKind } from "./edit-fields.ts";
import { type EditValues, emptyItem, ITEM_FIELDS, type ItemField } from "./edit-values.ts";
import { FormField } from "./FormField.tsx";

/** How many additional chargebacks a report holds at most. */
const MAX_ITEMS = 50;

export interface EditItemsProps {
  /** How many the report has. */
  readonly count: number;
  /** Whether what is kept back of them stands in the form. */
  readonly opened: boolean;
  readonly opening: boolean;
  readonly onOpen: () => unknown;
}

const KINDS: Readonly<Partial<Record<ItemField, FieldKind>>> = {
  amount: "money",
  chargeback_fee: "money",
  other_fees: "money",
  date: "date",
  reason: "choice",
  resolution_status: "choice",
  notes: "long",
};
const OPTIONS: Readonly<Partial<Record<ItemField, readonly (readonly [string, string])[]>>> = {
  reason: Object.entries(CHARGEBACK_REASONS),
  resolution_status: Object.entries(RESOLUTION_STATUSES),
};

/**
 * The additional chargebacks. They are replaced as a whole list, so whoever edits them has to see
 * all of it first: else the parts that are kept back would be lost.
 */
export function EditItems({ count, opened, opening, onOpen }: EditItemsProps) {
  const { fields, append, remove } = useFieldArray<EditValues, "chargebacks">({
    name: "chargebacks",
  });
  if (!opened && count > 0) {
    return (
      <Section title="Additional chargebacks">
        <Typography sx={{ mb: 1 }}>
          {counted(count, "additional chargeback has", "additional chargebacks have")} parts that
          are kept back. To edit {count === 1 ? "it" : "them"}, open the kept-back data first; that
          is recorded in the history.
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
          disabled={fields.length >= MAX_ITEMS}
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
          <Box
            sx={{
              display: "grid",
              gap: 2,
              gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(2, minmax(0, 1fr))" },
            }}
          >
            {ITEM_FIELDS.map((name) => (
              <Box key={name} sx={name === "notes" ? { gridColumn: "1 / -1" } : undefined}>
                <FormField
                  name={`chargebacks.${index}.${name}`}
                  label={name === "amount" ? "Amount" : fieldLabel(name)}
                  kind={KINDS[name] ?? "text"}
                  options={OPTIONS[name]}
                  required={name === "amount"}
                />
              </Box>
            ))}
          </Box>
        </Box>
      ))}
    </Section>
  );
}
