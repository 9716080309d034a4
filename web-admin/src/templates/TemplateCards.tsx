import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { TEMPLATE_TYPES } from "#contracts/mail/template-kinds.ts";
import { color } from "#theme/color.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { counted, formatInstant } from "../shared/formats.ts";
import { TemplateChip } from "./TemplateChip.tsx";
import { TemplateActs, TemplateName, type TemplateRows } from "./TemplateTable.tsx";

/** The templates as a list of cards, for narrow screens. */
export function TemplateCards({ items, columns, ...acts }: TemplateRows) {
  return (
    <Box component="ul" aria-label="Templates" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {items
        ? items.map((item) => (
            <Box
              key={`${item.kind} ${item.id}`}
              component="li"
              sx={{ px: 2, py: 1.5, borderTop: `1px solid ${color.line}` }}
            >
              <TemplateName item={item} />
              <Box
                sx={{ display: "flex", gap: 1, alignItems: "center", flexWrap: "wrap", my: 0.5 }}
              >
                {columns.shows("Status") && <TemplateChip status={item.status} />}
                {columns.shows("Type") && <Typography>{TEMPLATE_TYPES[item.type]}</Typography>}
              </Box>
              {columns.shows("Subject") && (
                <Typography sx={{ overflowWrap: "anywhere" }}>{item.subject}</Typography>
              )}
              <Typography color="textSecondary">
                {[
                  columns.shows("Usage") && counted(item.usage, "mail", "mails"),
                  columns.shows("Last modified") &&
                    (item.last_modified
                      ? `changed ${formatInstant(item.last_modified)}`
                      : "as shipped"),
                ]
                  .filter(Boolean)
                  .join(", ")}
              </Typography>
              <Box sx={{ display: "flex", gap: 1, ml: -1 }}>
                <TemplateActs item={item} {...acts} />
              </Box>
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
