import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { TEMPLATE_TYPES } from "#contracts/mail/template-kinds.ts";
import { color } from "#theme/color.ts";
import { CardFacts } from "../shared/CardFacts.tsx";
import { Delayed } from "../shared/Delayed.tsx";
import { counted } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
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
              <CardFacts
                shows={columns.shows}
                facts={[
                  ["Type", TEMPLATE_TYPES[item.type]],
                  ["Subject", item.subject],
                  ["Status", <TemplateChip key="status" status={item.status} />],
                  [
                    "Last modified",
                    item.last_modified ? (
                      <Instant key="at" at={item.last_modified} />
                    ) : (
                      "As shipped"
                    ),
                  ],
                  ["Usage", counted(item.usage, "mail", "mails")],
                ]}
              />
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
