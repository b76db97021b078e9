import { type ReactNode, useEffect } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { unreachable } from '../../../shared/result.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import type { Dialog } from '../../app/store/dialog.ts';
import { afterFirstPaint, lazyComponent } from '../../components/lazy-component.tsx';
import { PaletteShell } from '../palette/PaletteShell.tsx';

/** What asks or answers at once comes as soon as the window has started. */
const loadPalette = () => import('../palette/Palette.tsx');
const loadConfirm = () => import('./Confirm.tsx');
const loadNameDialog = () => import('./NameDialog.tsx');
const Palette = lazyComponent(async () => (await loadPalette()).Palette, <PaletteShell />);
const Confirm = lazyComponent(async () => (await loadConfirm()).Confirm);
const NameDialog = lazyComponent(async () => (await loadNameDialog()).NameDialog);

async function loadQuick(): Promise<void> {
  // The line may be down: then each of them is asked for again when it is opened.
  await Promise.allSettled([loadPalette(), loadConfirm(), loadNameDialog()]);
}

const UnlockDialog = lazyComponent(async () => (await import('../settings/UnlockDialog.tsx')).UnlockDialog);
const ConnectDialog = lazyComponent(async () => (await import('../accounts/ConnectDialog.tsx')).ConnectDialog);
const JoinDialog = lazyComponent(async () => (await import('../team/JoinDialog.tsx')).JoinDialog);
const MediaDialog = lazyComponent(async () => (await import('../media/MediaDialog.tsx')).MediaDialog);
const ShortcutsDialog = lazyComponent(async () => (await import('../palette/ShortcutsDialog.tsx')).ShortcutsDialog);
const ImportDialog = lazyComponent(async () => (await import('../import/ImportDialog.tsx')).ImportDialog);

interface DialogsProps {
  /** Null when there is none, undefined until that is known. */
  readonly account: Account | null | undefined;
}

/** The dialog that is open, if any. Those about an account wait until one is open. */
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
      // Until then most commands are not on offer, and what is typed would find others.
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
      return account && <MediaDialog files={dialog.files} />;
    case 'sheet':
    case 'paste':
    case 'views':
      return account && <ImportDialog {...dialog} workspaceId={account.workspaceId} />;
    default:
      return unreachable(dialog);
  }
}

/**
 * Keeps the keyboard at work: what had the focus before a dialog has it again afterwards. Where that is gone, as after a
 * list that was chosen by its name, the rows have it, and where there are none, the middle of the window.
 *
 *   nothing open --a dialog opens--> remembers what had the focus
 *        ^                                | the last dialog closes, or another list or screen is shown
 *        '--gives it back, unless something has taken it meanwhile--'
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
      // One dialog leads to another (the palette, for one): what counts is what had the focus before the first of them.
      if (now.dialog !== null && before.dialog === null && due === undefined) opener = document.activeElement;
      const isElsewhere =
        now.place !== before.place || now.kind !== before.kind || now.campaignId !== before.campaignId;
      if (now.dialog === before.dialog && !isElsewhere) return;
      // Where a dialog led somewhere, the keys go there as well.
      if (isElsewhere) opener = null;
      clearTimeout(due);
      // The screen is drawn again by then.
      due = now.dialog === null ? setTimeout(giveBack) : undefined;
    });
    return () => {
      stop();
      clearTimeout(due);
    };
  }, [store, openGrid]);
}
