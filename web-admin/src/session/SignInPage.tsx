import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Paper from "@mui/material/Paper";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { type ReactElement, useEffect, useState } from "react";
import { useCheckAuth, useLogin } from "react-admin";
import { useForm } from "react-hook-form";
import { useLocation, useNavigate } from "react-router-dom";
import { productName } from "../app/product.ts";
import { messageOf } from "../data/api-error.ts";
import { PageHeading } from "../layout/PageHeading.tsx";
import { ENDED, SESSION_OVER } from "./console-auth-provider.ts";
import { emailProblem, passwordProblem } from "./sign-in-rules.ts";

interface Credentials {
  email: string;
  password: string;
}

/** The console's door. Who is signed in already goes straight through. */
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
    <Box
      component="main"
      sx={{
        minHeight: "100vh",
        display: "grid",
        placeItems: { xs: "start center", sm: "center" },
        p: 2,
      }}
    >
      <Paper
        component="form"
        noValidate
        onSubmit={submit}
        sx={{
          width: "100%",
          maxWidth: 400,
          p: 3,
          display: "grid",
          gap: 2,
          border: 1,
          borderColor: "divider",
        }}
      >
        <Box>
          <Typography sx={{ color: "primary.main", fontWeight: 600 }}>{productName}</Typography>
          <PageHeading title="Sign in">Sign in to the console</PageHeading>
        </Box>
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
      </Paper>
    </Box>
  );
}

/** Where somebody was on the way to, as react-admin hands it over. */
function nextPath(state: unknown): string | undefined {
  const { nextPathname, nextSearch } = (state ?? {}) as Record<string, unknown>;
  if (typeof nextPathname !== "string") return undefined;
  return typeof nextSearch === "string" ? nextPathname + nextSearch : nextPathname;
}
