import { type ReactElement, useState } from "react";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { ApiError } from "../../api/client.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { useAccountClient } from "../../session/session-store-of.ts";
import { AccountForm } from "./AccountPage.tsx";
import { CodeField, codeProblems, PasswordField } from "./PasswordFields.tsx";
import { useAccountForm } from "./use-account-form.ts";

export interface Proof {
  /**
   * Makes a call. If the server requires the password again, or a second-factor code, asks for it and retries the
   * call.
   * @returns undefined if the user canceled.
   */
  run<T>(call: (code?: string) => Promise<T>): Promise<T | undefined>;
  /** Must be rendered outside of any form. */
  readonly dialog: ReactElement | null;
}

type Asked =
  | { readonly for: "password"; readonly settle: (proved: boolean) => void }
  | {
      readonly for: "code";
      readonly send: (code: string) => Promise<void>;
      readonly cancel: () => void;
    };

/** Asks for the password, or a second-factor code, when the server requires more than the session. */
export function useProof(): Proof {
  const [asked, setAsked] = useState<Asked | null>(null);
  async function withCode<T>(call: (code?: string) => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (!isRefused(error, "code_required")) throw error;
    }
    const answer = await new Promise<{ readonly reply?: T; readonly error?: unknown }>((settle) =>
      setAsked({
        for: "code",
        async send(code) {
          try {
            settle({ reply: await call(code) });
          } catch (error) {
            // The dialog shows the error and accepts another code.
            if (isRefused(error, "wrong_code")) throw error;
            settle({ error });
          }
        },
        cancel: () => settle({}),
      }),
    );
    setAsked(null);
    if (answer.error !== undefined) throw answer.error;
    return answer.reply;
  }
  return {
    async run(call) {
      try {
        return await withCode(call);
      } catch (error) {
        if (!isRefused(error, "proof_required")) throw error;
      }
      const isProved = await new Promise<boolean>((settle) =>
        setAsked({ for: "password", settle }),
      );
      setAsked(null);
      return isProved ? withCode(call) : undefined;
    },
    dialog: asked && (
      <>
        {asked.for === "password" && <ProofDialog onSettled={asked.settle} />}
        {asked.for === "code" && <CodeDialog onCode={asked.send} onCancel={asked.cancel} />}
      </>
    ),
  };
}

function isRefused(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

function CodeDialog(props: { onCode: (code: string) => Promise<void>; onCancel: () => void }) {
  const form = useAccountForm({
    initial: { code: "" },
    check: codeProblems,
    prefix: "proof",
    send: ({ code }) => props.onCode(code.trim()),
    failed: "We couldn't check the code",
  });
  return (
    <Dialog title="Enter a code" onCancel={props.onCancel}>
      <p>This change needs a code from your authenticator app, or a recovery code.</p>
      <AccountForm form={form} submit="Continue" sending="Checking…" onCancel={props.onCancel}>
        <CodeField field={form.field("code")} />
      </AccountForm>
    </Dialog>
  );
}

const EMPTY = { currentPassword: "" };

function check({ currentPassword }: typeof EMPTY): Problems {
  return currentPassword ? {} : { currentPassword: "Password is a required field" };
}

function ProofDialog({ onSettled }: { onSettled: (proved: boolean) => void }) {
  const api = useAccountClient();
  const form = useAccountForm({
    initial: EMPTY,
    check,
    prefix: "proof",
    async send({ currentPassword }) {
      await api.post("/api/auth/prove", { body: { password: currentPassword } });
      onSettled(true);
    },
    failed: "We couldn't check the password",
  });
  return (
    <Dialog title="Enter your password again" onCancel={() => onSettled(false)}>
      <p>This protects your account if someone finds this device unlocked.</p>
      <AccountForm
        form={form}
        submit="Continue"
        sending="Checking…"
        onCancel={() => onSettled(false)}
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
