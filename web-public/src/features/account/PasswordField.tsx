import { type KeyboardEvent, useState } from "react";
import styles from "./AccountPage.module.css";
import { FieldFrame, type TextFieldProps } from "./TextField.tsx";

/** A password: can be shown, takes what is pasted, and says when Caps Lock is on. */
export function PasswordField(
  props: Omit<TextFieldProps, "type" | "rows" | "autoComplete"> & {
    autoComplete: "current-password" | "new-password";
  },
) {
  const [isShown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const notice = (event: KeyboardEvent) => setCapsLock(event.getModifierState("CapsLock"));
  return (
    <div>
      <FieldFrame {...props}>
        {({ onBlur, ...control }) => (
          <div className={styles.password}>
            <input
              {...control}
              type={isShown ? "text" : "password"}
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              onKeyDown={notice}
              onKeyUp={notice}
              onBlur={() => {
                setCapsLock(false);
                onBlur();
              }}
            />
            <button
              type="button"
              className="needs-script"
              aria-controls={control.id}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? "Hide" : "Show"}
              <span className="visually-hidden"> {props.label.toLowerCase()}</span>
            </button>
          </div>
        )}
      </FieldFrame>
      <p role="status" className={styles.capsLock}>
        {capsLock && "Caps Lock is on."}
      </p>
    </div>
  );
}
