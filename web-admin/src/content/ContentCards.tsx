import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import { Link as RouterLink } from "react-router-dom";
import { CONTENT_KINDS } from "#contracts/content/content-rules.ts";
import type { ContentItem } from "#contracts/http/content.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { CardFacts } from "../shared/CardFacts.tsx";
import { Delayed } from "../shared/Delayed.tsx";
import { Instant } from "../shared/Instant.tsx";
import { StatusChip } from "../shared/StatusChip.tsx";
import type { ContentColumns } from "./ContentTable.tsx";
import { authorText, statusText, viewsText } from "./labels.ts";

/** The texts as a list of cards, for narrow screens. */
export function ContentCards({
  items,
  columns,
}: {
  readonly items: readonly ContentItem[] | undefined;
  readonly columns: ContentColumns;
}) {
  return (
    <Box component="ul" aria-label="Texts" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {items
        ? items.map((item) => (
            <Box
              key={item.id}
              component="li"
              sx={{
                px: 2,
                py: 1.5,
                borderTop: `1px solid ${color.line}`,
              }}
            >
              <Link
                component={RouterLink}
                to={paths.text(item.id)}
                sx={{ fontWeight: 600, overflowWrap: "anywhere" }}
              >
                {item.title}
              </Link>
              {item.order !== undefined && <CardFacts facts={[["Place", item.order]]} />}
              <CardFacts
                shows={columns.shows}
                facts={[
                  ["Type", CONTENT_KINDS[item.type]],
                  [
                    "Status",
                    <StatusChip key="status" status={item.status} label={statusText(item)} />,
                  ],
                  ["Author", authorText(item)],
                  [
                    "Last modified",
                    item.last_modified ? <Instant key="at" at={item.last_modified} /> : "Never",
                  ],
                  ["Views", viewsText(item)],
                ]}
              />
            </Box>
          ))
        : ["first", "second", "third"].map((key) => (
            <Box key={key} component="li" sx={{ p: 2, borderTop: `1px solid ${color.line}` }}>
              <Delayed>
                <Skeleton variant="text" width="60%" />
                <Skeleton variant="text" />
              </Delayed>
            </Box>
          ))}
    </Box>
  );
}
