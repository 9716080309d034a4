import { useState } from "react";
import { flushSync } from "react-dom";
import { ACCOUNT_KEPT_DAYS } from "#contracts/account/deadlines.ts";
import type { User } from "#contracts/http/account.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { dataOf } from "../../../api/client.ts";
import { ButtonLink } from "../../../components/Button.tsx";
import { paths } from "../../../config/paths.ts";
import { formatOwnMoment } from "../../../lib/format.ts";
import { takeFocus } from "../../../lib/take-focus.ts";
import { useAccountClient, useStore } from "../../../session/session-store-of.ts";
import { AccountForm, AccountPage } from "../AccountPage.tsx";
import { CodeField, codeProblems, PasswordField } from "../PasswordFields.tsx";
import { RequireAccount } from "../RequireAccount.tsx";
import { useAccountForm } from "../use-account-form.ts";
import { ExportData } from "./ExportData.tsx";
import { SettingsSection } from "./SettingsSection.tsx";

const EMPTY = { password: "", code: "" };

/** Deletes the account: the consequences, a copy of the data, then the password. */
export function Component() {
  const [eraseAt, setEraseAt] = useState<string | null>(null);
  if (eraseAt !== null) return <Deleted eraseAt={eraseAt} />;
  return (
    <AccountPage title="Delete Account">
      <RequireAccount>
        {(user) => (
          <>
            <Consequences />
            <ExportData />
            <ConfirmForm user={user} onDeleted={(at) => flushSync(() => setEraseAt(at))} />
          </>
        )}
      </RequireAccount>
    </AccountPage>
  );
}

function Consequences() {
  return (
    <>
      <h2>What happens</h2>
      <ul>
        <li>We sign you out everywhere and stop sending you notifications.</li>
        <li>
          We keep your account for {ACCOUNT_KEPT_DAYS} days. If you change your mind, sign in to
          restore it.
        </li>
        <li>
          After {ACCOUNT_KEPT_DAYS} days we permanently delete your profile, your settings and any
          files not attached to a report. This can't be undone.
        </li>
        <li>
          Reports you submitted stay published, without your name and contact details. You won't be
          able to see their status anymore.
        </li>
      </ul>
    </>
  );
}

function ConfirmForm(props: { user: User; onDeleted: (eraseAt: string) => void }) {
  const { user, onDeleted } = props;
  const store = useStore();
  const api = useAccountClient();
  const form = useAccountForm({
    initial: EMPTY,
    check({ password, code }): Problems {
      const problems: Problems = {};
      if (!password) problems.password = "Password is a required field";
      return { ...problems, ...(user.two_factor ? codeProblems({ code }) : {}) };
    },
    async send({ password, code }) {
      const body = { password, ...omitUndefined({ code: code.trim() || undefined }) };
      const deleted = api.delete<{ erase_at: string }>("/api/auth/account", { body });
      // Replace the form first: signing out on a page that requires an account leads home.
      onDeleted((await dataOf(deleted)).erase_at);
      store.clear();
    },
    failed: "We couldn't delete your account",
    prefix: "delete",
  });
  return (
    <SettingsSection title="Confirm it's you">
      <AccountForm
        form={form}
        kind="danger"
        submit="Delete My Account"
        sending="Deleting…"
        actions={
          <ButtonLink kind="secondary" to={paths.accountSettings}>
            Keep My Account
          </ButtonLink>
        }
      >
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          field={form.field("password")}
          label="Password"
          autoComplete="current-password"
          required
        />
        {user.two_factor && (
          <CodeField
            field={form.field("code")}
            hint="Enter the code from your authenticator app, or a recovery code."
          />
        )}
      </AccountForm>
    </SettingsSection>
  );
}

function Deleted({ eraseAt }: { eraseAt: string }) {
  return (
    <AccountPage title="Delete Account" heading="Your account will be deleted">
      <h2 ref={takeFocus} tabIndex={-1}>
        On {formatOwnMoment(eraseAt)}
      </h2>
      <p>
        You're signed out everywhere. To keep your account, sign in before then. We've emailed you
        the date, too.
      </p>
      <div>
        <ButtonLink kind="secondary" to={paths.login}>
          Sign In
        </ButtonLink>
      </div>
    </AccountPage>
  );
}
