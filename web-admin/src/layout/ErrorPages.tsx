import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useLogout } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { NOT_FOR_USERS } from "../session/console-auth-provider.ts";
import { Sorry } from "../shared/states.tsx";

const start = (
  <Button variant="contained" component={RouterLink} to="/">
    Go to the home page
  </Button>
);

export function NotFoundPage() {
  return (
    <Sorry title="Page not found" actions={start}>
      Check the address. The page may have moved.
    </Sorry>
  );
}

/** For a section that the account's role has no access to. */
export function NoAccessPage() {
  return (
    <Sorry title="You don't have access to this page" actions={start}>
      Your role doesn't include this section. Ask an admin for access.
    </Sorry>
  );
}

/** For an account that is signed in on the site but is neither admin nor auditor. */
export function NotForUsersPage() {
  const logout = useLogout();
  return (
    <Box component="main" sx={{ px: 3 }}>
      <Sorry
        title="You don't have access to this page"
        actions={
          <>
            <Button variant="contained" href="/">
              Main Site
            </Button>
            <Button variant="outlined" onClick={() => void logout(undefined, undefined, false)}>
              Sign in with another account
            </Button>
          </>
        }
      >
        {NOT_FOR_USERS}
      </Sorry>
    </Box>
  );
}

/** For an error in the console itself. */
export function CrashPage() {
  return (
    <Box component="main" sx={{ px: 3 }}>
      <Sorry
        title="Something went wrong"
        actions={
          <>
            <Button variant="contained" onClick={() => window.location.reload()}>
              Reload the page
            </Button>
            <Button variant="outlined" href="/admin">
              Go to the home page
            </Button>
          </>
        }
      >
        An error occurred in the console. Your earlier changes are saved.
      </Sorry>
    </Box>
  );
}
