import Paper from "@mui/material/Paper";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { useSearchParams } from "react-router-dom";
import { Documents } from "./Documents.tsx";
import { NoticeMaterial } from "./NoticeMaterial.tsx";

const TABS = { files: "Evidence and letters", notices: "DMCA notices" } as const;
type Shown = keyof typeof TABS;
const SHOWN = "show";

/** Files of reports, and what notices are about, each with the filters of its own. */
export function AllDocuments() {
  const [query, setQuery] = useSearchParams();
  const shown: Shown = query.get(SHOWN) === "notices" ? "notices" : "files";
  return (
    <>
      <Paper sx={{ border: 1, borderColor: "divider", mb: 2 }}>
        <Tabs
          value={shown}
          onChange={(_event, value: Shown) =>
            setQuery(value === "notices" ? { [SHOWN]: value } : {})
          }
          variant="scrollable"
          aria-label="What is shown"
          sx={{ px: 1 }}
        >
          {Object.entries(TABS).map(([value, label]) => (
            <Tab key={value} value={value} label={label} />
          ))}
        </Tabs>
      </Paper>
      {shown === "notices" ? <NoticeMaterial /> : <Documents />}
    </>
  );
}
