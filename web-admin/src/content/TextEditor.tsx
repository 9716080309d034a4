import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useEffect, useRef, useState } from "react";
import { useDataProvider, useWarnWhenUnsavedChanges } from "react-admin";
import { useNavigate } from "react-router-dom";
import { CONTENT_KINDS, contentPath } from "#contracts/content/content-rules.ts";
import type { ContentBody, ContentCommandName, ContentRecord } from "#contracts/http/content.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { StepDialog } from "../shared/StepDialog.tsx";
import { typedSince } from "../shared/use-checked-form.ts";
import type { Outcome } from "../shared/use-commands.ts";
import { Conflict } from "../shared/versions/Conflict.tsx";
import { VersionHistory } from "../shared/versions/VersionHistory.tsx";
import { EditorBar } from "./EditorBar.tsx";
import { Preview } from "./Preview.tsx";
import { StandingChip } from "./StandingChip.tsx";
import { TextFields } from "./TextFields.tsx";
import { textOf, valuesOf } from "./text-values.ts";
import {
  changedSince,
  happenedTo,
  type StepName,
  stepsFor,
  stepWords,
  textLines,
} from "./text-words.ts";
import { useTextCommands } from "./use-text-commands.ts";
import { useTextForm } from "./use-text-form.ts";

/** A text with its draft, preview and history. What is typed counts for the revision that was opened. */
export function TextEditor(props: {
  readonly record: ContentRecord;
  /** Reads the text again; undefined when that failed, which its page then says. */
  readonly reload: () => Promise<ContentRecord | undefined>;
}) {
  const { reload } = props;
  const provider = useDataProvider<ConsoleDataProvider>();
  const navigate = useNavigate();
  const commands = useTextCommands();
  /** The text as it was opened here, or left by a command from here. */
  const [base, setBase] = useState(props.record);
  const [theirs, setTheirs] = useState<ContentRecord>();
  const [step, setStep] = useState<StepName>();
  const [isGone, setGone] = useState(false);
  const { id, type, slug, revision } = base;
  const form = useTextForm(type, valuesOf(base.text));
  const { isDirty } = form.formState;
  const values = form.watch();
  /** What was typed when the last command was sent. */
  const sent = useRef(values);
  useWarnWhenUnsavedChanges(!isGone, undefined, form.control as never);
  useEffect(() => {
    if (isGone) navigate(paths.content);
  }, [isGone, navigate]);

  function send<N extends ContentCommandName>(name: N, body: ContentBody<N>) {
    sent.current = form.getValues();
    return commands.send(name, id, body);
  }
  /** Goes on from the text as a command left it. What was typed while it ran stays. */
  async function settle(outcome: Outcome): Promise<boolean> {
    if (outcome.state === "changed") {
      setStep(undefined);
      setTheirs(await reload());
      return false;
    }
    if (outcome.state === "failed" && form.refuse(outcome.error)) setStep(undefined);
    if (outcome.state !== "done") return false;
    const after = await reload();
    if (!after) return false;
    setBase(after);
    form.rebase(valuesOf(after.text), typedSince(sent.current, form.getValues()));
    return true;
  }
  async function save(): Promise<Outcome | undefined> {
    if (!(await form.check())) return undefined;
    const text = textOf(type, form.getValues());
    return send("edit", { revision, ...text });
  }
  async function take(name: StepName) {
    if (name === "delete") {
      const outcome = await send("delete", { revision });
      if (outcome.state === "done") setGone(true);
      else await settle(outcome);
      return;
    }
    const isSavedFirst = name === "publish" && isDirty;
    const saved = isSavedFirst ? await save() : undefined;
    // What is wrong stands at its field, behind the dialog.
    if (isSavedFirst && !saved) return setStep(undefined);
    if (saved && saved.state !== "done") return void (await settle(saved));
    const at = saved?.state === "done" ? saved.revision : revision;
    const outcome = await send(name, { revision: at });
    // What was saved before a refusal is the draft now.
    if (saved && outcome.state === "failed") await settle(saved);
    if (await settle(outcome)) setStep(undefined);
  }
  const discard = () => form.rebase(valuesOf(base.text));
  function goOn(from: ContentRecord, keepsMine: boolean) {
    setBase(from);
    form.rebase(valuesOf(from.text), keepsMine ? form.getValues() : {});
    setTheirs(undefined);
    commands.clear();
  }

  const steps = stepsFor(isDirty ? { ...base, has_changes: true } : base);
  return (
    <Box sx={{ maxWidth: 1280 }}>
      <Heading record={base} />
      <Box sx={{ display: "grid", gap: 2, mt: 2 }}>
        {theirs && (
          <Conflict
            what="text"
            events={happenedTo(changedSince(theirs.history, revision))}
            theirs={textLines(type, theirs.text)}
            mine={textLines(type, textOf(type, values))}
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
          <Section title="Draft">
            <Box
              component="form"
              noValidate
              sx={{ display: "grid", gap: 2 }}
              id="text-form"
              onSubmit={(event) => {
                event.preventDefault();
                void save().then((outcome) => outcome && settle(outcome));
              }}
            >
              <TextFields kind={type} control={form.control} />
            </Box>
          </Section>
          <Preview body={values.body} />
        </Box>
        <EditorBar
          form="text-form"
          isDirty={isDirty}
          steps={steps}
          record={base}
          isBlocked={theirs !== undefined}
          running={commands.running}
          failure={step ? undefined : commands.failure}
          onStep={(name) => {
            commands.clear();
            setStep(name);
          }}
          onDiscard={discard}
        />
        <VersionHistory
          events={happenedTo(base.history)}
          empty="Nobody has changed this text: it is as it came with the software."
          present="draft"
          lines={textLines(type, base.text)}
          of={["content", id]}
          read={async (at) => {
            const { data } = await provider.textVersion(id, at);
            return data?.body === undefined ? undefined : textLines(type, data);
          }}
          onRestore={
            isDirty || theirs || commands.running
              ? undefined
              : (version) => void send("restore", { revision, version }).then(settle)
          }
        />
      </Box>
      {step && (
        <StepDialog
          step={stepWords(step, { type, slug })}
          name={base.text.title}
          isFinal={step === "delete"}
          running={commands.running !== undefined}
          failure={commands.failure}
          onConfirm={() => void take(step)}
          onClose={() => setStep(undefined)}
        />
      )}
    </Box>
  );
}

function Heading({ record }: { readonly record: ContentRecord }) {
  const { type, slug, status, has_changes, version, text } = record;
  const path = contentPath(type, slug);
  return (
    <Box sx={{ display: "grid", gap: 0.5 }}>
      <PageHeading title={text.title}>{text.title}</PageHeading>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
        <StandingChip status={status} has_changes={has_changes} />
        <Typography color="textSecondary">
          {CONTENT_KINDS[type]}
          {version && `, version ${version}`}
        </Typography>
        {status === "published" ? (
          <Link href={path} target="_blank" rel="noopener">
            Open {path} on the site
          </Link>
        ) : (
          <Typography color="textSecondary">{path}, not on the site</Typography>
        )}
      </Box>
    </Box>
  );
}
