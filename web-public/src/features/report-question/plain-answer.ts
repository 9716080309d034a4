import { data } from "react-router-dom";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { type ActionArgs, type ApiClient, ApiError, apiContext } from "../../api/client.ts";
import { keyOf, textOf } from "../../lib/plain-fields.ts";
import { formatWait } from "../../lib/waiting-time.ts";
import { type AnswerMessages, unanswered } from "./answer-messages.ts";

/** The outcome of an answer submitted without JavaScript, and what was typed. */
export interface PlainAnswer {
  /** Empty once it was accepted. */
  readonly answer: string;
  /** Idempotency key, reused for retries. */
  readonly key: string;
  readonly result: "sent" | "refused" | "unknown";
  /** Why it wasn't accepted; absent if the field shows the error. */
  readonly message?: string;
}

/** The outcome, with the HTTP status of its page. */
interface SentAnswer {
  readonly plain: PlainAnswer;
  readonly status: number;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** Validates an answer. Returns problems by field. */
export function answerProblems(answer: string, { empty }: AnswerMessages): Record<string, string> {
  return answer.trim() ? {} : { answer: empty };
}

/**
 * Creates an action that accepts the answer of a browser without JavaScript.
 * @param name its field in the command.
 */
export function plainAnswerAction(
  words: AnswerMessages,
  name: string,
  send: (api: ApiClient, token: string, answer: string, key: string) => Promise<unknown>,
) {
  return async ({ context, params: { token = "" }, request }: ActionArgs) => {
    const { plain, status, retryAfter } = await sendPlainAnswer(
      await request.formData(),
      words,
      name,
      (answer, key) => send(context.get(apiContext), token, answer, key),
    );
    const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
    return data(plain, { status, headers });
  };
}

async function sendPlainAnswer(
  sent: FormData,
  words: AnswerMessages,
  name: string,
  send: (answer: string, key: string) => Promise<unknown>,
): Promise<SentAnswer> {
  const key = keyOf(sent);
  const typed = textOf(sent, "answer");
  const answer = typed.trim();
  const of = { answer: typed, key };
  if (answerProblems(answer, words).answer)
    return { plain: { ...of, result: "refused" }, status: 400 };
  try {
    await send(answer, key);
    return { plain: { answer: "", key, result: "sent" }, status: 200 };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, retryAfter, explanation } = error;
    if (status === 0 || status >= 500) {
      const plain = { ...of, result: "unknown", message: unanswered(words) } as const;
      return { plain, status: 503 };
    }
    const wait = status === 429 ? (retryAfter ?? 60) : undefined;
    const message =
      wait === undefined
        ? (error.fields[name] ?? explanation ?? words.failed)
        : `Too many requests came from your network, so nothing was sent. Please try again in ${formatWait(wait)}.`;
    return {
      plain: { ...of, result: "refused", message },
      status,
      ...omitUndefined({ retryAfter: wait }),
    };
  }
}
