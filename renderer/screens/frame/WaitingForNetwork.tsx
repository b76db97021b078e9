import { useView } from '../../app/desk.ts';
import { accounts } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { useServiceReachability } from '../../data/use-service-line.ts';
import { enNotifications } from '../../messages/en-news.ts';

/** Beside what needs the service, and only there: that it waits for the network. The practice service needs none. */
export function OfflineNotice() {
  const workspaceId = useView((s) => s.workspaceId);
  const account = useQuery(accounts).data?.find((known) => known.workspaceId === workspaceId);
  return account === undefined || account.practice ? null : <Waiting workspaceId={account.workspaceId} />;
}

function Waiting({ workspaceId }: { readonly workspaceId: string }) {
  const line = useServiceReachability(workspaceId);
  if (line === 'online') return null;
  return (
    <p className="note-warning" role="status">
      {enNotifications.status.waiting[line]}
    </p>
  );
}
