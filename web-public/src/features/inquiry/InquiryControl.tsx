import { AGREED, type InquiryField } from "#contracts/inquiry/inquiry-forms.ts";
import { FieldFrame, TextField } from "../account/TextField.tsx";
import type { FieldOfForm } from "../account/use-account-form.ts";
import { Statement } from "./Statement.tsx";

const TYPES = { email: "email", phone: "tel" } as const;

/** The control of a question, as its row describes it. */
export function InquiryControl({ row, field }: { row: InquiryField; field: FieldOfForm }) {
  const { kind, label, choices, hint } = row;
  if (kind === "statement")
    return (
      <Statement
        label={label}
        field={field}
        onChange={(isAgreed) => field.onChange(isAgreed ? AGREED : "")}
      />
    );
  const shared = {
    field,
    label,
    required: row.required === true,
    autoComplete: row.autocomplete ?? "off",
    ...(hint ? { hint } : {}),
  };
  if (choices)
    return (
      <FieldFrame {...shared}>
        {({ maxLength: _, ...control }) => (
          <select {...control}>
            <option value="">Not decided</option>
            {Object.entries(choices).map(([code, words]) => (
              <option key={code} value={code}>
                {words}
              </option>
            ))}
          </select>
        )}
      </FieldFrame>
    );
  const type = kind === "email" || kind === "phone" ? TYPES[kind] : "text";
  return (
    <TextField
      {...shared}
      type={type}
      maxLength={row.max}
      {...(kind === "prose" ? { rows: 4 } : {})}
    />
  );
}
