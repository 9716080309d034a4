import type { ShippedText } from "#content/shipped-text.ts";
import type { ContentKind } from "#contracts/content/content-rules.ts";
import type { ContentText } from "#contracts/events/content.ts";

/** What an admin wrote; the address is apart from it. */
type Words = Omit<ContentText, "slug">;

/** Every command but the first names the revision that its sender has seen; -1 is the shipped text. */
interface Seen {
  readonly revision: number;
}

/** The commands of a text of the registry. */
export type ContentCommand =
  | {
      readonly type: "CreateContent";
      readonly kind: ContentKind;
      readonly slug: string;
      readonly words: Words;
    }
  | ({ readonly type: "EditContent"; readonly words: Words } & Seen)
  | ({ readonly type: "PublishContent" | "UnpublishContent" | "DeleteContent" } & Seen)
  | ({ readonly type: "RestoreContent"; readonly version: number } & Seen);

/** A command with what its decider needs from elsewhere. */
export type PreparedContentCommand = ContentCommand & {
  /** The text as the software ships it, if it does. */
  readonly shipped?: ShippedText | undefined;
  /** The text of the version to restore; absent when there is none. */
  readonly former?: ContentText | undefined;
};
