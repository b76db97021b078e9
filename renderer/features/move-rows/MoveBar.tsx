import { Button } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import type { Kind } from '../../../shared/model/kinds.ts';
import { useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { rowsText } from '../../app/field-names.ts';
import { plural } from '../../app/locale/numbers.ts';
import { CAMPAIGN_MARK, cutRows, pasteCutRows } from '../../app/move-commands.ts';
import { useRows } from '../../app/shared-queries.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import ui from '../../components/ui.module.css';
import type { OpenView } from '../../grid/window.ts';
import styles from './move-rows.module.css';

const texts = {
  held: (n: number, kind: Kind, move: boolean) => `${rowsText(n, kind)} ready to ${move ? 'move' : 'copy'}.`,
  attachHeld: (n: number) => `${plural(n, 'file')} ready to attach.`,
  next: 'Open a campaign and press Ctrl+V, or press Esc to cancel.',
  pasteInto: (name: string) => `Paste into ${name}`,
  cancel: 'Cancel',
} as const;

/** Shows the rows that were cut or copied and where a paste would put them. Clipboard shortcuts work as well. */
export function MoveBar({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView | null }) {
  const rowsToMove = useView((s) => s.rowsToMove);
  useCarryKeys();
  return (
    <div role="status">
      {rowsToMove === null ? null : (
        <div className={styles['move-bar']}>
          <strong>
            {rowsToMove.kind === 'media'
              ? texts.attachHeld(rowsToMove.rows.length)
              : texts.held(rowsToMove.rows.length, rowsToMove.kind, rowsToMove.move)}
          </strong>
          <span className={ui['quiet']}>{texts.next}</span>
          <span className={ui['toolbar-gap']} />
          {view !== null && <PutDownButton workspaceId={workspaceId} view={view} />}
          <LetGoButton />
        </div>
      )}
    </div>
  );
}

function PutDownButton({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView }) {
  const app = useAppContext();
  useSyncExternalStore(view.source.subscribe, view.source.version);
  const { open, row } = useViewOf((s) => ({ open: s.campaignId, row: s.active.row }));
  const id = open ?? view.source.rowAt(row)?.campaignId ?? null;
  const name = useRows(workspaceId, id === null ? null : { kind: 'campaign', campaignId: id }).data?.rows[0]
    ?.campaignName;
  if (id === null || name === undefined) return null;
  return (
    <Button size="compact-xs" variant="filled" onClick={() => void pasteCutRows(app, id)}>
      {texts.pasteInto(name)}
    </Button>
  );
}

function LetGoButton() {
  const { store } = useAppContext();
  return (
    <Button size="compact-xs" onClick={() => store.getState().clearRowsToMove()}>
      {texts.cancel}
    </Button>
  );
}

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** Cut takes rows, paste inserts them. Copying something else or Escape cancels. */
function useCarryKeys(): void {
  const context = useCommandContext();
  useEffect(() => {
    const { app } = context;
    const { store } = app;
    const isFree = (event: Event): boolean => !isTyping(event) && store.getState().dialog === null;
    const onKey = (event: KeyboardEvent): void => {
      if (!isFree(event)) return;
      const { rowsToMove, clearRowsToMove, place } = store.getState();
      const control = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (event.key === 'Escape') clearRowsToMove();
      else if (control && event.code === 'KeyX' && place === 'rows') {
        event.preventDefault();
        cutRows(true)(context);
      } else if (control && event.code === 'KeyV' && rowsToMove !== null) {
        // The grid would paste cells, which is wrong while rows are cut.
        event.preventDefault();
        void pasteCutRows(app, campaignAtPointer(document.activeElement) ?? undefined);
      }
    };
    const onCopy = (event: ClipboardEvent): void => {
      if (isFree(event)) store.getState().clearRowsToMove();
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener('copy', onCopy);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('copy', onCopy);
    };
  }, [context]);
}

/** The campaign of a list entry that contains the element, or null. */
export function campaignAtPointer(element: Element | null): number | null {
  const id = Number(element?.closest(`[${CAMPAIGN_MARK}]`)?.getAttribute(CAMPAIGN_MARK));
  return id > 0 ? id : null;
}
