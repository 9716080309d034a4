import { AGREED } from "#contracts/inquiry/inquiry-forms.ts";
import fields from "../../components/Field.module.css";
import type { FieldOfForm } from "../account/use-account-form.ts";
import styles from "./InquiryForm.module.css";

/** A statement that one agrees to by a box. */
export function Statement(props: {
  label: string;
  field: FieldOfForm;
  onChange: (isAgreed: boolean) => void;
}) {
  const { id, name, value, problem, onBlur } = props.field;
  return (
    <div className={styles.statement}>
      {problem && (
        <p id={`${id}-problem`} className={fields.problem}>
          <span className="visually-hidden">Error: </span>
          {problem}
        </p>
      )}
      <label htmlFor={id}>
        <input
          id={id}
          name={name}
          type="checkbox"
          value={AGREED}
          checked={value === AGREED}
          required
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          onBlur={onBlur}
          onChange={(event) => props.onChange(event.currentTarget.checked)}
        />
        <span>{props.label}</span>
      </label>
    </div>
  );
}
