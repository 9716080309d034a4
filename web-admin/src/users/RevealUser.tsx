import LockIcon from "@mui/icons-material/LockOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import { PROFILE_FIELDS } from "#contracts/account/profile-fields.ts";
import type { RevealedUser, UserRecord } from "#contracts/http/users.ts";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { useProof } from "../shared/use-proof.tsx";

/** Opens what is masked, which the registry records. It exists only here and in no cache. */
export function RevealUser({ user: { id } }: { readonly user: UserRecord }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const proof = useProof();
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationKey: ["reveal-user", id],
    mutationFn: () => proof.run(() => provider.revealUser(id)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["audit-logs"] }),
    gcTime: 0,
  });
  return (
    <Box
      component="section"
      aria-label="Masked data"
      sx={{
        p: 2,
        bgcolor: color.privateTint,
        border: `1px solid ${color.privateLine}`,
        borderRadius: `${radius.small}px`,
      }}
    >
      <Box sx={{ display: "flex", gap: 2, alignItems: "center", flexWrap: "wrap" }}>
        <LockIcon sx={{ color: color.private }} />
        <Box sx={{ flex: "1 1 300px" }}>
          <Typography sx={{ fontWeight: 600 }}>
            {data ? "Masked data is open" : "Address and phone are masked"}
          </Typography>
          <Typography>
            {data
              ? "That you opened it is recorded in the history."
              : "Opening them is recorded in the history, with your name."}
          </Typography>
        </Box>
        {data ? (
          <Button variant="outlined" onClick={reset}>
            Hide
          </Button>
        ) : (
          <Button variant="outlined" loading={isPending} onClick={() => mutate()}>
            Reveal
          </Button>
        )}
      </Box>
      {data && <FieldList fields={fieldsOf(data)} />}
      {error && (
        <Alert severity="error" sx={{ mt: 1 }}>
          Failed to open the masked data: {messageOf(error, "Unknown error occurred")}
        </Alert>
      )}
      {proof.dialog}
    </Box>
  );
}

function fieldsOf(data: RevealedUser) {
  const rows = Object.entries(PROFILE_FIELDS) as [keyof typeof PROFILE_FIELDS, { label: string }][];
  return [
    { label: "Email", value: data.email },
    ...rows.map(([name, { label }]) => ({ label, value: data[name] || "Not given" })),
  ];
}
