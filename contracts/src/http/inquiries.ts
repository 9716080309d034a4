import { type Static, type TSchema, Type } from "typebox";
import {
  AGREED,
  ATTACHMENT,
  HONEYPOT,
  type InquiryField,
  type InquiryForm,
} from "../inquiry/inquiry-forms.ts";
import { REPLY_CHARS } from "../inquiry/inquiry-status.ts";
import { codes, Email, ONE_LINE, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";
import { NamedUploads } from "./evidence.ts";

function answerTo({ kind, max: maxLength, required, choices }: InquiryField): TSchema {
  const schema = (): TSchema => {
    if (kind === "email") return Email;
    if (kind === "statement") return Type.Literal(AGREED);
    if (choices) return codes(choices);
    return Type.String({
      minLength: 1,
      maxLength,
      ...(kind === "prose" ? {} : { pattern: ONE_LINE }),
    });
  };
  return required ? schema() : Type.Optional(schema());
}

/** Returns the body of a form: its answers, the previously uploaded file, and the honeypot field. */
export function inquiryBody({ fields, attachment }: InquiryForm) {
  const answers = Object.entries(fields).map(([name, field]) => [name, answerTo(field)]);
  return strict({
    ...(Object.fromEntries(answers) as Record<string, TSchema>),
    ...(attachment ? { [ATTACHMENT]: Type.Optional(NamedUploads.items) } : {}),
    [HONEYPOT]: Type.Optional(Type.String({ maxLength: 200 })),
  });
}

/** `number`: the reference for the sender to quote. `promise`: when the sender will hear from us. */
export const InquiryReply = reply(strict({ number: Type.String(), promise: Type.String() }));

/** Reads an answer with its link, and accepts the sender's reply. */
export const INQUIRY_ANSWER = "/prod/api/inquiry-answer";
export const INQUIRY_REPLY = `${INQUIRY_ANSWER}/reply`;

const Token = Type.String({ pattern: "^[A-Za-z0-9_-]{1,200}$" });

/** POST /prod/api/inquiry-answer: returns the staff answer for the link in its email. 400 `link_invalid`. */
export const ReadInquiryAnswer = strict({ token: Token });
export const AnsweredInquiry = strict({
  number: Type.String(),
  /** Title of the form that was sent. */
  form: Type.String(),
  /** Deadline for a reply (RFC 3339, UTC). */
  expires_at: Type.String(),
  state: Type.Enum(["open", "replied", "closed"]),
  /** Absent once it is no longer open: the link may be old. */
  answer: Type.Optional(Type.String()),
});
export type AnsweredInquiry = Static<typeof AnsweredInquiry>;
export const AnsweredInquiryReply = reply(AnsweredInquiry);

/** POST /prod/api/inquiry-answer/reply. 400 `link_invalid`, 409 `question_closed`. */
export const ReplyToInquiry = strict({
  token: Token,
  reply: Type.String({ minLength: 1, maxLength: REPLY_CHARS, pattern: "\\S" }),
});
