import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider, useRequireAccess } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { ApiError, loadFailureText, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";
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
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  // Without an id the session has ended, and the sign-in page follows.
  if (!data?.id) return <FullPageLoading />;
  async function reload() {
    const { isError, data: now } = await refetch();
    return isError || !now?.id ? undefined : now;
  }
  return <TextEditor key={id} record={data} reload={reload} />;
}

function LoadError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const status = error instanceof ApiError ? error.status : undefined;
  const list = (
    <Button key="list" variant="outlined" component={RouterLink} to={paths.content}>
      All texts
    </Button>
  );
  if (status === 410)
    return (
      <Sorry title="This text was deleted" actions={list}>
        Its words are destroyed. The audit log still says who deleted it, and when.
      </Sorry>
    );
  if (status === 400 || status === 404)
    return (
      <Sorry title="There is no such text" actions={list}>
        The address may be mistyped.
      </Sorry>
    );
  return (
    <Sorry
      title="The text did not load"
      actions={[
        <Button key="again" variant="contained" onClick={onRetry}>
          Try again
        </Button>,
        list,
      ]}
    >
      {status === 403
        ? messageOf(error, "Your account may not do this.")
        : loadFailureText("text", error)}
    </Sorry>
  );
}
