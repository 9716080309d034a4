import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useRef, useState } from "react";
import { FormProvider } from "react-hook-form";
import { FormDialog } from "../AskDialog.tsx";
import { Field, type FormField, linesOf } from "../fields.tsx";
import { PageHeading, Section } from "../page.tsx";
import { Instant } from "../parts.tsx";
import { useRead } from "../reads.ts";
import { SaveBar } from "../SaveBar.tsx";
import { Loaded } from "../states.tsx";
import { typedSince, useCheckedForm } from "./use-checked-form.ts";
import { type CommandSet, type Outcome, useCommands } from "./use-commands.ts";
import { Difference, type VersionEvent, VersionHistory } from "./VersionHistory.tsx";

interface Place {
  readonly resource: string;
  /** Singular noun for the record: "template". */
  readonly what: string;
  /** URL in the API. */
  readonly url: string;
  /** Path of the list that it belongs to. */
  readonly list: string;
}

/** Loads a versioned record for an editor. */
export function VersionedPage<R extends { readonly id: string }>(props: {
  readonly place: Place;
  /** Why it may not exist. */
  readonly absence: string;
  readonly all: string;
  /** `reload` refetches the record; undefined if that failed. */
  readonly children: (record: R, reload: () => Promise<R | undefined>) => ReactNode;
}) {
  const { place, absence, all, children } = props;
  const { resource, what, url, list } = place;
  const query = useRead<R>([resource, "detail", url], url, {
    gcTime: 0,
    // What is typed is based on the record as opened, so it isn't refetched automatically.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const reload = async () => {
    const { isError, data } = await query.refetch();
    return isError || !data?.id ? undefined : data;
  };
  return (
    <Loaded query={query} what={what} absence={absence} list={list} all={all}>
      {(record) => children(record, reload)}
    </Loaded>
  );
}

/** A command about the edited record, other than saving it. */
export interface Action {
  readonly name: string;
  readonly label: string;
  /** Asked first; without it, the command is sent immediately. */
  readonly question?: {
    readonly title: string;
    readonly consequence: string;
    readonly confirm: string;
  };
  readonly isPrimary?: boolean;
  /** Whether it saves unsaved changes first; otherwise the action is disabled until they are saved. */
  readonly savesFirst?: boolean;
}

interface Versioned<E> {
  readonly id: string;
  readonly revision: number;
  readonly history: readonly E[];
}

/** How a kind of record is edited: `R` is the record, `T` one version of it, `V` the form's values. */
export interface Editing<R extends Versioned<E>, T extends object, V, E extends VersionEvent> {
  readonly commands: CommandSet;
  readonly textOf: (record: R) => T;
  readonly valuesOf: (text: T) => V;
  /** The body of a save request. Expects valid values. */
  readonly bodyOf: (values: V, record: R) => object;
  readonly fieldsOf: (record: R) => readonly FormField<keyof V & string>[];
  readonly titleOf: (record: R) => string;
  readonly sentenceOf: (event: E) => string;
  /** Type of an event that changes nothing. */
  readonly harmless: string;
  readonly statusOf: (record: R, isDirty: boolean) => string;
  readonly actionsOf: (record: R, isDirty: boolean) => readonly Action[];
  /** Name of the current version: "draft". */
  readonly present: string;
  readonly part: string;
  readonly save: string;
}

/** Places fields and their preview side by side. */
export const sideBySide = {
  display: "grid",
  gap: 2,
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "1fr 1fr" },
} as const;
/** Layout of a page with sections. */
export const stacked = {
  maxWidth: 1280,
  display: "grid",
  gap: 2,
  gridTemplateColumns: "minmax(0, 1fr)",
} as const;

/** A versioned record with its fields, preview and history. Edits are based on the revision that was opened. */
export function VersionedEditor<
  R extends Versioned<E>,
  T extends object,
  V extends Record<string, string>,
  E extends VersionEvent,
>(props: {
  readonly of: Editing<R, T, V, E>;
  readonly place: Place;
  readonly record: R;
  readonly reload: () => Promise<R | undefined>;
  /** Status and facts below the title, and buttons. */
  readonly facts: (record: R, isBusy: boolean) => ReactNode;
  readonly preview: (values: V) => ReactNode;
  /** Between the buttons and the history. */
  readonly children?: ReactNode;
}) {
  const { of, place, reload } = props;
  const commands = useCommands(of.commands);
  /** The record as opened here, or as of the last command sent from here. */
  const [base, setBase] = useState(props.record);
  const [theirs, setTheirs] = useState<R>();
  const [asked, setAsked] = useState<Action>();
  const { revision } = base;
  const opened = of.valuesOf(of.textOf(base));
  const fields = of.fieldsOf(base);
  const linesOfText = (text: T) => linesOf(fields, of.valuesOf(text));
  const form = useCheckedForm<V>(opened);
  const { isDirty } = form.formState;
  const values = form.watch();
  const typed = () => typedSince(opened, form.getValues());
  /** The form's values when the last command was sent. */
  const sent = useRef(values);

  function send(name: string, body: object) {
    sent.current = form.getValues();
    return commands.send(name, place.url, body);
  }
  async function save() {
    if (!(await form.check())) return undefined;
    return send("edit", { revision, ...of.bodyOf(form.getValues(), base) });
  }
  /** Updates the form after a command. What was typed while it ran stays. */
  async function settle(outcome: Outcome | undefined): Promise<void> {
    if (outcome?.state === "changed") {
      setAsked(undefined);
      setTheirs(await reload());
    }
    // Field errors show on the form, so close the dialog.
    if (outcome?.state === "failed" && form.refuse(outcome.error)) setAsked(undefined);
    if (outcome?.state !== "done") return;
    const after = await reload();
    // Further commands need the new revision, even if the record can't be loaded.
    if (!after) return setBase({ ...base, revision: outcome.revision });
    setBase(after);
    form.rebase(of.valuesOf(of.textOf(after)), typedSince(sent.current, form.getValues()));
  }
  async function take({ name, savesFirst }: Action): Promise<void> {
    const saved = savesFirst ? await save() : undefined;
    if (savesFirst && !saved) return setAsked(undefined);
    if (saved && saved.state !== "done") return settle(saved);
    const outcome = await send(name, { revision: saved?.revision ?? revision });
    if (name === "delete" && outcome.state === "done") return form.leave(place.list);
    // If the command is rejected after saving, what was saved is the draft now.
    if (saved && outcome.state === "changed") setBase({ ...base, revision: saved.revision });
    else if (saved && outcome.state !== "done") await settle(saved);
    await settle(outcome);
    if (outcome.state === "done") setAsked(undefined);
  }
  function begin(action: Action) {
    commands.clear();
    if (action.question) setAsked(action);
    else void take(action);
  }
  function goOn(from: R, keepsMine: boolean) {
    setBase(from);
    form.rebase(of.valuesOf(of.textOf(from)), keepsMine ? typed() : {});
    setTheirs(undefined);
    commands.clear();
  }

  function discard() {
    commands.clear();
    form.rebase(opened);
  }

  const isBusy = commands.running !== undefined || theirs !== undefined;
  const actions = of.actionsOf(base, isDirty);
  const isSavedByAction = actions.some(({ savesFirst }) => savesFirst);
  const button = (action: Action) => (
    <Button
      key={action.name}
      variant={action.isPrimary && (action.savesFirst || !isDirty) ? "contained" : "outlined"}
      color={action.name === "delete" ? "warning" : "primary"}
      disabled={isBusy || (isDirty && !action.savesFirst)}
      loading={!action.question && commands.running === action.name}
      onClick={() => begin(action)}
    >
      {action.label}
    </Button>
  );
  return (
    <Box sx={stacked}>
      <Box sx={{ display: "grid", gap: 0.5 }}>
        <PageHeading title={of.titleOf(base)}>{of.titleOf(base)}</PageHeading>
        <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
          {props.facts(base, isBusy || isDirty)}
          <Box sx={{ ml: { sm: "auto" } }}>
            {actions.filter(({ name }) => name === "delete").map(button)}
          </Box>
        </Box>
      </Box>
      {theirs && (
        <Conflict
          what={place.what}
          theirs={linesOfText(of.textOf(theirs))}
          mine={linesOf(fields, { ...of.valuesOf(of.textOf(theirs)), ...typed() })}
          onUseTheirs={() => goOn(theirs, false)}
          onKeepMine={() => goOn(theirs, true)}
        >
          {theirs.history
            .filter((event) => event.revision > revision && event.type !== of.harmless)
            .map((event) => (
              <li key={event.revision}>
                {of.sentenceOf(event)}
                {event.at && ", "}
                {event.at && <Instant at={event.at} />}
              </li>
            ))}
        </Conflict>
      )}
      <Box sx={sideBySide}>
        <Section title={of.part}>
          <Box
            component="form"
            noValidate
            sx={{ display: "grid", gap: 2 }}
            id="versioned"
            onSubmit={(event) => {
              event.preventDefault();
              if (!isBusy) void save().then(settle);
            }}
          >
            <FormProvider {...form}>
              {fields.map((field) => (
                <Field key={field.source} field={field} id={`text-${field.source}`} />
              ))}
            </FormProvider>
          </Box>
        </Section>
        {props.preview(values)}
      </Box>
      <SaveBar status={of.statusOf(base, isDirty)} failure={asked ? undefined : commands.failure}>
        {isDirty && (
          <Button onClick={discard} disabled={isBusy}>
            Discard changes
          </Button>
        )}
        {actions.filter(({ name }) => name !== "delete").map(button)}
        <Button
          type="submit"
          form="versioned"
          variant={isDirty && !isSavedByAction ? "contained" : "outlined"}
          loading={commands.running === "edit"}
          disabled={!isDirty || isBusy}
        >
          {of.save}
        </Button>
      </SaveBar>
      {props.children}
      <VersionHistory
        events={base.history}
        sentenceOf={of.sentenceOf}
        present={of.present}
        lines={linesOf(fields, opened)}
        url={place.url}
        linesOf={linesOfText}
        onRestore={
          isDirty || isBusy
            ? undefined
            : (version) => void send("restore", { revision, version }).then(settle)
        }
      />
      {asked?.question && (
        <FormDialog
          {...asked.question}
          isFinal={asked.name === "delete"}
          running={commands.running !== undefined}
          failure={commands.failure}
          onSubmit={() => void take(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Box>
  );
}

/** Shows who changed the record in the meantime and the differences, and asks which version to continue with. */
function Conflict(props: {
  readonly what: string;
  /** List items for changes by others since it was opened here. */
  readonly children: ReactNode;
  /** The current version, as lines. */
  readonly theirs: readonly string[];
  /** The form's values, as lines. */
  readonly mine: readonly string[];
  readonly onUseTheirs: () => void;
  readonly onKeepMine: () => void;
}) {
  return (
    <Section title="Someone else saved first">
      <Alert severity="warning" role="alert" sx={{ mb: 2 }}>
        This {props.what} has changed since you opened it. Nothing was overwritten, and your changes
        are still here.
      </Alert>
      <Box component="ul" sx={{ listStyle: "disc", mb: 2, pl: 2.5 }}>
        {props.children}
      </Box>
      <Box component="h3" sx={{ m: 0, mb: 1, typography: "h3" }}>
        Differences: theirs (−) and yours (+)
      </Box>
      <Difference before={props.theirs} after={props.mine} label="Their version and yours" />
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", mt: 2 }}>
        <Button variant="contained" onClick={props.onUseTheirs}>
          Use theirs
        </Button>
        <Button variant="outlined" onClick={props.onKeepMine}>
          Keep mine
        </Button>
      </Box>
    </Section>
  );
}
