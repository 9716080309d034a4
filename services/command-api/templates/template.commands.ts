import type { TemplateText } from "#contracts/events/template.ts";

/** Every command but the first names the template, and the revision of it that its sender has seen. */
interface Seen {
  readonly id: string;
  readonly revision: number;
}

/** The commands of the templates of one kind of mail. */
export type TemplateCommand =
  | {
      readonly type: "CreateTemplate";
      readonly id: string;
      readonly name: string;
      /** The template that it copies; absent for the shipped one. */
      readonly from?: string | undefined;
    }
  | ({ readonly type: "EditTemplate"; readonly text: TemplateText } & Seen)
  | ({ readonly type: "RestoreTemplate"; readonly version: number } & Seen)
  | ({ readonly type: "ActivateTemplate" | "DeactivateTemplate" | "DeleteTemplate" } & Seen)
  | ({ readonly type: "TestTemplate"; readonly to: string } & Seen);

/** A command with what its decider needs from elsewhere. */
export type PreparedTemplateCommand = TemplateCommand & {
  /** What the software ships for the kind. */
  readonly shipped: Omit<TemplateText, "name">;
  /** The version to restore; absent where the template has none of that number. */
  readonly former?: TemplateText | undefined;
  /** All active admins. */
  readonly admins: readonly string[];
};
