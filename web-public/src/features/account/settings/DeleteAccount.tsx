import { ACCOUNT_KEPT_DAYS } from "#contracts/account/deletion.ts";
import { ButtonLink } from "../../../components/Button.tsx";
import { paths } from "../../../config/paths.ts";
import { SettingsSection } from "./SettingsSection.tsx";

/** Leads to the page that deletes the account. */
export function DeleteAccount() {
  return (
    <SettingsSection title="Delete Account">
      <p>
        Deletes your profile and your files after {ACCOUNT_KEPT_DAYS} days. Reports you submitted
        stay published, without your name.
      </p>
      <div>
        <ButtonLink kind="danger" to={paths.deleteAccount}>
          Delete Account
        </ButtonLink>
      </div>
    </SettingsSection>
  );
}
