import { type ReactElement, useState } from "react";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { ApiError } from "../../api/client.ts";
import { provePassword } from "../../api/two-factor.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useSiteSession } from "../../session/site-session.ts";
import { AccountForm } from "./AccountPage.tsx";
import { PasswordField } from "./PasswordField.tsx";
import { useAccountForm } from "./use-account-form.ts";

export interface Proof {
  /**
   * Makes a call. If the server wants the password again, asks for it and repeats the call.
   * @returns undefined when the password was asked for and not given.
   */
  run<T>(call: () => Promise<T>): Promise<T | undefined>;
  /** To be rendered outside of any form. */
  readonly dialog: ReactElement | null;
}

/** Asks for the password where the last proof is too old for what somebody wants to do. */
export function useProof(): Proof {
  const [asked, setAsked] = useState<{ settle: (proved: boolean) => void } | null>(null);
  return {
    async run(call) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "proof_required") throw error;
      }
      const isProved = await new Promise<boolean>((settle) => setAsked({ settle }));
      setAsked(null);
      return isProved ? call() : undefined;
    },
    dialog: asked && <ProofDialog onSettled={asked.settle} />,
  };
}

const EMPTY = { currentPassword: "" };

function check({ currentPassword }: typeof EMPTY): Problems {
  return currentPassword ? {} : { currentPassword: "Password is a required field" };
}

function ProofDialog({ onSettled }: { onSettled: (proved: boolean) => void }) {
  const store = storeOf(useSiteSession());
  const form = useAccountForm({
    initial: EMPTY,
    check,
    prefix: "proof",
    async send({ currentPassword }) {
      await provePassword(accountClient(store), currentPassword);
      onSettled(true);
    },
    failed: {
      refused: "The password could not be checked. Please try again.",
      unanswered: "The password could not be checked. Please try again.",
    },
  });
  return (
    <Dialog title="Enter your password again" onCancel={() => onSettled(false)}>
      <p>This protects your account from whoever finds this device unlocked.</p>
      <AccountForm
        form={form}
        submit="Continue"
        sending="Checking…"
        actions={
          <Button kind="secondary" onClick={() => onSettled(false)}>
            Cancel
          </Button>
        }
      >
        <PasswordField
          field={form.field("currentPassword")}
          label="Password"
          autoComplete="current-password"
          required
        />
      </AccountForm>
    </Dialog>
  );
}
