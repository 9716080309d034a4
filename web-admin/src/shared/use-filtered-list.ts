import { useRef } from "react";
import {
  type ListControllerProps,
  type ListControllerResult,
  type RaRecord,
  useListController,
} from "react-admin";

/**
 * A list of react-admin's, which keeps the rows of the page before until the next ones come. Those of another filter
 * are not kept: that there are none, or so many, would be said of the new one.
 */
export function useFilteredList<Row extends RaRecord>(
  props: Omit<ListControllerProps<Row>, "queryOptions">,
): ListControllerResult<Row> {
  const list = useListController<Row>({ ...props, queryOptions: { onError: () => undefined } });
  const filter = JSON.stringify(list.filterValues);
  const known = useRef(filter);
  if (!list.isPlaceholderData) known.current = filter;
  if (known.current === filter) return list;
  const unknown = { data: undefined, total: undefined, meta: undefined, error: null } as const;
  return { ...list, ...unknown, isPending: true };
}
