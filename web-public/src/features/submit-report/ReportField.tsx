import type { FieldKind, FieldRow } from "#contracts/report/catalogue.ts";
import { cutAt, offeredOf, widthOf } from "#contracts/report/derive/amounts.ts";
import { CHARGEBACK_ROWS, isRequired, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { chargebackVisibility, visibility } from "#contracts/report/derive/visibility.ts";
import type { PrivatePlace } from "#contracts/report/private-text/find-private-text.ts";
import { PRIVATE_KINDS } from "#contracts/report/private-text/found-place.ts";
import { maskPlace } from "#contracts/report/private-text/mask-places.ts";
import { isFreeText, warnedPlaces } from "#contracts/report/private-text/private-texts.ts";
import { Button } from "../../components/Button.tsx";
import styles from "../../components/Field.module.css";
import { Notice } from "../../components/Notice.tsx";
import { FieldShell } from "../account/TextField.tsx";
import { useReportForm } from "./form-context.ts";
import { type FormField, type ItemField, PUBLICATION, type Publication } from "./form-fields.ts";
import type { ItemValues } from "./form-state.ts";
import warning from "./PrivateWarning.module.css";
import { controlId } from "./problems.ts";

type Changes = Pick<ControlProps, "label" | "hint" | "list" | "onLeave">;

/** A report field, built from the catalogue. */
export function ReportField({ field, ...changes }: { field: FormField } & Changes) {
  const { state, type, dispatch } = useReportForm();
  return (
    <Control
      {...changes}
      path={field}
      row={REPORT_ROWS[field]}
      value={state.fields[field]}
      onChange={(value) => dispatch({ type: "set", field, value })}
      required={isRequired(field, type)}
      publication={PUBLICATION[visibility[field].public]}
    />
  );
}

/** A field of an additional chargeback. */
export function ChargebackField(props: { item: ItemValues; index: number; field: ItemField }) {
  const { item, index, field } = props;
  const { dispatch } = useReportForm();
  const row = CHARGEBACK_ROWS[field];
  return (
    <Control
      path={`chargebacks.${index}.${field}`}
      row={row}
      value={item.values[field]}
      onChange={(value) => dispatch({ type: "set-item", key: item.key, field, value })}
      required={row.required === true}
      publication={PUBLICATION[chargebackVisibility[field].public]}
    />
  );
}

interface ControlProps {
  /** Path of the field in the request: `zip`, `chargebacks.0.date`. */
  readonly path: string;
  /** The field's row in the catalogue. */
  readonly row: FieldRow;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required: boolean;
  /** Determines the field's tint and the note about who sees it. */
  readonly publication: Publication;
  /** Overrides the row's label. */
  readonly label?: string | undefined;
  readonly hint?: string | undefined;
  /** ID of a `<datalist>`. */
  readonly list?: string | undefined;
  readonly onLeave?: (() => void) | undefined;
}

const PUBLICATION_WORDS = { public: "", masked: "Masked", private: "Not published" } as const;

function Control(props: ControlProps) {
  const { path, row, required, publication, label = row.label, hint = row.hint } = props;
  const { problemOf, isLeft, own } = useReportForm();
  const problem = problemOf(path);
  const id = controlId(path);
  const isRead = publication === "public" && isFreeText(row) && !row.own && isLeft(path);
  const warned = isRead ? warnedPlaces(props.value, own) : [];
  const described = [
    hint && `${id}-hint`,
    problem && `${id}-problem`,
    warned.length > 0 && `${id}-warning`,
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <FieldShell
      id={id}
      label={label}
      isOptional={!required && row.kind !== "choice"}
      hint={hint}
      problem={problem}
      note={PUBLICATION_WORDS[publication]}
      className={styles[publication]}
    >
      <PrivateWarning
        id={`${id}-warning`}
        controlId={id}
        text={props.value}
        places={warned}
        onMasked={props.onChange}
      />
      <Input {...props} id={id} described={described} wrong={problem !== undefined} />
    </FieldShell>
  );
}

function Input(props: ControlProps & { id: string; described: string; wrong: boolean }) {
  const { leave, latestDate } = useReportForm();
  const { row, value, onChange, path } = props;
  const common = {
    id: props.id,
    name: path,
    value,
    required: props.required,
    "aria-invalid": props.wrong || undefined,
    "aria-describedby": props.described || undefined,
    className: classes(styles.control, styles[widthOf(row)]),
    autoComplete: row.autocomplete ?? "off",
    onBlur: () => {
      props.onLeave?.();
      leave(path);
    },
  };
  const typed = {
    ...common,
    maxLength: cutAt(row),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  switch (row.kind) {
    case "choice":
      return (
        <select {...common} onChange={typed.onChange}>
          {offeredOf(row).map(([code, words]) => (
            <option key={code} value={code}>
              {words}
            </option>
          ))}
        </select>
      );
    case "prose":
      return <textarea {...typed} rows={row.rows} />;
    case "date":
      return <input {...typed} type="date" min="1900-01-01" max={latestDate} />;
    case "money":
      return (
        <input
          {...typed}
          inputMode="decimal"
          placeholder="0.00"
          className={classes(common.className, styles.amount)}
        />
      );
    case "digits":
      return <input {...typed} inputMode="numeric" />;
    case "state":
      return (
        <input {...typed} list={props.list} autoCapitalize={props.list ? "characters" : "words"} />
      );
    default:
      return <input {...typed} type={TYPES[row.kind] ?? "text"} />;
  }
}

/** Joins the class names that exist: not every width and every publication has one. */
function classes(...names: readonly (string | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

/** Kinds of fields with their own HTML input type. */
const TYPES: Readonly<Partial<Record<FieldKind, string>>> = { email: "email", phone: "tel" };

/** Warns of text that would be public but looks private, with a button to mask each place. */
function PrivateWarning(props: {
  id: string;
  /** ID of the field's control. */
  controlId: string;
  text: string;
  places: readonly PrivatePlace[];
  onMasked: (text: string) => void;
}) {
  const { id, controlId, text, places, onMasked } = props;
  if (places.length === 0) return null;
  function mask(place: PrivatePlace) {
    onMasked(maskPlace(text, place));
    // The button disappears.
    document.getElementById(controlId)?.focus();
  }
  return (
    <div id={id}>
      <Notice tone="warning" role="status">
        <p>Anyone can read this once the report is published:</p>
        <ul className={warning.places}>
          {places.map((place) => {
            const { name } = PRIVATE_KINDS[place.kind];
            return (
              <li key={place.start}>
                <span className={warning.place}>
                  {name}: <strong>{text.slice(place.start, place.end)}</strong>
                </span>
                <Button kind="quiet" className="needs-script" onClick={() => mask(place)}>
                  Mask it<span className="visually-hidden">: {name}</span>
                </Button>
              </li>
            );
          })}
        </ul>
      </Notice>
    </div>
  );
}
