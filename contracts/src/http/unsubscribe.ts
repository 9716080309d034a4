import { type Static, Type } from "typebox";
import { UNSUBSCRIBE_SCOPES, type UnsubscribeScope } from "../mail/unsubscribe.ts";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** A link's token; nothing in it could lead a redirect elsewhere. */
export const UnsubscribeToken = strict({
  token: Type.String({ pattern: "^[A-Za-z0-9_-]{1,200}$" }),
});

/**
 * POST /prod/api/unsubscribe/{token}, as JSON. As a form it is `List-Unsubscribe=One-Click`, which
 * means `wanted: false`. 400 `link_invalid`.
 */
export const Unsubscribe = strict({ wanted: Type.Boolean() });

const scopes = Object.keys(UNSUBSCRIBE_SCOPES) as UnsubscribeScope[];
const Unsubscribed = strict({ scope: Type.Enum(scopes), wanted: Type.Boolean() });
export type Unsubscribed = Static<typeof Unsubscribed>;
/** Says the same of a report or account that is over: no such mails follow either way. */
export const UnsubscribeReply = reply(Unsubscribed);
