import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useRef, useState } from "react";
import { useDataProvider, useWarnWhenUnsavedChanges } from "react-admin";
import { useNavigate } from "react-router-dom";
import type {
  TemplateBody,
  TemplateCommandName,
  TemplateRecord,
  TemplateText,
} from "#contracts/http/admin-templates.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Section } from "../shared/Section.tsx";
import { StepDialog } from "../shared/StepDialog.tsx";
import { typedSince, useCheckedForm } from "../shared/use-checked-form.ts";
import type { Outcome } from "../shared/use-commands.ts";
import { Conflict } from "../shared/versions/Conflict.tsx";
import { VersionHistory } from "../shared/versions/VersionHistory.tsx";
import { NewTemplateDialog } from "./NewTemplateDialog.tsx";
import { Preview } from "./Preview.tsx";
import { TemplateBar } from "./TemplateBar.tsx";
import { TemplateFields } from "./TemplateFields.tsx";
import { TemplateHeading } from "./TemplateHeading.tsx";
import {
  changedSince,
  happenedTo,
  type StepName,
  stepsFor,
  stepWords,
  templateLines,
  templateProblems,
} from "./template-words.ts";
import { useTemplateCommands } from "./use-template-commands.ts";
import { Variables } from "./Variables.tsx";

const textOf = ({ name, subject, body }: TemplateText): TemplateText => ({ name, subject, body });

/** A template with its words, preview and history. What is typed counts for the revision that was opened. */
export function TemplateEditor(props: {
  readonly record: TemplateRecord;
  /** Reads the template again; undefined when that failed, which its page then says. */
  readonly reload: () => Promise<TemplateRecord | undefined>;
}) {
  const { reload } = props;
  const provider = useDataProvider<ConsoleDataProvider>();
  const navigate = useNavigate();
  const commands = useTemplateCommands();
  /** The template as it was opened here, or left by a command from here. */
  const [base, setBase] = useState(props.record);
  const [theirs, setTheirs] = useState<TemplateRecord>();
  const [step, setStep] = useState<StepName>();
  const [isCopying, setCopying] = useState(false);
  const [isGone, setGone] = useState(false);
  const { kind, id, revision } = base;
  const form = useCheckedForm<TemplateText>(textOf(base), templateProblems);
  const { isDirty } = form.formState;
  const values = form.watch();
  /** What was typed when the last command was sent. */
  const sent = useRef(values);
  useWarnWhenUnsavedChanges(!isGone, undefined, form.control as never);
  useEffect(() => {
    if (isGone) navigate(paths.templates);
  }, [isGone, navigate]);

  function send<N extends TemplateCommandName>(name: N, body: TemplateBody<N>) {
    sent.current = form.getValues();
    return commands.send(name, kind, id, body);
  }
  /** Goes on from the template as a command left it. What was typed while it ran stays. */
  async function settle(outcome: Outcome): Promise<void> {
    if (outcome.state === "changed") {
      setStep(undefined);
      setTheirs(await reload());
    }
    // What is wrong stands at its field, behind the dialog.
    if (outcome.state === "failed" && form.refuse(outcome.error)) setStep(undefined);
    if (outcome.state !== "done") return;
    const after = await reload();
    if (!after) return;
    setBase(after);
    form.rebase(textOf(after), typedSince(sent.current, form.getValues()));
    setStep(undefined);
  }
  async function save() {
    if (!(await form.check())) return;
    const { name, subject, body } = form.getValues();
    const text = { name: name.trim(), subject: subject.trim(), body };
    await settle(await send("edit", { revision, ...text }));
  }
  async function take(name: StepName) {
    const outcome = await send(name, { revision });
    if (name === "delete" && outcome.state === "done") setGone(true);
    else await settle(outcome);
  }
  function goOn(from: TemplateRecord, keepsMine: boolean) {
    const mine = form.getValues();
    setBase(from);
    form.rebase(textOf(from), keepsMine ? mine : {});
    setTheirs(undefined);
    commands.clear();
  }
  const begin = (name: StepName) => {
    commands.clear();
    setStep(name);
  };

  const isBusy = commands.running !== undefined || theirs !== undefined;
  return (
    <Box sx={{ maxWidth: 1280, display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <TemplateHeading record={base}>
        <Button variant="outlined" disabled={isBusy || isDirty} onClick={() => setCopying(true)}>
          Duplicate
        </Button>
        {stepsFor(base.status).includes("delete") && (
          <Button
            variant="outlined"
            color="warning"
            disabled={isBusy || isDirty}
            onClick={() => begin("delete")}
          >
            Delete
          </Button>
        )}
      </TemplateHeading>
      {theirs && (
        <Conflict
          what="template"
          events={happenedTo(changedSince(theirs.history, revision))}
          theirs={templateLines(theirs)}
          mine={templateLines(values)}
          onUseTheirs={() => goOn(theirs, false)}
          onKeepMine={() => goOn(theirs, true)}
        />
      )}
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "1fr 1fr" },
        }}
      >
        <Section title="Words">
          <Box
            component="form"
            noValidate
            sx={{ display: "grid", gap: 2 }}
            id="template-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (!isBusy) void save();
            }}
          >
            <TemplateFields control={form.control} />
          </Box>
        </Section>
        <Preview kind={kind} subject={values.subject} body={values.body} />
      </Box>
      <TemplateBar
        form="template-form"
        kind={kind}
        status={base.status}
        isDirty={isDirty}
        isBusy={isBusy}
        running={commands.running}
        failure={step ? undefined : commands.failure}
        onDiscard={() => form.rebase(textOf(base))}
        onTest={() => void send("test", { revision }).then(settle)}
        onStep={begin}
      />
      <Variables kind={kind} />
      <VersionHistory
        events={happenedTo(base.history)}
        empty="Nothing has happened yet."
        present="present version"
        lines={templateLines(base)}
        of={["templates", kind, id]}
        read={async (at) => {
          const { data } = await provider.templateVersion(kind, id, at);
          return data?.body === undefined ? undefined : templateLines(data);
        }}
        onRestore={
          isDirty || isBusy
            ? undefined
            : (version) => void send("restore", { revision, version }).then(settle)
        }
      />
      {step && (
        <StepDialog
          step={stepWords(step, kind)}
          name={base.name}
          isFinal={step === "delete"}
          running={commands.running !== undefined}
          failure={commands.failure}
          onConfirm={() => void take(step)}
          onClose={() => setStep(undefined)}
        />
      )}
      {isCopying && <NewTemplateDialog of={base} onClose={() => setCopying(false)} />}
      {commands.dialog}
    </Box>
  );
}
