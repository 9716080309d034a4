import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import { type ReactElement, useEffect, useState } from "react";
import { useCheckAuth, useLogin } from "react-admin";
import { useForm } from "react-hook-form";
import { useLocation, useNavigate } from "react-router-dom";
import { messageOf } from "../data/api-error.ts";
import { ENDED, SESSION_OVER } from "./console-auth-provider.ts";
import { SignInFrame } from "./SignInFrame.tsx";
import { emailProblem, passwordProblem } from "./sign-in-rules.ts";

interface Credentials {
  email: string;
  password: string;
}

/** The console's sign-in page. Anybody already signed in is redirected at once. */
export function SignInPage(): ReactElement {
  const login = useLogin();
  const checkAuth = useCheckAuth();
  const navigate = useNavigate();
  const location = useLocation();
  const ended = new URLSearchParams(location.search).has(ENDED);
  const next = nextPath(location.state);
  const [failure, setFailure] = useState<string>();
  const form = useForm<Credentials>({
    mode: "onTouched",
    defaultValues: { email: "", password: "" },
  });
  const { errors, isSubmitting } = form.formState;
  useEffect(() => {
    checkAuth({}, false).then(
      () => navigate("/", { replace: true }),
      () => undefined,
    );
  }, [checkAuth, navigate]);
  const submit = form.handleSubmit(async (credentials) => {
    setFailure(undefined);
    try {
      await login({ ...credentials, next });
    } catch (error) {
      setFailure(messageOf(error, "Login failed"));
    }
  });
  return (
    <SignInFrame title="Sign in" heading="Sign in to the console" onSubmit={submit}>
      {failure ? (
        <Alert severity="error" onClose={() => setFailure(undefined)}>
          {failure}
        </Alert>
      ) : (
        ended && <Alert severity="info">{SESSION_OVER}</Alert>
      )}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        error={Boolean(errors.email)}
        helperText={errors.email?.message}
        {...form.register("email", { validate: emailProblem })}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={Boolean(errors.password)}
        helperText={errors.password?.message}
        {...form.register("password", { validate: passwordProblem })}
      />
      <Button type="submit" variant="contained" loading={isSubmitting} sx={{ minHeight: 44 }}>
        Sign In
      </Button>
      <Link href="/" sx={{ justifySelf: "start" }}>
        Main Site
      </Link>
    </SignInFrame>
  );
}

/** The page that somebody asked for before signing in, as react-admin passes it on. */
function nextPath(state: unknown): string | undefined {
  const { nextPathname, nextSearch } = (state ?? {}) as Record<string, unknown>;
  if (typeof nextPathname !== "string") return undefined;
  return typeof nextSearch === "string" ? nextPathname + nextSearch : nextPathname;
}
