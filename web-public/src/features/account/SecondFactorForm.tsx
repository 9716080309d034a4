import { ACCOUNT_FAILED } from "#contracts/account/account-words.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { loginWithCode } from "../../api/accounts.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../components/Button.tsx";
import { useSiteSession } from "../../session/site-session.ts";
import { AccountForm } from "./AccountPage.tsx";
import { openSession } from "./open-session.ts";
import { TextField } from "./TextField.tsx";
import { useAccountForm, useFocusInside } from "./use-account-form.ts";

const EMPTY = { code: "" };

function check({ code }: typeof EMPTY): Problems {
  return code.trim().length < 6 ? { code: "Enter the 6-digit code or a recovery code" } : {};
}

/** The second step of a sign-in: a code of the authenticator, or a recovery code. */
export function SecondFactorForm(props: { challenge: string; onAgain: () => void }) {
  const { challenge, onAgain } = props;
  const api = useApi();
  const session = useSiteSession();
  const form = useAccountForm({
    initial: EMPTY,
    check,
    async send({ code }) {
      openSession(session, (await loginWithCode(api, { challenge, code: code.trim() })).data);
    },
    failed: {
      refused: ACCOUNT_FAILED.login,
      unanswered: `${ACCOUNT_FAILED.login}. Check your connection and try again.`,
    },
  });
  useFocusInside(form);
  return (
    <AccountForm
      form={form}
      submit="Sign In"
      sending="Signing in…"
      actions={
        <Button kind="secondary" onClick={onAgain}>
          Start again
        </Button>
      }
    >
      <TextField
        field={form.field("code")}
        label="Code"
        autoComplete="one-time-code"
        hint="Enter the code from your authenticator app, or a recovery code."
        maxLength={40}
        required
      />
    </AccountForm>
  );
}
