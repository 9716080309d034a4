import Button from "@mui/material/Button";
import type { ListControllerResult } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { CONTENT_KINDS, CONTENT_STATUSES } from "#contracts/content/content-rules.ts";
import type { ContentItem } from "#contracts/http/content.ts";
import { paths } from "../config/paths.ts";
import {
  type Column,
  countColumn,
  dayColumn,
  linkColumn,
  wordColumn,
} from "../shared/list/columns.tsx";
import { ListFilters, SearchFilter, SelectFilter } from "../shared/list/filters.tsx";
import { ListTabs } from "../shared/list/ListTabs.tsx";
import { NothingHere, RecordList } from "../shared/list/RecordList.tsx";
import { StatusChip } from "../shared/parts.tsx";
import { authorText, statusText, viewsText } from "./labels.ts";

type List = ListControllerResult<ContentItem>;

const NEWEST = { field: "last_modified", order: "DESC" } as const;
const BY_PLACE = { field: "order", order: "ASC" } as const;
/** What each tab shows, and its add button. Legal texts always exist, so they have none. */
const TABS = [
  ["", "All", "Create content"],
  ["legal", "Legal", undefined],
  ["blog", "Blog", "Create post"],
  ["page", "Pages", "Create page"],
  ["faq", "FAQ", "Create FAQ item"],
] as const;
const tabOf = ({ filterValues }: List) =>
  TABS.find(([type]) => type === filterValues.type) ?? TABS[0];

const title = (label: string) => linkColumn("title", label, paths.text, { sortable: true });
const COMMON: readonly Column<ContentItem>[] = [
  {
    source: "status",
    label: "Status",
    sortable: true,
    width: 190,
    phone: "end",
    render: (row) => <StatusChip status={row.status} label={statusText(row)} />,
  },
  { source: "author", label: "Author", width: 160, render: authorText },
  dayColumn("last_modified", "Last modified", { sortable: true, width: 132 }),
];
const FAQ: readonly Column<ContentItem>[] = [
  title("Question"),
  countColumn("order", "Order", { sortable: true, width: 80 }),
  ...COMMON,
];
const ALL: readonly Column<ContentItem>[] = [
  title("Title"),
  wordColumn("type", "Type", CONTENT_KINDS, { sortable: true, width: 110 }),
  ...COMMON,
  {
    source: "views",
    label: "Views",
    sortable: true,
    align: "right",
    width: 110,
    render: viewsText,
  },
];

/** The site's texts by type and status. FAQ items are in their own order and have no view counts. */
export function ContentList() {
  return (
    <RecordList<ContentItem>
      resource="content"
      of={["content item", "content items"]}
      label="Content"
      empty={(list) => <NothingHere list={list} many="content items" tab="type" />}
      sort={NEWEST}
      columns={(list) => (tabOf(list)[0] === "faq" ? FAQ : ALL)}
      to={({ id }) => paths.text(id)}
      tabs={(list) => <TypeTabs list={list} />}
      actions={(list) => <AddButton list={list} />}
      filters={
        <ListFilters others={["type"]}>
          <SearchFilter placeholder="Title or address" />
          <SelectFilter source="status" label="Status" options={CONTENT_STATUSES} />
        </ListFilters>
      }
    />
  );
}

function TypeTabs({ list }: { readonly list: List }) {
  const [chosen] = tabOf(list);
  function choose(type: string) {
    const { type: _, ...others } = list.filterValues;
    list.setFilters(type ? { ...others, type } : others);
    list.setSort(type === "faq" ? BY_PLACE : NEWEST);
  }
  return (
    <ListTabs
      label="Type"
      value={chosen}
      tabs={TABS.map(([type, label]) => [type, label] as const)}
      onChange={choose}
    />
  );
}

function AddButton({ list }: { readonly list: List }) {
  const [type, , added] = tabOf(list);
  if (!added) return null;
  return (
    <Button variant="contained" component={RouterLink} to={paths.newText(type || "blog")}>
      {added}
    </Button>
  );
}
