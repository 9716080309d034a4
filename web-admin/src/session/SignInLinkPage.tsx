import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { type FormEvent, type ReactElement, useState } from "react";
import { Link as RouterLink, useParams } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { messageOf } from "../data/api-error.ts";
import { SignInFrame } from "./SignInFrame.tsx";

/**
 * The page of a sign-in link. Mail scanners follow links, so the link is used only when a button is
 * pressed.
 */
export function SignInLinkPage({
  openLink,
}: {
  readonly openLink: (token: string) => Promise<void>;
}): ReactElement {
  const { token = "" } = useParams();
  const [state, setState] = useState<"waits" | "opening" | "open">("waits");
  const [failure, setFailure] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    setState("opening");
    try {
      await openLink(token);
      setState("open");
    } catch (error) {
      setFailure(messageOf(error, "The link could not be opened"));
      setState("waits");
    }
  };
  return (
    <SignInFrame title="Sign-in link" heading="Use this device" onSubmit={submit}>
      {failure ? <Alert severity="error">{failure}</Alert> : null}
      {state === "open" ? (
        <>
          <Alert severity="success">Your account knows this device now.</Alert>
          <Button
            variant="contained"
            component={RouterLink}
            to={paths.login}
            sx={{ minHeight: 44 }}
          >
            Sign in
          </Button>
        </>
      ) : (
        <>
          <Typography>
            Press the button on the device from which you want to sign in. Then sign in with your
            password as usual. The link works once.
          </Typography>
          <Button
            type="submit"
            variant="contained"
            loading={state === "opening"}
            sx={{ minHeight: 44 }}
          >
            Use this device
          </Button>
          <Link component={RouterLink} to={paths.login} sx={{ justifySelf: "start" }}>
            Sign in without the link
          </Link>
        </>
      )}
    </SignInFrame>
  );
}
