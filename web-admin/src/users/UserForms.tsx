import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { USER_ROLES } from "#contracts/account/account-words.ts";
import { INVITATION_DAYS } from "#contracts/account/deadlines.ts";
import { PROFILE_FIELDS } from "#contracts/account/profile-fields.ts";
import type { Role } from "#contracts/http/account.ts";
import type { ListedUser } from "#contracts/http/users.ts";
import { roleWord, userName } from "./labels.ts";
import { UserDialog } from "./UserDialog.tsx";
import { useUserCommand } from "./use-user-command.ts";

type Texts = "first_name" | "last_name" | "email" | "phone";
const LABELS: Readonly<Record<Texts, { label: string; max: number }>> = {
  first_name: PROFILE_FIELDS.first_name,
  last_name: PROFILE_FIELDS.last_name,
  email: { label: "Email", max: 254 },
  phone: PROFILE_FIELDS.phone,
};

interface TextProps {
  readonly name: Texts;
  readonly value: string;
  readonly problem: string | undefined;
  readonly hint?: string;
  readonly required?: boolean;
  readonly isFirst?: boolean;
  readonly onChange: (value: string) => void;
}

function Text({ name, value, problem, hint, required, isFirst, onChange }: TextProps) {
  const { label, max } = LABELS[name];
  return (
    <TextField
      fullWidth
      autoFocus={isFirst ?? false}
      required={required ?? false}
      label={label}
      value={value}
      error={problem !== undefined}
      helperText={problem ?? hint}
      autoComplete="off"
      type={name === "email" ? "email" : "text"}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ htmlInput: { maxLength: max } }}
    />
  );
}

function RoleField(props: { readonly value: Role; readonly onChange: (role: Role) => void }) {
  return (
    <TextField
      select
      fullWidth
      label="Role"
      value={props.value}
      onChange={(event) => props.onChange(event.target.value as Role)}
    >
      {Object.entries(USER_ROLES).map(([code, text]) => (
        <MenuItem key={code} value={code}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** What is missing before anything is sent. */
function missing(values: Readonly<Partial<Record<Texts, string>>>) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value.trim() ? [] : [[name, `${LABELS[name as Texts].label} is a required field`]],
    ),
  );
}

/** Adds a user: an invitation goes to the address. */
export function AddUserDialog({ onClose }: { readonly onClose: () => void }) {
  const commands = useUserCommand(undefined);
  const [values, setValues] = useState({ first_name: "", last_name: "", email: "", phone: "" });
  const [role, setRole] = useState<Role>("user");
  const [asked, setAsked] = useState(false);
  const { phone, ...needed } = values;
  const absent: Readonly<Record<string, string>> = asked ? missing(needed) : {};
  const field = (name: Texts) => ({
    name,
    value: values[name],
    problem: absent[name] ?? commands.failure?.fields[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  const send = async () => {
    setAsked(true);
    if (Object.keys(missing(needed)).length > 0) return;
    const sent = { ...needed, ...(phone.trim() ? { phone } : {}), role };
    if (await commands.run("invite", sent)) onClose();
  };
  return (
    <UserDialog
      title="Add user"
      consequence={`A mail with a link goes to the address. Whoever opens it within ${INVITATION_DAYS} days sets a password of their own.`}
      confirm="Add user"
      commands={commands}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <Text {...field("first_name")} required isFirst />
      <Text {...field("last_name")} required />
      <Text {...field("email")} required />
      <Text {...field("phone")} />
      <RoleField value={role} onChange={setRole} />
    </UserDialog>
  );
}

export interface OfUser {
  readonly user: ListedUser & { readonly phone?: string };
  readonly onClose: () => void;
}

/** Names and phone. The phone is masked: what is not typed anew stays. */
export function EditUserDialog({ user, onClose }: OfUser) {
  const commands = useUserCommand(user);
  const { first_name, last_name } = user;
  const [values, setValues] = useState({ first_name, last_name, phone: "" });
  const [asked, setAsked] = useState(false);
  const { phone, ...names } = values;
  const absent: Readonly<Record<string, string>> = asked ? missing(names) : {};
  const field = (name: "first_name" | "last_name" | "phone") => ({
    name,
    value: values[name],
    problem: absent[name] ?? commands.failure?.fields[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  const send = async () => {
    setAsked(true);
    if (Object.keys(missing(names)).length > 0) return;
    const sent = { ...names, ...(phone.trim() ? { phone } : {}) };
    if (await commands.run("edit", sent)) onClose();
  };
  return (
    <UserDialog
      title={`Edit ${userName(user)}`}
      consequence="The owner sees the change in the profile. Address and password stay theirs."
      confirm="Save"
      commands={commands}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <Text {...field("first_name")} required isFirst />
      <Text {...field("last_name")} required />
      <Text {...field("phone")} hint="Left empty, the phone stays as it is" />
    </UserDialog>
  );
}

/** Another role, which ends all sessions. */
export function RoleDialog({ user, onClose }: OfUser) {
  const commands = useUserCommand(user);
  const [role, setRole] = useState<Role>(user.role);
  const send = async () => {
    if (role === user.role) return onClose();
    if (await commands.run("role", { role })) onClose();
  };
  return (
    <UserDialog
      title={`Role of ${userName(user)}`}
      consequence={`The role is ${roleWord(user.role)} now. With another one all sessions of the account end, and all admins get a mail.`}
      confirm="Change role"
      isGrave
      commands={commands}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <RoleField value={role} onChange={setRole} />
    </UserDialog>
  );
}
