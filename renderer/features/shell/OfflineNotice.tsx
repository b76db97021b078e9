import { IconCloudOff, IconWifiOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApi, useView } from '../../app/app-context.ts';
import ui from '../../components/ui.module.css';
import { useServiceReachability } from './StatusBar.tsx';
import { shellTexts } from './text.ts';

/** Beside what needs the service, and only there: that it waits for the network. The practice service needs none. */
export function OfflineNotice() {
  const api = useApi();
  const workspaceId = useView((s) => s.workspaceId);
  const account = useQuery(api.accounts.list.queryOptions()).data?.find((known) => known.workspaceId === workspaceId);
  return account === undefined || account.practice ? null : <Waiting workspaceId={account.workspaceId} />;
}

function Waiting({ workspaceId }: { readonly workspaceId: string }) {
  const line = useServiceReachability(workspaceId);
  if (line === 'online') return null;
  const Icon = line === 'offline' ? IconWifiOff : IconCloudOff;
  return (
    <p className={ui['note-line']} role="status">
      <Icon size={14} stroke={1.75} aria-hidden="true" />
      {shellTexts.status.waiting[line]}
    </p>
  );
}
