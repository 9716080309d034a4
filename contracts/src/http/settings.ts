import { type Static, type TSchema, Type } from "typebox";
import { EMAIL_LENGTH } from "../account/email.ts";
import { ONE_LINE, strict } from "../report/fields.ts";
import {
  SETTING_NAMES,
  type SettingName,
  type SettingValues,
  settingRow,
} from "../settings/catalogue.ts";
import type { SettingRow } from "../settings/setting-row.ts";
import { reply } from "./envelope.ts";

const opt = Type.Optional;
const CODE_LENGTH = 40;
const line = (maxLength: number) => Type.String({ maxLength, pattern: ONE_LINE });

function sent(row: SettingRow): TSchema {
  switch (row.kind) {
    case "switch":
      return Type.Boolean();
    case "whole":
      return Type.Integer({ minimum: row.orNone ? 0 : row.least, maximum: row.most });
    case "line":
      return line(row.most);
    case "address":
      return line(EMAIL_LENGTH);
    case "instant":
    case "time":
    case "choice":
      return line(CODE_LENGTH);
    case "off":
      return Type.Array(line(CODE_LENGTH), { maxItems: Object.keys(row.choices).length });
  }
}

function shown({ kind }: SettingRow): TSchema {
  if (kind === "switch") return Type.Boolean();
  if (kind === "off") return Type.Array(Type.String());
  return kind === "whole" ? Type.Integer() : Type.String();
}

type SchemaOf<V> = V extends boolean
  ? Type.TBoolean
  : V extends number
    ? Type.TInteger
    : V extends string[]
      ? Type.TArray<Type.TString>
      : Type.TString;
type Schemas = { readonly [N in SettingName]: SchemaOf<SettingValues[N]> };
type Optional = { readonly [N in SettingName]: Type.TOptional<SchemaOf<SettingValues[N]>> };

const schemas = <S>(schemaOf: (row: SettingRow) => TSchema): S =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, schemaOf(settingRow(name))])) as S;

/** PUT /prod/api/system/settings: the settings to change. Others are unchanged. */
export const ChangeSettings = strict({
  ...schemas<Optional>((row) => opt(sent(row))),
  /**
   * Revision of the settings that the client last saw; -1 before the first change. Absent: conflicts are not
   * checked.
   */
  revision: opt(Type.Integer({ minimum: -1, maximum: 2 ** 31 })),
});
export type ChangeSettings = Static<typeof ChangeSettings>;

/** Who last changed a setting, and when. */
const SettingChange = strict({
  /** Absent if the name is unknown. */
  by: opt(Type.String()),
  at: Type.String(),
});

/** GET /prod/api/system/settings */
export const SystemSettings = strict({
  ...schemas<Schemas>(shown),
  /** When the limits on reads and searches apply again; absent while they apply. */
  rateLimitOffUntil: opt(Type.String()),
  /** To be sent with a change. */
  revision: Type.Integer(),
  /** By setting; absent for a setting that was never changed. */
  changes: Type.Record(Type.String(), SettingChange),
  /** For each setting that may be empty, the value that applies while it is. */
  otherwise: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])),
});
export type SystemSettings = Static<typeof SystemSettings>;
export const SystemSettingsReply = reply(SystemSettings);

/** The reply to a change: the settings now in effect. */
export const SettingsChangedReply = reply(
  strict({
    ...schemas<Schemas>(shown),
    rateLimitOffUntil: opt(Type.String()),
    revision: Type.Integer(),
  }),
);
