import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useEffect, useMemo, useState } from "react";
import { useWarnWhenUnsavedChanges } from "react-admin";
import { FormProvider, type Resolver, useForm, useWatch } from "react-hook-form";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import type { AdminReportDetail, FullReport } from "#contracts/http/report-view.ts";
import { color } from "#theme/color.ts";
import { paths } from "../../config/paths.ts";
import { ApiError } from "../../data/api-error.ts";
import { counted } from "../../shared/formats.ts";
import { PageHeading } from "../../shared/PageHeading.tsx";
import { EDIT } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { KeptBack } from "../record/KeptBack.tsx";
import { personName } from "../record/person-name.ts";
import type { ShownReport } from "../record/record-fields.ts";
import { useReveal } from "../record/use-reveal.ts";
import { EditFieldset } from "./EditFieldset.tsx";
import { EditItems } from "./EditItems.tsx";
import { editGroups } from "./edit-fields.ts";
import { editProblems } from "./edit-problems.ts";
import { type EditValues, editOf, valuesOf } from "./edit-values.ts";
import { LiveTotal } from "./LiveTotal.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";

/** All fields of a report that can be edited. Only changed ones are sent. */
export function EditForm({ report }: { readonly report: AdminReportDetail }) {
  const { id, report_type: type } = report;
  const navigate = useNavigate();
  const reveal = useReveal(id);
  const edit = useCommand(id);
  // The report as it was loaded or revealed. Changes are compared with it.
  const [base, setBase] = useState<ShownReport>(report);
  const before = useMemo(() => valuesOf(base, type), [base, type]);
  const [saved, setSaved] = useState(false);

  const resolver: Resolver<EditValues> = (values) => {
    const context = { report: base, type, now: Date.now() };
    const problems = editProblems(editOf(before, values, type), context);
    const errors = nested(problems);
    return Object.keys(problems).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
  const form = useForm<EditValues>({ defaultValues: before, resolver, mode: "onTouched" });
  useWarnWhenUnsavedChanges(!saved, undefined, form.control as never);
  useEffect(() => {
    if (saved) navigate(paths.report(id));
  }, [saved, navigate, id]);

  const open = async () => {
    const full: FullReport | undefined = await reveal.open();
    if (!full) return full;
    const opened = { ...report, ...full };
    setBase(opened);
    form.reset(valuesOf(opened, type), { keepDirtyValues: true });
    return full;
  };
  const submit = form.handleSubmit(async (values) => {
    const change = editOf(before, values, type);
    const done = await edit.run(EDIT, change, (error) => {
      const fields = error instanceof ApiError ? error.fields : {};
      Object.entries(fields).forEach(([name, message], index) => {
        const options = { shouldFocus: index === 0 };
        form.setError(name as keyof EditValues, { type: "server", message }, options);
      });
      if (Object.keys(fields).length === 0) form.setError("root", { type: "server" });
    });
    if (done) setSaved(true);
  });
  return (
    <FormProvider {...form}>
      <Box component="form" noValidate onSubmit={submit} sx={{ maxWidth: 880 }}>
        <Box sx={{ mb: 2 }}>
          <PageHeading title={`Edit ${personName(report)}`}>
            Edit the report about {personName(report)}
          </PageHeading>
          <Typography color="textSecondary">
            Only what you change is sent. Each change stands in the history.
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
        <SaveBar id={id} before={before} type={type} saving={edit.running !== undefined} />
      </Box>
    </FormProvider>
  );
}

interface SaveBarProps {
  readonly id: string;
  readonly before: EditValues;
  readonly type: AdminReportDetail["report_type"];
  readonly saving: boolean;
}

function SaveBar({ id, before, type, saving }: SaveBarProps) {
  const values = useWatch<EditValues>() as EditValues;
  const changes = Object.keys(editOf(before, values, type)).filter((n) => n !== "reason").length;
  return (
    <Box
      sx={{
        position: "sticky",
        bottom: 0,
        zIndex: 10,
        mt: 2,
        mx: { xs: -2, md: 0 },
        mb: { xs: -2, md: -3 },
        p: 2,
        display: "flex",
        alignItems: "center",
        justifyContent: "flex-end",
        gap: 1,
        flexWrap: "wrap",
        bgcolor: "background.paper",
        border: `1px solid ${color.line}`,
      }}
    >
      <Typography
        sx={{ flex: { xs: "1 1 100%", sm: "1 1 0" } }}
        color="textSecondary"
        role="status"
      >
        {changes === 0 ? "Nothing changed yet" : counted(changes, "change", "changes")}
      </Typography>
      <Button component={RouterLink} to={paths.report(id)}>
        Cancel
      </Button>
      <Button type="submit" variant="contained" loading={saving} disabled={changes === 0}>
        Save changes
      </Button>
    </Box>
  );
}

/** Nests errors in the way of react-hook-form, e.g. that of `chargebacks.0.date`. */
function nested(problems: Readonly<Record<string, string>>): Record<string, unknown> {
  const errors: Record<string, unknown> = {};
  for (const [path, message] of Object.entries(problems)) {
    const steps = path.split(".");
    const last = steps.pop() as string;
    let at = errors;
    for (const step of steps) {
      at[step] ??= {};
      at = at[step] as Record<string, unknown>;
    }
    at[last] = { type: "validate", message };
  }
  return errors;
}
