import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useLogout } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { NOT_FOR_USERS } from "../session/console-auth-provider.ts";
import { ErrorPage } from "../shared/states.tsx";

const start = (
  <Button variant="contained" component={RouterLink} to="/">
    Go to the home page
  </Button>
);

export function NotFoundPage() {
  return (
    <ErrorPage title="Page not found" actions={start}>
      Check the address. The page may have moved.
    </ErrorPage>
  );
}

/** For a section that the account's role has no access to. */
export function NoAccessPage() {
  return (
    <ErrorPage title="You don't have access to this page" actions={start}>
      Your role doesn't include this section. Ask an admin for access.
    </ErrorPage>
  );
}

/** For an account that is signed in on the site but is neither admin nor auditor. */
export function NotForUsersPage() {
  const logout = useLogout();
  return (
    <Box component="main" sx={{ px: 3 }}>
      <ErrorPage
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
      </ErrorPage>
    </Box>
  );
}

/** For an error in the console itself. */
export function CrashPage() {
  return (
    <Box component="main" sx={{ px: 3 }}>
      <ErrorPage
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
      </ErrorPage>
    </Box>
  );
}
