import { useState } from "react";
import { AccountPage } from "../AccountPage.tsx";
import { RequireAccount } from "../RequireAccount.tsx";
import { ChangePassword } from "./ChangePassword.tsx";
import { Sessions } from "./Sessions.tsx";

/** How an account is protected: its password, and where it is signed in. */
export function AccountSettingsPage() {
  return (
    <AccountPage title="Account Settings">
      <RequireAccount waiting={<p>One moment, we are looking up your account.</p>}>
        {(user) => <Settings key={user.id} email={user.email} />}
      </RequireAccount>
    </AccountPage>
  );
}

function Settings({ email }: { email: string }) {
  // Whatever ends other sessions has the list read again.
  const [round, setRound] = useState(0);
  return (
    <>
      <ChangePassword email={email} onChanged={() => setRound((before) => before + 1)} />
      <Sessions round={round} />
    </>
  );
}
