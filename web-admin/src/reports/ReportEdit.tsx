import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useMemo, useState } from "react";
import { FormProvider, useFormContext, useWatch } from "react-hook-form";
import { Link as RouterLink, useParams } from "react-router-dom";
import type { AdminReportDetail, FullReport } from "#contracts/http/report-view.ts";
import { CHARGEBACK_ROWS } from "#contracts/report/derive/fields.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { EDIT } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { paths } from "../config/paths.ts";
import {
  type EditValues,
  editGroups,
  editOf,
  editProblems,
  type ItemFieldName,
  totalDueOf,
  valuesOf,
} from "../record/edit-values.ts";
import { KeptBack, useReveal } from "../record/KeptBack.tsx";
import { RecordSkeleton, ReportLoadError } from "../record/ReportLoadError.tsx";
import { personName, type ShownReport } from "../record/record-fields.ts";
import { useReport } from "../record/use-report.ts";
import { counted } from "../shared/formats.ts";
import { fieldLabel } from "../shared/labels.ts";
import { PageHeading } from "../shared/page.tsx";
import { SaveBar } from "../shared/SaveBar.tsx";
import { useCheckedForm } from "../shared/versions/use-checked-form.ts";
import { EditFieldset, EditItems } from "./EditFields.tsx";

/** Loads a report and shows its edit form. */
export function ReportEdit() {
  const { id = "" } = useParams();
  const { data, error, refetch } = useReport(id);
  if (error) return <ReportLoadError id={id} error={error} onRetry={() => void refetch()} />;
  if (!data) return <RecordSkeleton />;
  if (data.own) return <Alert severity="info">{OWN_REPORT}</Alert>;
  return <EditForm key={data.id} report={data} />;
}

/** All fields of a report that can be edited. Only changed ones are sent. */
function EditForm({ report }: { readonly report: AdminReportDetail }) {
  const { id, report_type: type } = report;
  const reveal = useReveal(id);
  const edit = useCommand(id);
  // The report as it was loaded or revealed. Changes are compared with it.
  const [base, setBase] = useState<ShownReport>(report);
  const before = useMemo(() => valuesOf(base, type), [base, type]);
  const form = useCheckedForm<EditValues>(before, (values) =>
    editProblems(editOf(before, values, type), { report: base, type, now: Date.now() }),
  );

  const open = async () => {
    const full: FullReport | undefined = await reveal.open();
    if (!full) return full;
    const opened = { ...report, ...full };
    setBase(opened);
    form.reset(valuesOf(opened, type), { keepDirtyValues: true });
    return full;
  };
  const submit = form.handleSubmit(async (values) => {
    const done = await edit.run(EDIT, editOf(before, values, type), (error) => {
      if (!form.refuse(error)) form.setError("root", { type: "server" });
    });
    if (done) form.leave(paths.report(id));
  });
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
        <Box sx={{ display: "grid", gap: 2 }}>
          <KeptBack reveal={{ ...reveal, open }} canHide={false} />
          <ProblemSummary />
          {editGroups(type).map((group) => (
            <EditFieldset
              key={group.title}
              group={group}
              type={type}
              opened={reveal.full !== undefined}
              initialStatus={report.status}
            >
              {group.title === "Amounts" && <LiveTotal type={type} />}
            </EditFieldset>
          ))}
          <EditItems
            count={report.chargebacks.length}
            opened={reveal.full !== undefined}
            onOpen={open}
            opening={reveal.running}
          />
        </Box>
        <EditBar id={id} before={before} type={type} saving={edit.running !== undefined} />
      </Box>
    </FormProvider>
  );
}

function EditBar({
  id,
  before,
  type,
  saving,
}: {
  readonly id: string;
  readonly before: EditValues;
  readonly type: AdminReportDetail["report_type"];
  readonly saving: boolean;
}) {
  const values = useWatch<EditValues>() as EditValues;
  const changes = Object.keys(editOf(before, values, type)).filter((n) => n !== "reason").length;
  return (
    <SaveBar status={changes === 0 ? "Nothing changed yet" : counted(changes, "change", "changes")}>
      <Button component={RouterLink} to={paths.report(id)}>
        Cancel
      </Button>
      <Button type="submit" variant="contained" loading={saving} disabled={changes === 0}>
        Save changes
      </Button>
    </SaveBar>
  );
}

/** The total due, which follows what is typed. The total itself is never typed. */
function LiveTotal({ type }: { readonly type: ReportType }) {
  const values = useWatch<EditValues>() as EditValues;
  return (
    <Typography role="status" sx={{ mt: 2, fontVariantNumeric: "tabular-nums" }}>
      Total due: <strong>{formatMoney(totalDueOf(values, type), values.currency ?? "USD")}</strong>
    </Typography>
  );
}

function ProblemSummary() {
  const { formState, setFocus } = useFormContext<EditValues>();
  const problems = problemsIn(formState.errors);
  if (formState.submitCount === 0 || problems.length === 0) return null;
  return (
    <Alert severity="error" role="alert">
      {counted(problems.length, "field needs", "fields need")} another look before this can be
      saved:
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

/** Flattens the nested errors of the form to a list by path. */
function problemsIn(errors: object, above = ""): { path: string; message: string }[] {
  return Object.entries(errors).flatMap(([name, error]) => {
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
