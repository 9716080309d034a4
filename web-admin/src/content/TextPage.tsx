import Button from "@mui/material/Button";
import { useDataProvider } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { ApiError } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";
import { LoadError } from "../shared/LoadError.tsx";
import { Sorry } from "../shared/Sorry.tsx";
import { useOpened } from "../shared/use-opened.ts";
import { TextEditor } from "./TextEditor.tsx";

/** Loads a text and shows its editor. */
export function TextPage() {
  const { id = "" } = useParams();
  const provider = useDataProvider<ConsoleDataProvider>();
  const read = async () => (await provider.openText(id)).data;
  const { item, failure, retry, reload } = useOpened("content", [id], read);
  if (failure) return <TextLoadError error={failure} onRetry={retry} />;
  if (!item) return <FullPageLoading />;
  return <TextEditor key={id} record={item} reload={reload} />;
}

function TextLoadError(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const { error, onRetry } = props;
  const list = (
    <Button key="list" variant="outlined" component={RouterLink} to={paths.content}>
      All texts
    </Button>
  );
  if (error instanceof ApiError && error.status === 410)
    return (
      <Sorry title="This text was deleted" actions={list}>
        Its words are destroyed. The audit log still says who deleted it, and when.
      </Sorry>
    );
  return (
    <LoadError
      what="text"
      absence="The address may be mistyped."
      list={list}
      error={error}
      onRetry={onRetry}
    />
  );
}
