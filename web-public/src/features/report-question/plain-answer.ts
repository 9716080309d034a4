import { given } from "#contracts/given.ts";
import { type ApiClient, ApiError } from "../../api/client.ts";
import { answerQuestion } from "../../api/reporter-links.ts";
import { keyOf, textOf } from "../../lib/plain-fields.ts";
import { waitingTime } from "../../lib/waiting-time.ts";
import { ANSWER_FAILED, ANSWER_UNANSWERED } from "./answer-words.ts";

/** What came of an answer that a browser sent by itself, and what was typed. */
export interface PlainAnswer {
  /** Empty once it was taken. */
  readonly answer: string;
  /** For another attempt: one that arrived is recognised by it. */
  readonly key: string;
  readonly result: "sent" | "refused" | "unknown";
  /** Why it was not taken; absent where the field itself says so. */
  readonly message?: string;
}

/** What is wrong with an answer, by field. */
export function answerProblems(answer: string): Record<string, string> {
  return answer.trim() ? {} : { answer: "Answer is required" };
}

/** Sends an answer as a browser without JavaScript submits it. */
export async function sendPlainAnswer(
  api: ApiClient,
  token: string,
  sent: FormData,
): Promise<{ plain: PlainAnswer; status: number; retryAfter?: number }> {
  const key = keyOf(sent);
  const typed = textOf(sent, "answer");
  const answer = typed.trim();
  const of = { answer: typed, key };
  if (answerProblems(answer).answer) return { plain: { ...of, result: "refused" }, status: 400 };
  try {
    await answerQuestion(api, { token, answer }, key);
    return { plain: { answer: "", key, result: "sent" }, status: 200 };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, retryAfter, explanation } = error;
    if (status === 0 || status >= 500) {
      const plain = { ...of, result: "unknown", message: ANSWER_UNANSWERED } as const;
      return { plain, status: 503 };
    }
    const wait = status === 429 ? (retryAfter ?? 60) : undefined;
    const message =
      wait === undefined
        ? (error.fields.answer ?? explanation ?? ANSWER_FAILED)
        : `Too many requests came from your network, so nothing was sent. Please try again in ${waitingTime(wait)}.`;
    return { plain: { ...of, result: "refused", message }, status, ...given({ retryAfter: wait }) };
  }
}
