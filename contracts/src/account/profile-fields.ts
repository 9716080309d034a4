/** A field of an account's profile. */
export interface ProfileRow {
  readonly label: string;
  /** Maximum length in characters. */
  readonly max: number;
  /** Whether every account has it. */
  readonly required?: true;
  /** Whether it may have several lines. */
  readonly prose?: true;
  readonly autocomplete?: string;
}

/** The profile fields by wire name, in form order. */
// biome-ignore format: one row a field
export const PROFILE_FIELDS = {
  first_name: { label: "First name", max: 100, required: true, autocomplete: "given-name" },
  last_name: { label: "Last name", max: 100, required: true, autocomplete: "family-name" },
  phone: { label: "Phone", max: 40, autocomplete: "tel" },
  company: { label: "Company", max: 200, autocomplete: "organization" },
  website: { label: "Website", max: 300, autocomplete: "url" },
  job_title: { label: "Job title", max: 100, autocomplete: "organization-title" },
  bio: { label: "Bio", max: 2000, prose: true },
} as const satisfies Readonly<Record<string, ProfileRow>>;
export type ProfileField = keyof typeof PROFILE_FIELDS;
