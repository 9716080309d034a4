import { type ReactNode, useState } from "react";
import { useDataProvider } from "react-admin";
import type { TakenByOther } from "#contracts/http/queue.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { TakenDialog } from "./TakenByOther.tsx";

interface Asked {
  readonly taken: TakenByOther;
  readonly answer: (goOn: boolean) => void;
}

/** Asks whether to go on where another moderator has the report. */
export function useTakenQuestion(reportId: string): {
  /** @returns whether to go on. */
  readonly mayGoOn: () => Promise<boolean>;
  /** The open question, to be placed anywhere in the page. */
  readonly question: ReactNode;
} {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [asked, setAsked] = useState<Asked>();
  return {
    async mayGoOn() {
      // Who has it is a courtesy: a decision does not fail because that cannot be read.
      const queue = await provider.queue().catch(() => undefined);
      const taken = queue?.taken.find(({ report_id }) => report_id === reportId);
      if (!taken) return true;
      return new Promise<boolean>((resolve) => setAsked({ taken, answer: resolve }));
    },
    question: asked && (
      <TakenDialog
        taken={asked.taken}
        onAnswer={(goOn) => {
          setAsked(undefined);
          asked.answer(goOn);
        }}
      />
    ),
  };
}
