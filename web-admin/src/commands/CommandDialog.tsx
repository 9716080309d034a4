import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Queue, TakenByOther } from "#contracts/http/queue.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { REJECTION_REASONS } from "#contracts/report/words.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { AskDialog, FormDialog, type Typed } from "../shared/AskDialog.tsx";
import type { FormField } from "../shared/fields.tsx";
import { useOffered, useProvider, useSettings } from "../shared/reads.ts";
import { takenByText } from "./labels.ts";
import type { PageCommand, Question } from "./report-commands.ts";
import type { CommandSender } from "./use-command.ts";

/** The dialog of a command that asks a question. */
export function CommandDialog(props: {
  readonly command: PageCommand;
  readonly report: AdminReport;
  /** Name of the reported person. */
  readonly name: string;
  readonly sender: CommandSender;
  readonly hasKeys?: boolean;
  readonly onConfirm: (answer: object) => void;
  readonly onClose: () => void;
}) {
  const { command, report, name, sender, hasKeys = false, onConfirm, onClose } = props;
  const { title, consequence, fields, ...words } = command.asks as Question;
  const { data: settings } = useSettings();
  return (
    <AskDialog
      {...words}
      title={title(name)}
      consequence={consequence(report, settings?.eraseHours)}
      fields={useOfferedFields(fields, hasKeys)}
      draft={`${report.id} ${command.label}`}
      hasKeys={hasKeys}
      isFinal={command.isApart ?? false}
      running={sender.running !== undefined}
      failure={sender.failure}
      onSend={onConfirm}
      onClose={onClose}
    />
  );
}

/** The fields of a question, without the rejection reasons that admins have turned off. */
export function useOfferedFields(fields: Question["fields"], hasKeys = false) {
  const offered = useOffered(Object.keys(REJECTION_REASONS));
  const words: Readonly<Record<string, string>> = REJECTION_REASONS;
  return (now: Typed): readonly FormField[] =>
    (fields?.(now) ?? []).map((field) =>
      field.isNumbered
        ? {
            ...field,
            choices: Object.fromEntries(offered.map((code) => [code, words[code] ?? code])),
            ...(hasKeys && {
              help: "Press a number to reject right away. You can undo it for 60 seconds.",
            }),
          }
        : field,
    );
}

/** Returns the claim of another moderator on this report, if any. */
export const claimOn = (queue: Queue | undefined, reportId: string): TakenByOther | undefined =>
  queue?.taken.find(({ report_id }) => report_id === reportId);

/** Asks whether to decide a report that another moderator currently has. */
export function useClaimQuestion(reportId: string) {
  const provider = useProvider();
  const [asked, setAsked] = useState<{ taken: TakenByOther; answer: (goOn: boolean) => void }>();
  const answer = (goOn: boolean) => {
    setAsked(undefined);
    asked?.answer(goOn);
  };
  return {
    /** @returns whether to continue. */
    async confirmIfClaimed(): Promise<boolean> {
      // Showing who has it is a courtesy: a failed read must not block the decision.
      const taken = claimOn(await provider.queue().catch(() => undefined), reportId);
      return !taken || new Promise((resolve) => setAsked({ taken, answer: resolve }));
    },
    question: asked && (
      <FormDialog
        title="Decide anyway?"
        consequence={`${takenByText(asked.taken)} If both of you decide, only the first decision counts.`}
        confirm="Decide"
        cancel="Cancel"
        isFinal
        running={false}
        failure={undefined}
        onSubmit={() => answer(true)}
        onClose={() => answer(false)}
      />
    ),
  };
}

/** The query for the reports waiting for this moderator and those claimed by others. */
export const queueQuery = (provider: ConsoleDataProvider) =>
  ({
    queryKey: ["queue"],
    queryFn: () => provider.queue(),
    retry: false,
    // When offline, fail immediately instead of waiting for the network.
    networkMode: "always",
  }) as const;

/** Interval in milliseconds for refetching the queue while another moderator has the report. */
const AGAIN_MS = 10_000;

/** Returns the queue for use next to a report (undefined until loaded), and who else has the report now. */
export function useQueueForReport(reportId: string) {
  const provider = useProvider();
  const { data: queue, isFetchedAfterMount } = useQuery({
    ...queueQuery(provider),
    // A report that is claimed and released within a second does not appear in the change stream.
    refetchInterval: ({ state }) => (claimOn(state.data, reportId) ? AGAIN_MS : false),
  });
  return { queue, taken: isFetchedAfterMount ? claimOn(queue, reportId) : undefined };
}
