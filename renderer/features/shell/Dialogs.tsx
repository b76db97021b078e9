import { type ReactNode, useEffect } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { unreachable } from '../../../shared/result.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import type { Dialog } from '../../app/store/dialog.ts';
import { afterFirstPaint, lazyComponent } from '../../components/lazy-component.tsx';
import { PaletteShell } from '../palette/PaletteShell.tsx';

/** Dialogs that must open without delay; loaded right after the window has started. */
const loadPalette = () => import('../palette/Palette.tsx');
const loadConfirm = () => import('./Confirm.tsx');
const loadNameDialog = () => import('./NameDialog.tsx');
const Palette = lazyComponent(async () => (await loadPalette()).Palette, <PaletteShell />);
const Confirm = lazyComponent(async () => (await loadConfirm()).Confirm);
const NameDialog = lazyComponent(async () => (await loadNameDialog()).NameDialog);

async function loadQuick(): Promise<void> {
  // Ignores a lost connection: opening a dialog loads its module again.
  await Promise.allSettled([loadPalette(), loadConfirm(), loadNameDialog()]);
}

const UnlockDialog = lazyComponent(async () => (await import('../settings/UnlockDialog.tsx')).UnlockDialog);
const ConnectDialog = lazyComponent(async () => (await import('../accounts/ConnectDialog.tsx')).ConnectDialog);
const JoinDialog = lazyComponent(async () => (await import('../team/JoinDialog.tsx')).JoinDialog);
const MediaDialog = lazyComponent(async () => (await import('../media/MediaDialog.tsx')).MediaDialog);
const ShortcutsDialog = lazyComponent(async () => (await import('../palette/ShortcutsDialog.tsx')).ShortcutsDialog);
const ImportDialog = lazyComponent(async () => (await import('../import/ImportDialog.tsx')).ImportDialog);

interface DialogsProps {
  /** Null without an account, undefined until the account has loaded. */
  readonly account: Account | null | undefined;
}

/** The open dialog, if any. Dialogs of an account need an open account. */
export function Dialogs({ account }: DialogsProps) {
  const dialog = useView((s) => s.dialog);
  useFocusReturn();
  useEffect(() => afterFirstPaint(() => void loadQuick()), []);
  if (dialog === null) return null;
  return <OpenDialog dialog={dialog} account={account} />;
}

function OpenDialog({ dialog, account }: DialogsProps & { readonly dialog: Dialog }): ReactNode {
  switch (dialog.name) {
    case 'palette':
      // Most commands are unavailable before the account has loaded, so a search would find others.
      return account === undefined ? <PaletteShell /> : <Palette account={account} />;
    case 'shortcuts':
      return <ShortcutsDialog />;
    case 'connect':
      return <ConnectDialog account={dialog.account ?? null} />;
    case 'unlock':
      return <UnlockDialog />;
    case 'name':
      return <NameDialog {...dialog} />;
    case 'confirm':
      return <Confirm {...dialog} />;
    case 'join-team':
      return <JoinDialog />;
    case 'media':
      return account && <MediaDialog files={dialog.files} onto={dialog.onto} />;
    case 'sheet':
    case 'paste':
    case 'views':
      return account && <ImportDialog {...dialog} workspaceId={account.workspaceId} />;
    default:
      return unreachable(dialog);
  }
}

/**
 * Returns the focus after a dialog to the element that had it before. If that no longer exists, such as after opening
 * another list, the grid gets the focus; without a grid, the main area.
 *
 *   no dialog --a dialog opens--> stores the focused element
 *        ^                             | the last dialog closes, or another list or screen is shown
 *        '--returns the focus, unless another element has it--'
 */
function useFocusReturn(): void {
  const { store, openGrid } = useAppContext();
  useEffect(() => {
    let opener: Element | null = null;
    let due: ReturnType<typeof setTimeout> | undefined;
    const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;
    const giveBack = (): void => {
      due = undefined;
      if (isNowhere() && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      if (isNowhere()) openGrid.current?.focus();
      if (isNowhere()) document.querySelector('main')?.focus({ preventScroll: true });
      opener = null;
    };
    const stop = store.subscribe((now, before) => {
      // A dialog may open another one, as the palette does: only the focus before the first one is stored.
      if (now.dialog !== null && before.dialog === null && due === undefined) opener = document.activeElement;
      const isElsewhere =
        now.place !== before.place || now.kind !== before.kind || now.campaignId !== before.campaignId;
      if (now.dialog === before.dialog && !isElsewhere) return;
      // After a dialog has opened another screen, the focus moves there.
      if (isElsewhere) opener = null;
      clearTimeout(due);
      // Waits until the screen has rendered.
      due = now.dialog === null ? setTimeout(giveBack) : undefined;
    });
    return () => {
      stop();
      clearTimeout(due);
    };
  }, [store, openGrid]);
}
