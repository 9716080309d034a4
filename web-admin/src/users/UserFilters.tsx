import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useEffect, useRef, useState } from "react";
import { USER_ROLES, USER_STATUSES } from "#contracts/account/account-words.ts";
import { SelectField } from "../shared/SelectField.tsx";

/** The filters of the users list, as they stand in the address. */
export interface UserFilter {
  readonly search?: string;
  readonly status?: string;
  readonly role?: string;
}

export interface UserFiltersProps {
  readonly filter: UserFilter;
  readonly onApply: (filter: UserFilter) => void;
}

/** Search box and menus, which count once they are applied. */
export function UserFilters({ filter, onApply }: UserFiltersProps) {
  const [draft, setDraft] = useState(filter);
  const { search = "", status, role } = filter;
  /** What was applied here and is not in the address yet: meanwhile somebody may be typing again. */
  const applied = useRef<string>(undefined);
  useEffect(() => {
    const isOwn = applied.current === textOf({ search, status, role });
    applied.current = undefined;
    if (isOwn) return;
    setDraft({ search, ...(status ? { status } : {}), ...(role ? { role } : {}) });
  }, [search, status, role]);
  const choose = (field: "status" | "role") => (code: string | undefined) => {
    const { [field]: _, ...others } = draft;
    setDraft(code ? { ...others, [field]: code } : others);
  };
  const apply = (next: UserFilter) => {
    const given: UserFilter = Object.fromEntries(
      Object.entries(next).filter(([, value]) => value?.trim()),
    );
    applied.current = textOf(given);
    setDraft(given);
    onApply(given);
  };
  return (
    <Box
      component="form"
      role="search"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        apply(draft);
      }}
      sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 1.5, p: 2 }}
    >
      <TextField
        type="search"
        label="Search"
        placeholder="Part of a name, or a whole email"
        value={draft.search ?? ""}
        onChange={(event) => setDraft({ ...draft, search: event.target.value })}
        slotProps={{ htmlInput: { maxLength: 200 } }}
        sx={{ flex: "1 1 240px" }}
      />
      <SelectField
        label="Status"
        value={draft.status}
        options={Object.entries(USER_STATUSES)}
        onChange={choose("status")}
      />
      <SelectField
        label="Role"
        value={draft.role}
        options={Object.entries(USER_ROLES)}
        onChange={choose("role")}
      />
      <Button type="submit" variant="outlined">
        Apply Filters
      </Button>
      {Object.keys(filter).length > 0 && <Button onClick={() => apply({})}>Clear filters</Button>}
    </Box>
  );
}

function textOf({
  search = "",
  status,
  role,
}: Partial<Record<keyof UserFilter, string | undefined>>) {
  return JSON.stringify([search, status, role]);
}
