import { type ReactNode, useEffect } from 'react';
import type { Account } from '../../../shared/contract/accounts.ts';
import type { ChosenRows } from '../../../shared/contract/sync.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { unreachable } from '../../../shared/result.ts';
import { useDesk, useView } from '../../app/desk.ts';
import { useFocusReturn } from '../../app/use-focus-return.ts';
import type { Dialog } from '../../store/dialog.ts';
import { afterStart } from '../../ui/after-start.ts';
import { later } from '../../ui/later.tsx';
import { PaletteShell } from '../palette/PaletteShell.tsx';

/** What asks or answers at once comes as soon as the window has started. */
const loadPalette = () => import('../palette/Palette.tsx');
const loadConfirm = () => import('./Confirm.tsx');
const loadNameDialog = () => import('./NameDialog.tsx');
const Palette = later(async () => (await loadPalette()).Palette, <PaletteShell />);
const Confirm = later(async () => (await loadConfirm()).Confirm);
const NameDialog = later(async () => (await loadNameDialog()).NameDialog);

async function loadQuick(): Promise<void> {
  // The line may be down: then each of them is asked for again when it is opened.
  await Promise.allSettled([loadPalette(), loadConfirm(), loadNameDialog()]);
}

/** The rest comes when it is first opened. */
const BulkDialog = later(async () => (await import('../bulk/BulkDialog.tsx')).BulkDialog);
const SecretsDialog = later(async () => (await import('../accounts/SecretsDialog.tsx')).SecretsDialog);
const SettingsDialog = later(async () => (await import('../accounts/SettingsDialog.tsx')).SettingsDialog);
const RulesDialog = later(async () => (await import('../rules/RulesDialog.tsx')).RulesDialog);
const ViewsDialog = later(async () => (await import('../views/ViewsDialog.tsx')).ViewsDialog);
const BackupsDialog = later(async () => (await import('../backups/BackupsDialog.tsx')).BackupsDialog);
const StepDialog = later(async () => (await import('../history/StepDialog.tsx')).StepDialog);
const RequestDialog = later(async () => (await import('../history/RequestDialog.tsx')).RequestDialog);
const AnswerDialog = later(async () => (await import('../history/AnswerDialog.tsx')).AnswerDialog);
const RefreshDialog = later(async () => (await import('../refresh/RefreshDialog.tsx')).RefreshDialog);
const AboutDialog = later(async () => (await import('../about/AboutDialog.tsx')).AboutDialog);
const LocaleDialog = later(async () => (await import('../locale/LocaleDialog.tsx')).LocaleDialog);
const TakeBackDialog = later(async () => (await import('../sync/TakeBackDialog.tsx')).TakeBackDialog);
const RestartReviewDialog = later(async () => (await import('../sync/RestartReviewDialog.tsx')).RestartReviewDialog);
const ItemIdsDialog = later(async () => (await import('../ids/ItemIdsDialog.tsx')).ItemIdsDialog);
const AddByIdDialog = later(async () => (await import('../known/AddByIdDialog.tsx')).AddByIdDialog);
const KnownIdsDialog = later(async () => (await import('../known/KnownIdsDialog.tsx')).KnownIdsDialog);
const PasteDialog = later(async () => (await import('../paste/PasteDialog.tsx')).PasteDialog);
const DuplicatesDialog = later(async () => (await import('../duplicates/DuplicatesDialog.tsx')).DuplicatesDialog);
const PutDownDialog = later(async () => (await import('../carry/PutDownDialog.tsx')).PutDownDialog);
const PasteValuesDialog = later(async () => (await import('../paste/PasteValuesDialog.tsx')).PasteValuesDialog);
const CopyDialog = later(async () => (await import('../bulk/CopyDialog.tsx')).CopyDialog);
const ConnectDialog = later(async () => (await import('../accounts/ConnectDialog.tsx')).ConnectDialog);
const AddRowsDialog = later(async () => (await import('../campaigns/AddRowsDialog.tsx')).AddRowsDialog);
const NewCampaignDialog = later(async () => (await import('../campaigns/NewCampaignDialog.tsx')).NewCampaignDialog);
const MediaDialog = later(async () => (await import('../media/MediaDialog.tsx')).MediaDialog);
const ShortcutsDialog = later(async () => (await import('../palette/ShortcutsDialog.tsx')).ShortcutsDialog);
const PracticeDialog = later(async () => (await import('../practice/PracticeDialog.tsx')).PracticeDialog);
const SheetDialog = later(async () => (await import('../sheet/SheetDialog.tsx')).SheetDialog);
const SwapDialog = later(async () => (await import('../swap/SwapDialog.tsx')).SwapDialog);
const RunPlanDialog = later(async () => (await import('../sync/RunPlanDialog.tsx')).RunPlanDialog);
const SyncDialog = later(async () => (await import('../sync/SyncDialog.tsx')).SyncDialog);

interface DialogsProps {
  /** Null when there is none, undefined until that is known. */
  readonly account: Account | null | undefined;
}

/** The dialog that is open, if any. Those about an account wait until one is open. */
export function Dialogs({ account }: DialogsProps) {
  const dialog = useView((s) => s.dialog);
  useFocusReturn();
  useEffect(() => afterStart(() => void loadQuick()), []);
  if (dialog === null) return null;
  return <OpenDialog dialog={dialog} account={account} />;
}

/** Campaigns with everything that was changed in them. */
const wholeCampaigns = (ids: readonly number[] | undefined): ChosenRows | null =>
  ids === undefined || ids.length === 0 ? null : { rows: [{ kind: 'campaign', ids: ids.map(asRowId) }], below: true };

function OpenDialog({ dialog, account }: DialogsProps & { readonly dialog: Dialog }): ReactNode {
  const { openView, openGrid } = useDesk();
  const view = openView.current;
  switch (dialog.name) {
    case 'palette':
      // Until then most commands are not on offer, and what is typed would find others.
      return account === undefined ? <PaletteShell /> : <Palette workspaceId={account?.workspaceId ?? null} />;
    case 'shortcuts':
      return <ShortcutsDialog />;
    case 'about':
      return <AboutDialog />;
    case 'locale':
      return <LocaleDialog />;
    case 'connect':
      return <ConnectDialog />;
    case 'secrets':
      return <SecretsDialog />;
    case 'settings':
      return account && <SettingsDialog account={account} />;
    case 'rules':
      return account && <RulesDialog workspaceId={account.workspaceId} />;
    case 'views':
      return account && <ViewsDialog workspaceId={account.workspaceId} />;
    case 'backups':
      return account && <BackupsDialog workspaceId={account.workspaceId} />;
    case 'step':
      return account && <StepDialog workspaceId={account.workspaceId} step={dialog.step} />;
    case 'name':
      return <NameDialog {...dialog} />;
    case 'confirm':
      return <Confirm {...dialog} />;
    case 'new-campaign':
      return (
        account && (
          <NewCampaignDialog workspaceId={account.workspaceId} shape={dialog.shape} like={dialog.like ?? null} />
        )
      );
    case 'add-rows':
      return account && <AddRowsDialog workspaceId={account.workspaceId} />;
    case 'media':
      return account && <MediaDialog files={dialog.files} />;
    case 'sheet':
      return account && <SheetDialog {...dialog} />;
    case 'bulk':
      return account && view && <BulkDialog {...dialog} workspaceId={account.workspaceId} view={view} />;
    case 'duplicates':
      return account && <DuplicatesDialog workspaceId={account.workspaceId} kind={dialog.kind} />;
    case 'paste':
      return account && <PasteDialog workspaceId={account.workspaceId} />;
    case 'paste-values': {
      const grid = openGrid.current;
      return account && view && grid && <PasteValuesDialog workspaceId={account.workspaceId} view={view} grid={grid} />;
    }
    case 'copy':
      return account && view && <CopyDialog workspaceId={account.workspaceId} view={view} />;
    case 'put-down':
      return account && <PutDownDialog {...dialog} />;
    case 'swap':
      return account && <SwapDialog workspaceId={account.workspaceId} campaignId={dialog.campaignId} />;
    case 'request':
      return account && <RequestDialog workspaceId={account.workspaceId} request={dialog.request} />;
    case 'answer':
      return account && <AnswerDialog workspaceId={account.workspaceId} answer={dialog.answer} />;
    case 'refresh':
      return account && <RefreshDialog workspaceId={account.workspaceId} />;
    case 'take-back':
      return account && <TakeBackDialog workspaceId={account.workspaceId} />;
    case 'restart-review':
      return account && <RestartReviewDialog workspaceId={account.workspaceId} campaignId={dialog.campaignId} />;
    case 'item-ids':
      return account && <ItemIdsDialog />;
    case 'add-by-id':
      return account && <AddByIdDialog {...dialog} workspaceId={account.workspaceId} />;
    case 'known-ids':
      return account && <KnownIdsDialog workspaceId={account.workspaceId} />;
    case 'sync':
      return account && <SyncDialog account={account} chosen={dialog.chosen ?? wholeCampaigns(dialog.campaignIds)} />;
    case 'run-plan':
      return account && <RunPlanDialog account={account} file={dialog.file} />;
    case 'practice':
      return account && <PracticeDialog workspaceId={account.workspaceId} />;
    default:
      return unreachable(dialog);
  }
}
