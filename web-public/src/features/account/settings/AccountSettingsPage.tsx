import { useState } from "react";
import type { User } from "#contracts/http/auth.ts";
import { AccountPage } from "../AccountPage.tsx";
import { AccountStatistics } from "../AccountStatistics.tsx";
import { OwnProfile } from "../OwnProfile.tsx";
import { RequireAccount } from "../RequireAccount.tsx";
import { ChangeEmail } from "./ChangeEmail.tsx";
import { ChangePassword } from "./ChangePassword.tsx";
import { DeleteAccount } from "./DeleteAccount.tsx";
import { ExportData } from "./ExportData.tsx";
import { Notifications } from "./Notifications.tsx";
import { Sessions } from "./Sessions.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import { TwoFactor } from "./TwoFactor.tsx";

/** Who an account is, how it is protected, what it is told, and what the registry knows of it. */
export function AccountSettingsPage() {
  return (
    <AccountPage title="Account Settings">
      <RequireAccount waiting={<p>Loading your account…</p>}>
        {(user) => <Settings key={user.id} user={user} />}
      </RequireAccount>
    </AccountPage>
  );
}

function Settings({ user }: { user: User }) {
  // Whatever ends other sessions has the list read again.
  const [round, setRound] = useState(0);
  const onChanged = () => setRound((before) => before + 1);
  return (
    <>
      <SettingsSection title="Profile">
        <OwnProfile user={user} />
      </SettingsSection>
      <ChangeEmail email={user.email} wanted={user.email_change?.email} />
      <ChangePassword email={user.email} isStaff={user.role !== "user"} onChanged={onChanged} />
      <TwoFactor user={user} onChanged={onChanged} />
      <Sessions round={round} />
      <Notifications />
      <AccountStatistics user={user} />
      <ExportData />
      {user.role === "user" && <DeleteAccount />}
    </>
  );
}
