import LockIcon from "@mui/icons-material/LockOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useDataProvider } from "react-admin";
import type { RevealedInquiry } from "#contracts/http/admin-inquiries.ts";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { FieldList } from "../FieldList.tsx";
import { saveFile } from "../save-file.ts";
import { useProof } from "../use-proof.tsx";

/** Opens what was sent, which the registry records. It exists only here and in no cache. */
export function RevealCase({
  number,
  id,
  hasDocument,
  of = "inquiries",
  children,
}: {
  readonly number: string;
  readonly id: string;
  /** Whether a file came with it. */
  readonly hasDocument?: boolean;
  readonly of?: "inquiries" | "notices";
  /** What else shows what was sent. Replies are left to it. @param revealed undefined while hidden. */
  readonly children?: (revealed: RevealedInquiry | undefined) => ReactNode;
}) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const proof = useProof();
  const readAgain = () => queryClient.invalidateQueries({ queryKey: [of] });
  const answers = useMutation({
    mutationFn: () =>
      proof.run(async () => (await provider.command<RevealedInquiry>(`/${of}/${id}/reveal`)).data),
    onSuccess: readAgain,
    gcTime: 0,
  });
  const document = useMutation({
    mutationFn: async () => {
      const file = await proof.run(() => provider.openFile(`/${of}/${id}/document`));
      if (file) saveFile(file, `${number}${ENDINGS[file.type] ?? ""}`);
    },
    onSuccess: readAgain,
    gcTime: 0,
  });
  const error = answers.error ?? document.error;
  const shown = answers.data?.filter(({ answer_id }) => !children || answer_id === undefined);
  const message = (
    <Box
      component="section"
      aria-label="Message"
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
            {answers.data ? "The message is visible" : "The message is hidden"}
          </Typography>
          <Typography>
            {answers.data
              ? "This view is recorded in the history."
              : "Revealing it is recorded in the history, with your name."}
          </Typography>
        </Box>
        {hasDocument && (
          <Button variant="outlined" loading={document.isPending} onClick={() => document.mutate()}>
            Download document
          </Button>
        )}
        {answers.data ? (
          <Button variant="outlined" onClick={answers.reset}>
            Hide
          </Button>
        ) : (
          <Button variant="outlined" loading={answers.isPending} onClick={() => answers.mutate()}>
            Reveal
          </Button>
        )}
      </Box>
      {shown && (
        <Box sx={{ mt: 1 }}>
          <FieldList fields={shown.map(({ label, text }) => ({ label, value: text }))} />
        </Box>
      )}
      {error && (
        <Alert severity="error" sx={{ mt: 1 }}>
          Couldn't open the message: {messageOf(error, "Unknown error occurred")}
        </Alert>
      )}
      {proof.dialog}
    </Box>
  );
  return (
    <>
      {message}
      {children?.(answers.data)}
    </>
  );
}

/** What a saved document's name ends with, by its type. */
const ENDINGS: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/webp": ".webp",
};
