import { useEffect, useRef, useState } from "react";
import { FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { Button } from "../../components/Button.tsx";
import { useSiteConfig } from "../../config/site-config.tsx";
import { FieldFrame } from "../account/TextField.tsx";
import type { FieldOfForm } from "../account/use-account-form.ts";
import { ACCEPTED, fileProblem, nameOf, sizeInWords } from "../evidence/choose-files.ts";
import { FileNotSent } from "../evidence/file-not-sent.ts";
import { sendFile, takeBack } from "../evidence/send-file.ts";
import { fileOf, fileValue, ON_ITS_WAY } from "./attached-file.ts";
import styles from "./InquiryForm.module.css";

/** One file of a form, which is sent at once. */
export function AttachmentField(props: {
  readonly label: string;
  readonly hint: string;
  readonly field: FieldOfForm;
}) {
  const { field, hint } = props;
  const { maxFileSize } = useSiteConfig();
  /** Undefined after the line broke. */
  const [share, setShare] = useState<number | undefined>(0);
  const [problem, setProblem] = useState<string>();
  const [words, setWords] = useState("");
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const file = fileOf(field.value);
  const isSending = field.value === ON_ITS_WAY;

  async function send(chosen: File) {
    const wrong = fileProblem(chosen, maxFileSize);
    setProblem(wrong);
    if (wrong) return;
    sending.current = new AbortController();
    const { signal } = sending.current;
    setShare(0);
    field.onChange(ON_ITS_WAY);
    try {
      const upload = await sendFile(chosen, {
        onProgress: setShare,
        onBroken: () => setShare(undefined),
        signal,
      });
      setWords(`${FILE_TYPES[upload.type]}, ${sizeInWords(upload.size)}`);
      field.onChange(fileValue({ ...upload, name: nameOf(chosen) }));
    } catch (error) {
      if (signal.aborted) return;
      field.onChange("");
      if (!(error instanceof FileNotSent)) throw error;
      setProblem(error.message);
    }
  }

  function remove() {
    sending.current?.abort();
    if (file) void takeBack(file);
    field.onChange("");
  }

  return (
    <FieldFrame
      {...props}
      hint={`At most ${maxFileSize} MB. ${hint}`}
      field={{ ...field, problem: problem ?? field.problem }}
      autoComplete="off"
    >
      {({ id, className, "aria-describedby": described, "aria-invalid": invalid }) =>
        file || isSending ? (
          <div className={styles.file}>
            <p id={id} role="status">
              {file ? `${file.name} (${words})` : stateInWords(share)}
            </p>
            <Button kind="secondary" onClick={remove}>
              {file ? "Remove the file" : "Stop"}
            </Button>
          </div>
        ) : (
          <input
            id={id}
            className={className}
            aria-describedby={described}
            aria-invalid={invalid}
            type="file"
            accept={ACCEPTED}
            onChange={({ currentTarget: { files } }) => {
              if (files?.[0]) void send(files[0]);
            }}
          />
        )
      }
    </FieldFrame>
  );
}

function stateInWords(share: number | undefined): string {
  if (share === undefined) return "The connection was lost. Trying again…";
  return `Sending, ${Math.floor(share * 100)} %`;
}
