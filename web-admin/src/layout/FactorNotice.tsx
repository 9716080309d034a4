import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useFactorNeeded } from "../data/needed-factor.ts";

/** Leads to the account settings once a command was refused for want of a second factor. */
export function FactorNotice() {
  if (!useFactorNeeded()) return null;
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
      Two-factor sign-in is needed before you decide about reports or open kept-back data. Lists and
      histories stay open to you.
    </Alert>
  );
}
