import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import type { RevealedInquiry } from "#contracts/http/admin-inquiries.ts";
import { messageOf } from "../../data/api-error.ts";
import { FieldList } from "../FieldList.tsx";
import { RevealPanel } from "../RevealPanel.tsx";
import { saveFile } from "../save-file.ts";
import { useSending } from "../use-sending.ts";

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
  const quietly = { again: [of], tells: "nothing" } as const;
  const answers = useSending(
    (provider) => provider.command<RevealedInquiry>(`/${of}/${id}/reveal`),
    quietly,
  );
  const document = useSending(async (provider) => {
    const file = await provider.openFile(`/${of}/${id}/document`);
    saveFile(file, `${number}${ENDINGS[file.type] ?? ""}`);
    return { message: undefined };
  }, quietly);
  const revealed = answers.data?.data;
  const shown = revealed?.filter(({ answer_id }) => !children || answer_id === undefined);
  const error = answers.error ?? document.error;
  return (
    <>
      <RevealPanel
        label="Message"
        hidden="The message is hidden"
        visible="The message is visible"
        it="it"
        opening={answers}
        failure={
          error
            ? `Couldn't open the message: ${messageOf(error, "Unknown error occurred")}`
            : undefined
        }
        action={
          hasDocument && (
            <>
              <Button
                variant="outlined"
                loading={document.isPending}
                onClick={() => document.mutate()}
              >
                Download document
              </Button>
              {document.dialog}
            </>
          )
        }
      >
        {shown && (
          <Box sx={{ mt: 1 }}>
            <FieldList fields={shown.map(({ label, text }) => ({ label, value: text }))} />
          </Box>
        )}
      </RevealPanel>
      {children?.(revealed)}
    </>
  );
}

const ENDINGS: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/webp": ".webp",
};
