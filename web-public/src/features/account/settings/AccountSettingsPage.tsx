import { useEffect, useState } from "react";
import type { User } from "#contracts/http/auth.ts";
import { refreshAccount, storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { AccountPage } from "../AccountPage.tsx";
import { RequireAccount } from "../RequireAccount.tsx";
import { ChangeEmail } from "./ChangeEmail.tsx";
import { ChangePassword } from "./ChangePassword.tsx";
import { DeleteAccount } from "./DeleteAccount.tsx";
import { ExportData } from "./ExportData.tsx";
import { Notifications } from "./Notifications.tsx";
import { Sessions } from "./Sessions.tsx";
import { TwoFactor } from "./TwoFactor.tsx";

/** How an account is protected: its password, its second factor, and where it is signed in. */
export function AccountSettingsPage() {
  return (
    <AccountPage title="Account Settings">
      <RequireAccount waiting={<p>One moment, we are looking up your account.</p>}>
        {(user) => <Settings key={user.id} user={user} />}
      </RequireAccount>
    </AccountPage>
  );
}

function Settings({ user }: { user: User }) {
  // Whatever ends other sessions has the list read again.
  const [round, setRound] = useState(0);
  const onChanged = () => setRound((before) => before + 1);
  // How many recovery codes are left is told with the profile alone.
  const session = useSiteSession();
  useEffect(() => void refreshAccount(storeOf(session)), [session]);
  return (
    <>
      <ChangeEmail email={user.email} wanted={user.email_change?.email} />
      <ChangePassword email={user.email} onChanged={onChanged} />
      <TwoFactor user={user} onChanged={onChanged} />
      <Sessions round={round} />
      <Notifications />
      <ExportData />
      {user.role === "user" && <DeleteAccount />}
    </>
  );
}
