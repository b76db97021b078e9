import { Button, Group } from '@mantine/core';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { appTexts } from '../../app/texts.ts';
import { MediaUsage } from './MediaUsage.tsx';
import styles from './media.module.css';

const texts = {
  use: 'Use in a campaign…',
  useHint: 'Copies the file. Open a campaign and press Ctrl+V to attach it.',
  show: 'Show in the library',
} as const;

interface KnownFileProps {
  /** The row of the library; it has a remote ID once the file was uploaded. */
  readonly row: WindowRow;
  readonly mediaType: string;
}

/** A file that was already in the library: whether it was uploaded, what uses it, and a button to use it again. */
export function KnownFile({ row, mediaType }: KnownFileProps) {
  const workspaceId = useView((s) => s.workspaceId) ?? '';
  const { dismiss, setRowsToMove, reveal } = useAppContext().store.getState();
  return (
    <div className={styles['known-file']}>
      <p>{appTexts.media.known(row.remoteId)}</p>
      <MediaUsage workspaceId={workspaceId} mediaId={row.id} mediaType={mediaType} onFollow={dismiss} />
      <Group gap="xs">
        <Button
          size="compact-xs"
          title={texts.useHint}
          onClick={() => {
            setRowsToMove({ kind: 'media', rows: [row], move: false });
            dismiss();
          }}
        >
          {texts.use}
        </Button>
        <Button
          size="compact-xs"
          onClick={() => {
            reveal('media', null, row.id, null);
            dismiss();
          }}
        >
          {texts.show}
        </Button>
      </Group>
    </div>
  );
}
