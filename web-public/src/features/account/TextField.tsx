import type { HTMLInputTypeAttribute, ReactNode } from "react";
import styles from "../../components/Field.module.css";
import type { FieldOfForm } from "./use-account-form.ts";

export interface TextFieldProps {
  readonly field: FieldOfForm;
  readonly label: string;
  readonly type?: HTMLInputTypeAttribute;
  readonly autoComplete: string;
  readonly required?: boolean;
  readonly hint?: ReactNode;
  readonly maxLength?: number;
  /** Makes it a multi-line field. */
  readonly rows?: number;
}

/** A field: label, hint, error message and control. */
export function TextField({ type = "text", rows, ...props }: TextFieldProps) {
  return (
    <FieldFrame {...props}>
      {(control) =>
        rows ? <textarea {...control} rows={rows} /> : <input {...control} type={type} />
      }
    </FieldFrame>
  );
}

/** A field's frame, which passes the control its attributes. */
export function FieldFrame(
  props: Omit<TextFieldProps, "type" | "rows"> & {
    children: (control: ReturnType<typeof controlOf>) => ReactNode;
  },
) {
  const { field, label, hint, required } = props;
  return (
    <FieldShell {...field} label={label} hint={hint} isOptional={!required}>
      {props.children(controlOf(props))}
    </FieldShell>
  );
}

/** The parts around a control: label, hint and error message. */
export function FieldShell(props: {
  id: string;
  label: string;
  isOptional: boolean;
  hint?: ReactNode;
  problem: string | undefined;
  /** Beside the label. */
  note?: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  const { id, label, isOptional, hint, problem, note, className } = props;
  return (
    <div className={[styles.field, className, problem && styles.wrong].filter(Boolean).join(" ")}>
      <div className={styles.labelRow}>
        <label htmlFor={id}>
          {label}
          {isOptional && <span className={styles.optional}> (optional)</span>}
        </label>
        {note && <span className={styles.publication}>{note}</span>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} className={styles.problem}>
          <span className="visually-hidden">Error: </span>
          {problem}
        </p>
      )}
      {props.children}
    </div>
  );
}

function controlOf({ field, hint, required, autoComplete, maxLength }: TextFieldProps) {
  const { id, problem } = field;
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return {
    id,
    name: field.name,
    value: field.value,
    required: required === true,
    autoComplete,
    maxLength,
    "aria-invalid": problem ? true : undefined,
    "aria-describedby": described || undefined,
    className: styles.control,
    onBlur: field.onBlur,
    onChange: (event: { currentTarget: { value: string } }) =>
      field.onChange(event.currentTarget.value),
  } as const;
}
