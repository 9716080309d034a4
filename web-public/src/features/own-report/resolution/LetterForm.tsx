import { type FormEvent, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { Link } from "react-router-dom";
import type { SiteFacts } from "#contracts/http/content.ts";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { ApiError, dataOf } from "../../../api/client.ts";
import { useApi } from "../../../api/use-api.ts";
import { Button } from "../../../components/Button.tsx";
import { Failure } from "../../../components/Notice.tsx";
import { paths } from "../../../config/paths.ts";
import { useSiteConfig } from "../../../config/site-config.tsx";
import { useAccountClient } from "../../../session/session-store-of.ts";
import { ACCEPTED, newItem } from "../../evidence/choose-files.ts";
import evidenceStyles from "../../evidence/Evidence.module.css";
import { EvidenceRow } from "../../evidence/EvidenceRow.tsx";
import { evidenceReducer, namedUploads } from "../../evidence/evidence-state.ts";
import { useSending } from "../../evidence/use-sending.ts";
import styles from "./Resolution.module.css";
import { resolutionPath } from "./use-payment.ts";

const FAILED = "We couldn't send your request. Please try again.";

/** Uploads the notarized letter and requests the banner with it. */
export function LetterForm(props: {
  readonly reportId: string;
  readonly onAsked: (resolution: OwnResolution) => void;
}) {
  const api = useAccountClient();
  const terms = useTermsShown();
  const { maxFileSize } = useSiteConfig();
  const [items, dispatch] = useReducer(evidenceReducer, []);
  const { forget } = useSending(items, dispatch);
  const picker = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const nextKey = useRef(1);
  const [agreed, setAgreed] = useState(false);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const [letter] = items;
  const [upload] = namedUploads(items);
  const idempotencyKey = useRef(crypto.randomUUID());
  // Another letter is another request.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each upload has another id.
  useEffect(() => {
    idempotencyKey.current = crypto.randomUUID();
  }, [upload?.id]);

  function take(file: File | undefined) {
    if (!file) return;
    setRefusal(undefined);
    setProblem(null);
    dispatch({ type: "clear" });
    dispatch({ type: "add", items: [newItem(file, nextKey.current++, maxFileSize)] });
  }
  async function send(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    if (!upload)
      return setProblem(
        letter ? "Wait until the letter has finished uploading." : "Add the letter.",
      );
    if (!agreed) return setProblem("Please read and agree to the Terms of Service.");
    setSending(true);
    setProblem(null);
    try {
      const asked = api.post<{ resolution: OwnResolution }>(resolutionPath(props.reportId), {
        body: { letter: upload, terms_version: await terms.current() },
        idempotencyKey: idempotencyKey.current,
      });
      props.onAsked((await dataOf(asked)).resolution);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.fields.terms_accepted) {
        terms.forget();
        setAgreed(false);
        // The next attempt is another request.
        idempotencyKey.current = crypto.randomUUID();
      }
      setRefusal(error.fields.letter);
      setProblem(error.explanation ?? FAILED);
    } finally {
      setSending(false);
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void send(event)}>
      <Conditions />
      {!letter && (
        <div className={evidenceStyles.zone}>
          <Button
            ref={choose}
            kind="secondary"
            aria-describedby="letter-limits"
            onClick={() => picker.current?.click()}
          >
            Choose the letter
          </Button>
          <p id="letter-limits" className={evidenceStyles.limits}>
            One file: PDF, JPEG, PNG or WebP, up to {maxFileSize} MB.
          </p>
        </div>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        accept={ACCEPTED}
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      {letter && (
        <ul className={evidenceStyles.files} aria-label="The letter">
          <EvidenceRow
            id="letter"
            item={letter}
            refusal={refusal}
            onRemove={() => {
              forget(letter);
              dispatch({ type: "clear" });
              setRefusal(undefined);
            }}
            onRetry={() =>
              dispatch({ type: "progress", key: letter.key, progress: { state: "waiting" } })
            }
          />
        </ul>
      )}
      <label className={styles.agree}>
        <input
          type="checkbox"
          checked={agreed}
          onChange={({ currentTarget }) => setAgreed(currentTarget.checked)}
        />
        <span>
          I have read and agree to the <Link to={paths.terms}>Terms of Service</Link>.
        </span>
      </label>
      <Failure text={problem} />
      <p className={styles.actions}>
        <Button type="submit" disabled={isSending}>
          Request the banner
        </Button>
        <span className={styles.small}>You pay only after we accept the letter.</span>
      </p>
    </form>
  );
}

/** Reads the version of the terms in force when the form was shown. */
function useTermsShown() {
  const api = useApi();
  const asked = useRef<Promise<string> | undefined>(undefined);
  const terms = useMemo(() => {
    const forget = () => {
      asked.current = undefined;
    };
    const current = (): Promise<string> => {
      asked.current ??= api.get<SiteFacts>("/api/site").then(({ terms_version }) => terms_version);
      asked.current.catch(forget);
      return asked.current;
    };
    return { current, forget };
  }, [api]);
  useEffect(() => {
    terms.current().catch(() => undefined);
  }, [terms]);
  return terms;
}

function Conditions() {
  return (
    <ul className={styles.conditions}>
      <li>
        The letter must be signed by you or your company, name this report and the person in it, say
        that the matter is settled, and have the notary's seal and date.
      </li>
      <li>We refuse letters that aren't notarized, can't be read, or are about another matter.</li>
      <li>Only our staff can read it. It's never published.</li>
      <li>
        The fee is refunded only if you paid it twice or by mistake. The{" "}
        <Link to={paths.terms}>terms</Link> say so.
      </li>
    </ul>
  );
}
