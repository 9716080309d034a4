import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useFieldArray } from "react-hook-form";
import { MAX_CHARGEBACKS } from "#contracts/report/catalogue.ts";
import { choicesOf } from "#contracts/report/derive/amounts.ts";
import { CHARGEBACK_ROWS } from "#contracts/report/derive/fields.ts";
import { color } from "#theme/color.ts";
import { counted } from "../../shared/formats.ts";
import { Section } from "../../shared/Section.tsx";
import { type EditValues, emptyItem, ITEM_FIELDS, type ItemFieldName } from "./edit-values.ts";
import { FormField } from "./FormField.tsx";

export interface EditItemsProps {
  /** Number of additional chargebacks of the report. */
  readonly count: number;
  /** Whether the form holds their hidden parts. */
  readonly opened: boolean;
  readonly opening: boolean;
  readonly onOpen: () => unknown;
}

/**
 * The additional chargebacks. They are always replaced as a whole list, so they must be revealed
 * before they can be edited. Otherwise their hidden parts would be lost.
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
          <Box
            sx={{
              display: "grid",
              gap: 2,
              gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(2, minmax(0, 1fr))" },
            }}
          >
            {ITEM_FIELDS.map((name) => (
              <ItemField key={name} index={index} name={name} />
            ))}
          </Box>
        </Box>
      ))}
    </Section>
  );
}

function ItemField({ index, name }: { readonly index: number; readonly name: ItemFieldName }) {
  const row = CHARGEBACK_ROWS[name];
  return (
    <Box sx={row.kind === "prose" ? { gridColumn: "1 / -1" } : undefined}>
      <FormField
        name={`chargebacks.${index}.${name}`}
        label={row.label}
        kind={row.kind}
        options={choicesOf(row)}
        required={row.required === true}
      />
    </Box>
  );
}
