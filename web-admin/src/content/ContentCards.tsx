import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import { CONTENT_KINDS } from "#contracts/content/content-rules.ts";
import type { ContentItem } from "#contracts/http/admin-content.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { formatInstant } from "../shared/formats.ts";
import type { ContentColumns } from "./ContentTable.tsx";
import { StandingChip } from "./StandingChip.tsx";
import { authorText } from "./text-words.ts";

/** The texts as a list of cards, for narrow screens. */
export function ContentCards({
  items,
  columns,
}: {
  readonly items: readonly ContentItem[] | undefined;
  readonly columns: ContentColumns;
}) {
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {items
        ? items.map((item) => (
            <Box
              key={item.id}
              component="li"
              sx={{
                px: 2,
                py: 1.5,
                borderTop: `1px solid ${color.line}`,
                display: "grid",
                gap: 0.5,
              }}
            >
              <Link
                component={RouterLink}
                to={paths.text(item.id)}
                sx={{ fontWeight: 600, overflowWrap: "anywhere" }}
              >
                {item.title}
              </Link>
              <Box sx={{ display: "flex", gap: 1, alignItems: "center", flexWrap: "wrap" }}>
                {columns.shows("Status") && (
                  <StandingChip status={item.status} has_changes={item.has_changes} />
                )}
                <Typography>
                  {[
                    columns.shows("Type") && CONTENT_KINDS[item.type],
                    item.order !== undefined && `place ${item.order}`,
                  ]
                    .filter(Boolean)
                    .join(", ")}
                </Typography>
              </Box>
              <Typography color="textSecondary">
                {[
                  columns.shows("Author") && authorText(item),
                  columns.shows("Last modified") &&
                    item.last_modified &&
                    formatInstant(item.last_modified),
                ]
                  .filter(Boolean)
                  .join(", ")}
              </Typography>
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
