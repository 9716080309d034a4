import { type ReactElement, useRef, useState } from "react";
import { useDataProvider } from "react-admin";
import { PROOF_MINUTES } from "#contracts/account/deadlines.ts";
import { ApiError, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { AskDialog } from "./AskDialog.tsx";
import type { FormField } from "./fields.tsx";

const PASSWORD: readonly FormField[] = [
  { source: "password", label: "Password", type: "password", needs: "Enter your password" },
];

export interface Proof {
  /**
   * Runs work that the server may refuse until the password was shown again. Then it is asked for, and
   * the work goes on by itself.
   * @returns undefined when anyone who was asked does not want to.
   */
  run<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** To be rendered where the work is started. */
  readonly dialog: ReactElement | null;
}

/** Asks for the password where the server wants it shown again. */
export function useProof(): Proof {
  const provider = useDataProvider<ConsoleDataProvider>();
  /** Resolves the pending prompt: whether the password was confirmed. */
  const answered = useRef<(shown: boolean) => void>(undefined);
  const [isAsking, setAsking] = useState(false);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();

  const ask = () =>
    new Promise<boolean>((resolve) => {
      answered.current = resolve;
      setFailure(undefined);
      setAsking(true);
    });
  const answer = (shown: boolean) => {
    setAsking(false);
    answered.current?.(shown);
  };
  const prove = async (password: string) => {
    setRunning(true);
    try {
      await provider.command("/prod/api/auth/prove", { password });
      answer(true);
    } catch (error) {
      setFailure(messageOf(error, "Couldn't check the password. Try again."));
    } finally {
      setRunning(false);
    }
  };
  return {
    async run(work) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "proof_required") throw error;
      }
      return (await ask()) ? work() : undefined;
    },
    dialog: isAsking ? (
      <AskDialog
        title="Enter your password again"
        consequence={`This step needs the password that you sign in with if you haven't entered it in the last ${PROOF_MINUTES} minutes.`}
        confirm="Continue"
        fields={PASSWORD}
        running={running}
        failure={failure}
        onSend={({ password = "" }) => void prove(password)}
        onClose={() => answer(false)}
      />
    ) : null,
  };
}
