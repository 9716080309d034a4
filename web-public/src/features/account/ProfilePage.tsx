import { useEffect, useState } from "react";
import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import type { User } from "#contracts/http/auth.ts";
import { Notice } from "../../components/Notice.tsx";
import { refreshAccount, storeOf } from "../../session/session-store-of.ts";
import { useSiteSession } from "../../session/site-session.ts";
import { AccountPage } from "./AccountPage.tsx";
import { ConfirmAddress } from "./ConfirmAddress.tsx";
import { ProfileForm } from "./ProfileForm.tsx";
import { ProfileView } from "./ProfileView.tsx";
import { keptDraft } from "./profile-draft.ts";
import { RequireAccount } from "./RequireAccount.tsx";

/** What an account says of itself, to see and to edit. */
export function ProfilePage() {
  return (
    <AccountPage title="Profile">
      <RequireAccount waiting={<p>One moment, we are looking up your account.</p>}>
        {(user) => <Profile key={user.id} user={user} />}
      </RequireAccount>
    </AccountPage>
  );
}

function Profile({ user }: { user: User }) {
  const session = useSiteSession();
  const [mode, setMode] = useState<"view" | "edit" | "saved">(keptDraft(user.id) ? "edit" : "view");
  useEffect(() => void refreshAccount(storeOf(session)), [session]);
  if (mode === "edit") return <ProfileForm user={user} onClose={setMode} />;
  return (
    <>
      {mode === "saved" && (
        <Notice tone="success" role="status">
          <p>{ACCOUNT_DONE.profile}</p>
        </Notice>
      )}
      {user.confirmed === false && <ConfirmAddress email={user.email} />}
      <ProfileView user={user} onEdit={() => setMode("edit")} />
    </>
  );
}
