import { AccountPage } from "./AccountPage.tsx";
import { AccountStatistics } from "./AccountStatistics.tsx";
import { ConfirmAddress } from "./ConfirmAddress.tsx";
import { OwnProfile } from "./OwnProfile.tsx";
import { RequireAccount } from "./RequireAccount.tsx";

/** Who an account is. The settings of the account show the same, beside everything else. */
export function ProfilePage() {
  return (
    <AccountPage title="Profile">
      <RequireAccount>
        {(user) => (
          <>
            {user.confirmed === false && <ConfirmAddress email={user.email} />}
            <OwnProfile key={user.id} user={user} />
            <AccountStatistics user={user} />
          </>
        )}
      </RequireAccount>
    </AccountPage>
  );
}
