import type { ReactNode } from "react";
import styles from "./Control.module.css";
import { useReportForm } from "./form-context.ts";
import { controlId } from "./problems.ts";

export type ControlKind =
  | { readonly kind: "text" | "email" | "tel" | "digits" | "code" | "amount" }
  | { readonly kind: "date"; readonly latest: string }
  | { readonly kind: "long"; readonly rows: number }
  | { readonly kind: "choice"; readonly options: readonly (readonly [string, string])[] };

export interface ControlProps {
  /** The field's path on the wire: `zip`, `chargebacks.0.date`. */
  readonly path: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly control?: ControlKind;
  readonly required?: boolean;
  /** Shown under the label. */
  readonly hint?: ReactNode;
  /** Tints the field and says who sees it. */
  readonly publication?: "public" | "masked" | "private";
  readonly width?: "short" | "medium" | "full";
  readonly maxLength?: number | undefined;
  readonly autoComplete?: string;
  /** Id of a `<datalist>`. */
  readonly list?: string | undefined;
}

const PUBLICATION_WORDS = { public: "", masked: "Shown masked", private: "Not published" } as const;

/** A field: label, hint, control, and what is wrong with it. */
export function Control(props: ControlProps) {
  const { path, label, required, hint, control, publication = "public", width = "full" } = props;
  const { problemOf } = useReportForm();
  const problem = problemOf(path);
  const id = controlId(path);
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  const shown = PUBLICATION_WORDS[publication];
  return (
    <div className={`${styles.field} ${styles[publication]} ${problem ? styles.wrong : ""}`}>
      <div className={styles.labelRow}>
        <label htmlFor={id}>
          {label}
          {!required && control?.kind !== "choice" && (
            <span className={styles.optional}> (optional)</span>
          )}
        </label>
        {shown && <span className={styles.publication}>{shown}</span>}
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
      <Input {...props} id={id} described={described} wrong={problem !== undefined} width={width} />
    </div>
  );
}

function Input(props: ControlProps & { id: string; described: string; wrong: boolean }) {
  const { leave } = useReportForm();
  const { control = { kind: "text" }, value, onChange, path } = props;
  const common = {
    id: props.id,
    value,
    required: props.required ?? false,
    "aria-invalid": props.wrong || undefined,
    "aria-describedby": props.described || undefined,
    className: `${styles.control} ${styles[props.width ?? "full"]}`,
    autoComplete: props.autoComplete ?? "off",
    onBlur: () => leave(path),
  };
  if (control.kind === "choice") {
    return (
      <select {...common} onChange={(event) => onChange(event.currentTarget.value)}>
        {control.options.map(([code, words]) => (
          <option key={code} value={code}>
            {words}
          </option>
        ))}
      </select>
    );
  }
  const typed = {
    ...common,
    maxLength: props.maxLength,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  switch (control.kind) {
    case "long":
      return <textarea {...typed} rows={control.rows} />;
    case "date":
      return <input {...typed} type="date" min="1900-01-01" max={control.latest} />;
    case "amount":
      return (
        <input
          {...typed}
          inputMode="decimal"
          placeholder="0.00"
          className={`${common.className} ${styles.amount}`}
        />
      );
    case "digits":
      return <input {...typed} inputMode="numeric" />;
    case "code":
      return (
        <input
          {...typed}
          list={props.list}
          autoCapitalize="characters"
          onChange={(event) => onChange(event.currentTarget.value.toUpperCase())}
        />
      );
    default:
      return <input {...typed} type={control.kind} />;
  }
}
