import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { factorNeeded } from "../data/observed.ts";

/** Leads to the account settings once a call was refused for want of a second factor. */
export function FactorNotice() {
  if (!factorNeeded.use()) return null;
  return (
    <Alert
      severity="warning"
      role="status"
      sx={{ mb: 2 }}
      action={
        // The settings are a page of the site.
        <Button color="inherit" href="/account-settings" sx={{ whiteSpace: "nowrap" }}>
          Set it up
        </Button>
      }
    >
      Staff accounts need two-factor authentication. Set it up to use the back office.
    </Alert>
  );
}
