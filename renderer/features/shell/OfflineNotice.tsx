import { IconCloudOff, IconWifiOff } from '@tabler/icons-react';
import { useView } from '../../app/app-context.ts';
import { useAccount } from '../../app/shared-queries.ts';
import ui from '../../components/ui.module.css';
import { useServiceReachability } from './StatusBar.tsx';
import { shellTexts } from './text.ts';

/** Beside what needs the service, and only there: that it waits for the network. The practice service needs none. */
export function OfflineNotice() {
  const account = useAccount(useView((s) => s.workspaceId));
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
