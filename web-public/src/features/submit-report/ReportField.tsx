import { CHARGEBACK_ROWS, isRequired, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { chargebackVisibility, visibility } from "#contracts/report/derive/visibility.ts";
import { Control, type ControlProps } from "./Control.tsx";
import { useReportForm } from "./form-context.ts";
import { type FormField, type ItemField, PUBLICATION } from "./form-fields.ts";
import type { ItemValues } from "./form-state.ts";

type Changes = Pick<ControlProps, "label" | "hint" | "list" | "onLeave">;

/** A field of the report, as the catalogue describes it. */
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
