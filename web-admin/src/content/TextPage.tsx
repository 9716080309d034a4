import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider, useRequireAccess } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { ApiError } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";
import { LoadError } from "../shared/LoadError.tsx";
import { Sorry } from "../shared/Sorry.tsx";
import { TextEditor } from "./TextEditor.tsx";

/** Loads a text and shows its editor. */
export function TextPage() {
  const { id = "" } = useParams();
  const { isPending: isChecking } = useRequireAccess({ resource: "content", action: "edit" });
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error, refetch } = useQuery({
    queryKey: ["content", "detail", id],
    queryFn: async () => (await provider.openText(id)).data,
    enabled: !isChecking,
    retry: false,
    gcTime: 0,
    // What is typed belongs to the text as it was opened.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  // Where it could be read before, what is typed stays.
  if (error && !data) return <TextLoadError error={error} onRetry={() => void refetch()} />;
  // Without an id the session has ended, and the sign-in page follows.
  if (!data?.id) return <FullPageLoading />;
  async function reload() {
    const { isError, data: now } = await refetch();
    return isError || !now?.id ? undefined : now;
  }
  return <TextEditor key={id} record={data} reload={reload} />;
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
