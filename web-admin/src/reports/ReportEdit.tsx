import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useMemo, useState } from "react";
import { FormProvider, useFieldArray, useFormContext, useWatch } from "react-hook-form";
import { Link as RouterLink } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { MAX_CHARGEBACKS, type ReportField } from "#contracts/report/catalogue.ts";
import { choicesOf } from "#contracts/report/derive/amounts.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { countryOf, REGIONS, regionLabel } from "#contracts/report/regions.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { color } from "#theme/color.ts";
import { EDIT } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { paths } from "../config/paths.ts";
import {
  type EditFieldName,
  type EditRow,
  type EditValues,
  editGroups,
  editOf,
  editProblems,
  editRow,
  emptyItem,
  ITEM_FIELDS,
  type ItemFieldName,
  isRequired,
  totalDueOf,
  valuesOf,
} from "../record/edit-values.ts";
import { HiddenData, useReveal } from "../record/KeptBack.tsx";
import { OpenReport, useShownReport } from "../record/OpenReport.tsx";
import { isHiddenField, personName, type ShownReport } from "../record/record-fields.ts";
import { Field } from "../shared/fields.tsx";
import { counted } from "../shared/formats.ts";
import { fieldLabel } from "../shared/labels.ts";
import { PageHeading, Section } from "../shared/page.tsx";
import { SaveBar } from "../shared/SaveBar.tsx";
import { useCheckedForm } from "../shared/versions/use-checked-form.ts";

const GRID = {
  display: "grid",
  gap: 2,
  gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(2, minmax(0, 1fr))" },
} as const;

/** Form with all editable fields of a report. Only changed ones are sent. */
export function ReportEdit() {
  return (
    <OpenReport>
      <EditForm />
    </OpenReport>
  );
}

function EditForm() {
  const report = useShownReport();
  const { id, report_type: type, status, chargebacks } = report;
  const reveal = useReveal(id);
  const isOpened = reveal.full !== undefined;
  const edit = useCommand(id);
  // The report as loaded or revealed. Changes are computed against it.
  const [base, setBase] = useState<ShownReport>(report);
  const before = useMemo(() => valuesOf(base, type), [base, type]);
  const form = useCheckedForm<EditValues>(before, (values) =>
    editProblems(editOf(before, values, type), { report: base, type, now: Date.now() }),
  );
  const open = async () => {
    const full = await reveal.open();
    if (!full) return full;
    const opened = { ...report, ...full };
    setBase(opened);
    form.reset(valuesOf(opened, type), { keepDirtyValues: true });
    return full;
  };
  const submit = form.handleSubmit(async (typed) => {
    const done = await edit.run(EDIT, editOf(before, typed, type), (error) => {
      if (!form.refuse(error)) form.setError("root", { type: "server" });
    });
    if (done) form.leave(paths.report(id));
  });
  const fieldOf = (name: EditFieldName) => {
    const required = isRequired(name, type);
    if (name === "state") return <RegionField key={name} name={name} required={required} />;
    const isHidden =
      !isOpened && Object.hasOwn(REPORT_ROWS, name) && isHiddenField(name as ReportField);
    return (
      <EditField
        key={name}
        name={name}
        label={fieldLabel(name)}
        row={editRow(name)}
        required={required}
        placeholder={isHidden ? "Hidden" : undefined}
      />
    );
  };
  if (report.own) return <Alert severity="info">{OWN_REPORT}</Alert>;
  return (
    <FormProvider {...form}>
      <Box
        component="form"
        noValidate
        onSubmit={submit}
        sx={{ maxWidth: 880, display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}
      >
        <Box>
          <PageHeading title={`Edit ${personName(report)}`}>
            Edit the report about {personName(report)}
          </PageHeading>
          <Typography color="textSecondary">
            Only changed fields are saved; every change is logged.
          </Typography>
        </Box>
        <Box
          sx={{
            border: `1px solid ${color.privateLine}`,
            borderTopWidth: 0,
            "&, & > section": { borderRadius: 1 },
          }}
        >
          <HiddenData reveal={{ ...reveal, open }} canHide={false} />
        </Box>
        <ProblemSummary />
        {editGroups(type).map(({ title, fields }) => (
          <Section key={title} title={title}>
            <Box sx={{ ...GRID, pt: 1 }}>
              {fields.map(fieldOf)}
              {title === "Status" && status !== "rejected" && <RejectionReason />}
            </Box>
            {title === "Amounts" && <LiveTotal type={type} />}
          </Section>
        ))}
        {isOpened || chargebacks.length === 0 ? (
          <EditItems />
        ) : (
          <HiddenItems count={chargebacks.length} opening={reveal.running} onOpen={open} />
        )}
        <EditBar report={report} before={before} saving={edit.running !== undefined} />
      </Box>
    </FormProvider>
  );
}

// Components that update on each keystroke are separate, so that the form's fields don't rerender.

function RejectionReason() {
  const status = useWatch<EditValues, "status">({ name: "status" });
  if (status !== "rejected") return null;
  return <EditField name="reason" label="Reason for rejection" row={{ kind: "prose" }} required />;
}

function LiveTotal({ type }: { readonly type: ReportType }) {
  const values = useWatch<EditValues>() as EditValues;
  return (
    <Typography role="status" sx={{ mt: 2 }}>
      Total due: <strong>{formatMoney(totalDueOf(values, type), values.currency ?? "USD")}</strong>
    </Typography>
  );
}

function EditBar(props: {
  readonly report: AdminReportDetail;
  readonly before: EditValues;
  readonly saving: boolean;
}) {
  const { report, before, saving } = props;
  const values = useWatch<EditValues>() as EditValues;
  const changed = Object.keys(editOf(before, values, report.report_type));
  const changes = changed.filter((name) => name !== "reason").length;
  return (
    <SaveBar status={changes === 0 ? "Nothing changed yet" : counted(changes, "change", "changes")}>
      <Button component={RouterLink} to={paths.report(report.id)}>
        Cancel
      </Button>
      <Button type="submit" variant="contained" loading={saving} disabled={changes === 0}>
        Save changes
      </Button>
    </SaveBar>
  );
}

interface EditFieldProps {
  readonly name: string;
  readonly label: string;
  readonly row: EditRow;
  readonly options?: ReturnType<typeof choicesOf>;
  readonly required?: boolean;
  readonly placeholder?: string | undefined;
}

/** A field without its own validation: the form validates all fields together. */
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
          ...omitUndefined({ needs: required ? label : undefined, placeholder }),
          ...(kind === "choice" && { choices: Object.fromEntries(choices) }),
          ...(kind === "prose" && { isLong: true }),
          ...((kind === "date" || kind === "money") && { type: kind }),
        }}
      />
    </Box>
  );
}

/** The region: a choice if the selected country has a list, otherwise a text field. */
function RegionField(props: { readonly name: EditFieldName; readonly required: boolean }) {
  const [chosen, present = ""] = useWatch<EditValues, ["country", EditFieldName]>({
    name: ["country", props.name],
  });
  const country = countryOf(chosen);
  const listed = Object.entries(REGIONS[country]).map(
    ([code, name]) => [code, `${name} (${code})`] as const,
  );
  const isListed = listed.length === 0 || listed.some(([code]) => code === present);
  // A value that is no longer offered stays visible until another one is picked.
  const options = isListed || present === "" ? listed : [[present, present] as const, ...listed];
  return (
    <EditField
      {...props}
      label={regionLabel(country)}
      row={{ kind: listed.length > 0 ? "choice" : "line" }}
      options={options}
    />
  );
}

/** Additional chargebacks are always replaced as a whole: editing them while hidden would lose their hidden parts. */
function HiddenItems(props: {
  readonly count: number;
  readonly opening: boolean;
  readonly onOpen: () => unknown;
}) {
  const { count, opening, onOpen } = props;
  return (
    <Section title="Additional chargebacks">
      <Typography sx={{ mb: 1 }}>
        {counted(count, "additional chargeback has", "additional chargebacks have")} parts that are
        hidden. To edit {count === 1 ? "it" : "them"}, reveal the hidden data first; that is
        recorded in the history.
      </Typography>
      <Button variant="outlined" loading={opening} onClick={() => void onOpen()}>
        Reveal
      </Button>
    </Section>
  );
}

function EditItems() {
  const { fields, append, remove } = useFieldArray<EditValues, "chargebacks">({
    name: "chargebacks",
  });
  const add = (
    <Button
      variant="outlined"
      disabled={fields.length >= MAX_CHARGEBACKS}
      onClick={() => append(emptyItem())}
    >
      Add
    </Button>
  );
  return (
    <Section title="Additional chargebacks" action={add}>
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
            {ITEM_FIELDS.map((name) => (
              <EditField
                key={name}
                name={`chargebacks.${index}.${name}`}
                label={CHARGEBACK_ROWS[name].label}
                row={CHARGEBACK_ROWS[name]}
                required={CHARGEBACK_ROWS[name].required === true}
              />
            ))}
          </Box>
        </Box>
      ))}
    </Section>
  );
}

function ProblemSummary() {
  const { formState, setFocus } = useFormContext<EditValues>();
  const problems = problemsIn(formState.errors);
  if (formState.submitCount === 0 || problems.length === 0) return null;
  return (
    <Alert severity="error" role="alert">
      {counted(problems.length, "field needs", "fields need")} to be fixed before you can save:
      <Box component="ul" sx={{ listStyle: "disc", pl: 2.5 }}>
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

function problemsIn(errors: object, above = ""): { path: string; message: string }[] {
  return Object.entries(errors).flatMap(([name, error]) => {
    if (typeof error !== "object" || error === null || name === "ref" || name === "root") return [];
    const path = `${above}${name}`;
    const { message } = error as { message?: unknown };
    return typeof message === "string" ? [{ path, message }] : problemsIn(error, `${path}.`);
  });
}

/** Returns e.g. "Additional chargeback 1, Date" for `chargebacks.0.date`. */
function labelOf(path: string): string {
  const [name = "", index, part] = path.split(".");
  if (part === undefined) return fieldLabel(name);
  const label = CHARGEBACK_ROWS[part as ItemFieldName]?.label;
  return `Additional chargeback ${Number(index) + 1}, ${label}`;
}
