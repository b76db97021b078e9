import { Button, Group } from '@mantine/core';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { enReuse } from '../../texts/en-reuse.ts';
import { MediaUsage } from '../details/MediaUsage.tsx';

interface KnownFileProps {
  /** The row of the library; it has the service's media id once it was uploaded. */
  readonly row: WindowRow;
  readonly mediaType: string;
}

/** Of a file that was here before: whether the service has it, what uses it, and the way to use it once more. */
export function KnownFile({ row, mediaType }: KnownFileProps) {
  const { store } = useAppContext();
  const workspaceId = useView((s) => s.workspaceId) ?? '';
  const { dismiss, pickUp, reveal } = store.getState();
  return (
    <div className="known-file">
      <p>{knownText(row)}</p>
      <MediaUsage workspaceId={workspaceId} mediaId={row.id} mediaType={mediaType} onFollow={dismiss} />
      <Group gap="xs">
        <Button
          size="compact-xs"
          title={enReuse.useHint}
          onClick={() => {
            pickUp({ kind: 'media', rows: [row], move: false });
            dismiss();
          }}
        >
          {enReuse.use}
        </Button>
        <Button
          size="compact-xs"
          onClick={() => {
            reveal('media', null, row.id, null);
            dismiss();
          }}
        >
          {enReuse.show}
        </Button>
      </Group>
    </div>
  );
}

/** What there is to know of a file that comes a second time. */
export const knownText = ({ remoteId }: Pick<WindowRow, 'remoteId'>): string =>
  remoteId === null ? enReuse.here : enReuse.uploaded(remoteId);
