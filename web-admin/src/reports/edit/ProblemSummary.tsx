import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { type FieldErrors, useFormContext } from "react-hook-form";
import { CHARGEBACK_ROWS } from "#contracts/report/derive/fields.ts";
import { counted } from "../../shared/formats.ts";
import { fieldLabel } from "../../shared/labels.ts";
import type { EditValues, ItemFieldName } from "./edit-values.ts";

/** Lists what prevents saving. Each line links to its field. */
export function ProblemSummary() {
  const { formState, setFocus } = useFormContext<EditValues>();
  const problems = problemsIn(formState.errors);
  if (formState.submitCount === 0 || problems.length === 0) return null;
  return (
    <Alert severity="error" role="alert">
      {counted(problems.length, "field needs", "fields need")} another look before this can be
      saved:
      <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
        {problems.map(({ path, message }) => (
          <li key={path}>
            <Link
              component="button"
              type="button"
              color="inherit"
              onClick={() => setFocus(path as keyof EditValues)}
              sx={{ textAlign: "left" }}
            >
              {labelOf(path)}: {message}
            </Link>
          </li>
        ))}
      </Box>
    </Alert>
  );
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Flattens the nested errors of react-hook-form to a list by path. */
function problemsIn(errors: FieldErrors | object, above = ""): Problem[] {
  return Object.entries(errors).flatMap(([name, error]): Problem[] => {
    if (typeof error !== "object" || error === null || name === "ref" || name === "root") return [];
    const path = `${above}${name}`;
    const { message } = error as { message?: unknown };
    return typeof message === "string" ? [{ path, message }] : problemsIn(error, `${path}.`);
  });
}

/** `chargebacks.0.date` is "Additional chargeback 1, Date". */
function labelOf(path: string): string {
  const [name = "", index, part] = path.split(".");
  if (part === undefined) return fieldLabel(name);
  const label = CHARGEBACK_ROWS[part as ItemFieldName]?.label;
  return `Additional chargeback ${Number(index) + 1}, ${label}`;
}
