import { type TSchema, Type } from "typebox";
import {
  AGREED,
  ATTACHMENT,
  type InquiryField,
  type InquiryForm,
  TRAP,
} from "../inquiry/inquiry-forms.ts";
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

/** The body of a form: its answers, the file that was uploaded before, and the field that only programs fill in. */
export function inquiryBody({ fields, attachment }: InquiryForm) {
  const answers = Object.entries(fields).map(([name, field]) => [name, answerTo(field)]);
  return strict({
    ...(Object.fromEntries(answers) as Record<string, TSchema>),
    ...(attachment ? { [ATTACHMENT]: Type.Optional(NamedUploads.items) } : {}),
    [TRAP]: Type.Optional(Type.String({ maxLength: 200 })),
  });
}

/** `number` is what the sender quotes; `promise` says when they hear from us. */
export const InquiryReply = reply(strict({ number: Type.String(), promise: Type.String() }));
