/** A field in which an account says something of itself. */
export interface ProfileRow {
  readonly label: string;
  /** Characters that it may have. */
  readonly max: number;
  /** Every account has it. */
  readonly required?: true;
  /** May have several lines. */
  readonly prose?: true;
  readonly autocomplete?: string;
}

/** What an account says of itself, in the order of forms, by the name on the wire. */
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
