import { BACKUPS, type ListedBackups } from "#contracts/http/backups.ts";
import type { OpenWork } from "#contracts/http/sessions.ts";
import type { NotificationKind } from "#contracts/notification/notification-kinds.ts";
import { filtered, paths } from "../config/paths.ts";
import { Tile, Tiles } from "../shared/figures/Tile.tsx";
import { formatCount } from "../shared/formats.ts";
import { PLACES } from "../shared/notification-words.ts";
import { useNotifications } from "../shared/use-notifications.ts";
import { useRead } from "../shared/use-read.ts";
import { backupState, dueNote, oldestNote } from "./work-words.ts";

/** What is to be done, each leading to where it is done. What is past its time is red. */
export function Work() {
  const { data, isError, refetch } = useNotifications();
  const backups = useRead<ListedBackups>(["system", "backups"], BACKUPS);
  const now = Date.now();
  const unknown = isError ? null : undefined;
  const retry = () => void refetch();
  const cardOf = (work: OpenWork | undefined, note: (work: OpenWork) => string) => ({
    value: work ? formatCount(work.count) : data ? null : unknown,
    note: work && note(work),
    isDue: work !== undefined && work.late > 0,
    onRetry: retry,
  });
  const { queue, inquiries, notices, mails } = data?.work ?? {};
  const found = (kind: NotificationKind) =>
    data?.notifications.find((each) => each.kind === kind)?.count ?? 0;
  const [parked, findings] = [found("parked_events"), found("scan_findings")];
  const isSystemUnread = data?.failed.some(
    (kind) => kind === "parked_events" || kind === "scan_findings",
  );
  const backup = backups.data && backupState(backups.data.list, now);
  return (
    <Tiles label="To do" columns={6}>
      <Tile
        label="To decide"
        to={queue?.late ? PLACES.waiting_reports : paths.queue}
        {...cardOf(queue, ({ since }) => oldestNote(since, now))}
      />
      <Tile
        label="Inquiries"
        to={filtered(paths.inquiries, inquiries?.late ? { overdue: "yes" } : {})}
        {...cardOf(inquiries, (work) => dueNote(work, now))}
      />
      <Tile
        label="Notices"
        to={notices?.late ? PLACES.due_notices : filtered(paths.notices, {})}
        {...cardOf(notices, (work) => dueNote(work, now))}
      />
      <Tile
        label="Failed emails"
        to={PLACES.failed_mails}
        {...cardOf(mails, () => "In the last 7 days")}
        isDue={mails !== undefined && mails.count > 0}
      />
      <Tile
        label="System findings"
        to={paths.system}
        value={isSystemUnread ? null : data ? formatCount(parked + findings) : unknown}
        note={`${formatCount(parked)} parked, ${formatCount(findings)} from the last scan`}
        isDue={parked > 0}
        onRetry={retry}
      />
      <Tile
        label="Last backup"
        to={`${paths.system}#backups`}
        value={backup ? backup.value : backups.isError ? null : undefined}
        note={backup?.note}
        isDue={backup?.isDue ?? false}
        onRetry={() => void backups.refetch()}
      />
    </Tiles>
  );
}
