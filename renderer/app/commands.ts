import type { Kind } from '../../shared/model/kinds.ts';
import { changeCommand, type ExtensionCommand } from '../../shared/plan/capabilities.ts';
import type { Actions } from './actions.ts';
import { type CommandContext, onState } from './app-context.ts';
import * as bulkCommands from './bulk-commands.ts';
import * as handlers from './command-handlers.ts';
import { copyRowLink } from './deep-links.ts';
import * as gridCommands from './grid-commands.ts';
import { activeColumn } from './grid-commands.ts';
import * as moves from './move-commands.ts';
import type { AppState } from './store/app-store.ts';
import type { CampaignShape, Dialog } from './store/dialog.ts';
import type { LookSwitch } from './store/grid-slice.ts';
import type { DrawerTab, Pane } from './store/layout-slice.ts';
import type { Place } from './store/navigation-slice.ts';
import { DETAILS_MAX, rangeOf } from './store/selection-slice.ts';

/** Begins a comment on the active cell; on its row if whole rows are selected or the column is no field. */
function addCellComment({ app }: CommandContext): void {
  const { wholeRows, beginComment } = app.store.getState();
  const column = activeColumn(app);
  beginComment(wholeRows || column === undefined || column.cell === null ? null : column.field);
}

/** A command; menus, palette and shortcuts are made from this table. */
export interface Command {
  readonly id: CommandId;
  readonly title: string;
  /** As displayed; `Ctrl` also means Command on a Mac. */
  readonly shortcut: string | null;
  /** A key that the grid handles while it has the focus: shown beside the command, never dispatched from here. */
  readonly gridKey?: string;
  /** True when the shortcut also works while a text field has the focus. */
  readonly inText: boolean;
  readonly when: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext) => void;
}

const always = (): boolean => true;
const hasAccount = ({ app }: CommandContext): boolean => app.store.getState().workspaceId !== null;
const canPaste = (context: CommandContext): boolean =>
  hasAccount(context) && context.app.store.getState().kind !== 'media';
const hasRows = (context: CommandContext): boolean =>
  hasAccount(context) && (context.app.openView.current?.source.length() ?? 0) > 0;
/** Only the table has cells and columns; the gallery and the matrix have none. */
const hasGrid = (context: CommandContext): boolean => hasRows(context) && context.app.openGrid.current !== null;
/** Labels of several rows are edited in the details. */
const canLabel = (context: CommandContext): boolean => {
  const { top, bottom } = rangeOf(context.app.store.getState(), 1);
  return hasRows(context) && bottom - top < DETAILS_MAX;
};
const hasGroups = (context: CommandContext): boolean => hasAccount(context) && handlers.groupButton() !== null;

const hasSavableView = (context: CommandContext): boolean => hasAccount(context) && handlers.saveViewButton() !== null;

const hasTeam = ({ team }: CommandContext): boolean => team;
const hasTeamRows = (context: CommandContext): boolean => hasTeam(context) && hasRows(context);

const hasCutRows = ({ app }: CommandContext): boolean => app.store.getState().rowsToMove !== null;

const openPlace = (place: Place) => onState((s) => s.openPlace(place));
const openList = (kind: Kind) => onState((s) => s.goTo({ kind, campaignId: null }));
const newCampaign = (shape: CampaignShape) => onState((s) => s.openForm(shape));
const settings = (...section: Parameters<AppState['openSettings']>) => onState((s) => s.openSettings(...section));
const show = (dialog: Dialog) => onState((s) => s.show(dialog));
const openSync = (...options: Parameters<AppState['openSync']>) => onState((s) => s.openSync(...options));
const showTab = (tab: DrawerTab) => onState((s) => s.showTab(tab));
const look = (changes: Parameters<AppState['adjustLook']>[0]) => onState((s) => s.adjustLook(changes));
const toggle = (each: LookSwitch) => onState((s) => s.adjustLook({ [each]: !s[each] }));
const togglePane = (pane: Pane) => onState((s) => s.togglePane(pane));
const addById = settings('campaign-ids', { add: { text: '', source: 'pasted' } });
const findDuplicates = onState((s) => s.openTool('duplicates'));
const openIssue = onState((s) => s.openMenu({ of: 'issue', x: 0, y: 0 }));
const switchMatrix = onState((s) => s.showMatrix(!s.matrix));
const openIdeas = onState((s) => s.openPane('ideas'));
const editLabels = onState((s) => s.beginLabel());
const stepPane =
  (by: 1 | -1) =>
  ({ app }: CommandContext): void =>
    app.panes.step(by);
/** Runs an action that needs no input. */
const act =
  (name: ActionWithoutInput) =>
  ({ app }: CommandContext): void =>
    void app.actions[name]();
type ActionWithoutInput = { [N in keyof Actions]: Actions[N] extends () => unknown ? N : never }[keyof Actions];

type CommandEntry = Omit<Command, 'id'>;

const command = (
  title: string,
  shortcut: string | null,
  when: Command['when'],
  run: Command['run'],
  inText = false,
): CommandEntry => ({ title, shortcut, when, run, inText });

const cells = (title: string, gridKey: string, run: Command['run']): CommandEntry => ({
  ...command(title, null, hasGrid, run),
  gridKey,
});

const TABLE = {
  'app.palette': command('All commands…', 'Ctrl+K', always, show({ name: 'palette' }), true),
  'sync.plan': command('Sync…', 'Ctrl+Enter', hasAccount, openSync(), true),
  'sync.plan-selected': command('Sync selected rows…', 'Ctrl+Shift+Enter', hasRows, handlers.syncSelected, true),
  'sync.run-plan': command('Run a saved plan…', null, hasAccount, openSync({ file: 'choose' })),
  'edit.undo': command('Undo', 'Ctrl+Z', hasAccount, act('undo')),
  'edit.redo': command('Redo', 'Ctrl+Y', hasAccount, act('redo')),
  'campaign.new': command('New campaign…', null, hasAccount, newCampaign('manual'), true),
  'campaign.new-video': command('New video campaign…', 'Alt+Shift+V', hasAccount, newCampaign('video'), true),
  'campaign.new-sba': command('New SBA campaign…', 'Alt+Shift+B', hasAccount, newCampaign('sba'), true),
  'campaign.new-auto': command('New automatic campaign…', 'Alt+Shift+A', hasAccount, newCampaign('auto'), true),
  'campaign.new-manual': command('New manual campaign…', 'Alt+Shift+M', hasAccount, newCampaign('manual'), true),
  'campaign.add-by-id': command('Add campaigns by ID…', null, hasAccount, addById, true),
  'sync.known-ids': command('Campaign IDs', null, hasAccount, settings('campaign-ids'), true),
  'campaign.like': command('New campaign based on this one…', 'Alt+Shift+K', hasRows, handlers.newCampaignLike),
  'rows.add': command('Add rows…', 'Alt+N', hasAccount, openPlace('add-rows'), true),
  'cells.edit': cells('Edit cell', 'F2', gridCommands.editCell),
  'cells.copy': cells('Copy', 'Ctrl+C', gridCommands.copyCells),
  'rows.copy-link': command('Copy link', 'Alt+Shift+L', hasRows, (context) => void copyRowLink(context)),
  'cells.paste': cells('Paste', 'Ctrl+V', gridCommands.pasteCells),
  'cells.paste-values': command('Paste special…', 'Ctrl+Alt+V', hasRows, bulkCommands.changeMany('paste')),
  'cells.clear': cells('Clear cells', 'Delete', gridCommands.clearCells),
  'cells.fill-down': cells('Fill down', 'Ctrl+D', gridCommands.fillCellsDown),
  'cells.suggestion': command('Explain suggested bid', 'Alt+Q', hasGrid, gridCommands.explainBid, true),
  'cells.comment': command('Comment on cell…', 'Shift+F2', hasRows, addCellComment),
  'rows.label': command('Edit labels…', null, canLabel, editLabels),
  'cells.issue': command('Show issue of cell', 'Alt+Enter', hasGrid, openIssue),
  'bulk.set': command('Bulk edit…', 'Alt+Shift+E', hasRows, bulkCommands.changeMany('set')),
  'bulk.amount': command('Adjust bids and budgets…', 'Alt+Shift+C', hasRows, bulkCommands.changeMany('amount')),
  'bulk.replace': command('Find and replace…', 'Ctrl+H', hasRows, bulkCommands.changeMany('replace')),
  'rows.paste-table': command('Paste a table…', 'Ctrl+Shift+V', canPaste, show({ name: 'paste' })),
  'rows.duplicate': command('Duplicate rows', 'Alt+D', hasRows, bulkCommands.duplicateRows),
  'rows.copy-to': command('Copy or move to…', 'Alt+Shift+D', hasRows, bulkCommands.changeMany('copy')),
  'rows.duplicates': command('Find duplicates…', 'Alt+Shift+U', hasAccount, findDuplicates),
  'rows.ideas': command('Keyword ideas…', 'Alt+Shift+I', hasRows, openIdeas),
  'rows.compare': command('Compare…', 'Alt+W', hasAccount, handlers.compareSelected, true),
  'rows.time-machine': command('Time machine', 'Alt+Shift+W', hasAccount, openPlace('time-machine'), true),
  'rows.overlap': command('Keyword overlap', null, hasAccount, openPlace('overlap'), true),
  'rows.pick-up': { ...cells('Cut rows to move', 'Ctrl+X', moves.cutRows(true)), when: hasRows },
  'rows.pick-copy': command('Copy rows to another campaign', 'Alt+X', hasRows, moves.cutRows(false)),
  'rows.put-down': {
    ...cells('Paste rows here', 'Ctrl+V', ({ app }) => void moves.pasteCutRows(app)),
    when: hasCutRows,
  },
  'rows.let-go': { ...cells('Cancel moving rows', 'Escape', moves.cancelMove), when: hasCutRows },
  'rows.delete': command('Delete rows…', 'Ctrl+Delete', hasRows, bulkCommands.deleteRows),
  'rows.revert': command('Revert rows', 'Alt+R', hasRows, bulkCommands.revertRows),
  'rows.hold': command('Put rows on hold', 'Alt+H', hasRows, bulkCommands.holdRows),
  'rows.release': command('Release rows from hold', 'Alt+Shift+H', hasRows, bulkCommands.releaseRows),
  'media.add': command('Add media files…', 'Alt+M', hasAccount, show({ name: 'media', files: [] }), true),
  'sheet.import': command('Import…', 'Ctrl+O', hasAccount, show({ name: 'sheet', file: null, media: [] }), true),
  'sheet.export': command('Export as CSV', 'Ctrl+Shift+E', hasAccount, handlers.exportAs('csv')),
  'sheet.export-xlsx': command('Export for Excel (XLSX)', null, hasAccount, handlers.exportAs('xlsx')),
  'sheet.export-html': command('Export as printable page (HTML)', null, hasAccount, handlers.exportAs('html')),
  'view.export': command('Export current view as CSV', null, hasRows, handlers.exportShown('csv')),
  'view.export-xlsx': command('Export current view for Excel (XLSX)', null, hasRows, handlers.exportShown('xlsx')),
  'view.export-html': command(
    'Export current view as printable page (HTML)',
    null,
    hasRows,
    handlers.exportShown('html'),
  ),
  'storyboard.export': command('Export client storyboard (HTML)', null, hasRows, handlers.exportStoryboard(false)),
  'storyboard.export-money': command(
    'Export client storyboard with bids and budgets (HTML)',
    null,
    hasRows,
    handlers.exportStoryboard(true),
  ),
  'storyboard.import': command('Import client comments…', null, hasAccount, handlers.importClientComments, true),
  'archive.export': command(
    'Export account archive with media (.adslate)',
    null,
    hasAccount,
    handlers.exportAs('archive'),
  ),
  'changes.export': command(
    'Export share file with unsynced changes (.adslate-changes)',
    null,
    hasAccount,
    handlers.exportAs('changes'),
  ),
  'sync.refresh': command('Refresh all campaigns', 'F9', hasAccount, act('refreshAll'), true),
  'sync.refresh-selected': command(
    'Refresh selected campaigns',
    'Shift+F9',
    hasAccount,
    handlers.refreshSelected,
    true,
  ),
  'sync.refresh-outdated': command('Refresh outdated campaigns', 'Ctrl+F9', hasAccount, settings('refresh'), true),
  'sync.pause': command('Pause sync', null, hasAccount, act('pauseSync')),
  'sync.resume': command('Resume sync', null, hasAccount, act('resumeSync')),
  'sync.cancel': command('Cancel sync', null, hasAccount, act('stopSync')),
  'sync.take-back': command('Roll back a sync…', null, hasAccount, openSync({ isRollback: true }), true),
  'items.repair': command('Repair item IDs', null, hasAccount, settings('item-ids'), true),
  'sync.poll': command('Check review status', null, hasAccount, act('pollReviews')),
  'view.filter': command('Filter rows', 'Ctrl+F', hasAccount, handlers.switchFilter, true),
  'view.filter-form': command('Add filter…', 'Ctrl+Shift+F', hasAccount, handlers.openFilterForm, true),
  'view.changed': command('Show only changed rows', 'Alt+C', hasAccount, handlers.showOnly('changed'), true),
  'view.errors': command('Show only rows with errors', 'Alt+E', hasAccount, handlers.showOnly('errors'), true),
  'view.all': command('Show all rows', 'Alt+A', hasAccount, handlers.showOnly('all'), true),
  'view.sort': command('Sort by active column', 'Alt+S', hasGrid, gridCommands.sortByActiveColumn, true),
  'view.sort-add': command(
    'Also sort by active column',
    'Alt+Shift+S',
    hasGrid,
    gridCommands.sortAlsoByActiveColumn,
    true,
  ),
  'view.filter-value': command('Show only rows with this value', 'Alt+V', hasGrid, gridCommands.filterByActiveCell),
  'view.compact': command('Compact rows', null, always, look({ density: 'compact' }), true),
  'view.regular': command('Regular rows', null, always, look({ density: 'regular' }), true),
  'view.roomy': command('Roomy rows', null, always, look({ density: 'roomy' }), true),
  'view.pictures': command('Show or hide item pictures', null, always, toggle('itemPictures'), true),
  'view.metric-colors': command('Color metrics on or off', null, always, toggle('metricColors'), true),
  'view.impact-lens': command('Show or hide the impact of edits', 'F4', always, toggle('impactLens'), true),
  'view.figures': command('Show or hide report metrics', 'Alt+Shift+F', hasGrid, gridCommands.toggleFigures, true),
  'view.matrix': command('Switch between table and matrix', null, handlers.canShowMatrix, switchMatrix, true),
  'view.save': command('Save view…', null, hasSavableView, () => handlers.saveViewButton()?.click(), true),
  'view.group': command('Group rows…', 'Ctrl+G', hasGroups, () => handlers.groupButton()?.click(), true),
  'period.earlier': command('Earlier period', '[', hasAccount, handlers.stepThePeriod(-1)),
  'period.later': command('Later period', ']', hasAccount, handlers.stepThePeriod(1)),
  'period.comparison-before': command(
    'Previous comparison of metrics',
    'Shift+[',
    hasAccount,
    handlers.stepComparison(-1),
  ),
  'period.comparison-next': command('Next comparison of metrics', 'Shift+]', hasAccount, handlers.stepComparison(1)),
  'column.menu': command('Column menu', 'Alt+ArrowDown', hasGrid, handlers.openColumnMenu),
  'column.sort-up': command('Sort ascending', null, hasGrid, gridCommands.sortActiveColumn(false)),
  'column.sort-down': command('Sort descending', null, hasGrid, gridCommands.sortActiveColumn(true)),
  'column.left': command('Move column left', 'Alt+PageUp', hasGrid, gridCommands.moveActiveColumn(-1)),
  'column.right': command('Move column right', 'Alt+PageDown', hasGrid, gridCommands.moveActiveColumn(1)),
  'column.freeze': command('Freeze columns up to this one', null, hasGrid, gridCommands.freezeToActiveColumn),
  'column.unfreeze': command('Unfreeze columns', null, hasGrid, gridCommands.unfreezeColumns),
  'column.hide': command('Hide column', null, hasGrid, gridCommands.hideActiveColumn),
  'column.fit': command('Fit column width to content', null, hasGrid, gridCommands.fitActiveColumn),
  'column.wider': command('Widen active column', 'Alt+Shift+ArrowRight', hasGrid, gridCommands.resizeActiveColumn(24)),
  'column.narrower': command(
    'Narrow active column',
    'Alt+Shift+ArrowLeft',
    hasGrid,
    gridCommands.resizeActiveColumn(-24),
  ),
  'go.overview': command('Overview', 'Alt+1', hasAccount, openPlace('overview'), true),
  'go.inbox': command('Inbox', 'Alt+2', hasAccount, openPlace('inbox'), true),
  'go.suggestions': command('Suggestions', 'Alt+G', hasAccount, openPlace('suggestions'), true),
  'go.campaigns': command('All campaigns', 'Alt+3', hasAccount, openList('campaign'), true),
  'go.sba-profiles': command('SBA profiles', 'Alt+4', hasAccount, openList('sbaProfile'), true),
  'go.video-profiles': command('Video profiles', 'Alt+5', hasAccount, openList('videoProfile'), true),
  'go.media': command('Media library', 'Alt+6', hasAccount, openList('media'), true),
  'go.multipliers': command('Bid multipliers', 'Alt+7', hasAccount, openList('placementMultiplier'), true),
  'go.settings': command('Settings', 'Ctrl+,', always, settings('appearance'), true),
  'launch.open': command('Launch timeline and reviews', 'Alt+8', hasAccount, openPlace('launch'), true),
  'reports.open': command('Reports', 'Alt+9', hasAccount, openPlace('reports'), true),
  'review.submit': command('Submit for review', null, hasRows, handlers.review('submitReviews')),
  'review.cancel': command('Cancel review', null, hasRows, handlers.review('cancelReviews')),
  'sync.check': command('Check for issues', 'F7', hasAccount, handlers.checkAll, true),
  'view.next-error': command('Go to the next issue', 'F8', hasAccount, handlers.nextIssue, true),
  'pane.next': command('Go to the next pane', 'F6', hasAccount, stepPane(1), true),
  'pane.previous': command('Go to the previous pane', 'Shift+F6', hasAccount, stepPane(-1), true),
  'pane.navigation': command('Show or hide the campaign list', 'Alt+L', always, togglePane('navigation'), true),
  'pane.inspector': command('Show or hide details', 'Alt+I', always, togglePane('inspector'), true),
  'pane.drawer': command('Show or hide the lower panel', 'Alt+J', always, togglePane('drawer'), true),
  // This ID is stored with the shortcuts and recent commands of users, so it keeps its former word.
  'tab.findings': command('Issues', 'Alt+Shift+1', hasAccount, showTab('issues'), true),
  'tab.changes': command('Changes', 'Alt+Shift+2', hasAccount, showTab('changes'), true),
  'tab.sync': command('Sync tab', 'Alt+Shift+3', hasAccount, showTab('sync'), true),
  'tab.history': command('History', 'Alt+Shift+4', hasAccount, showTab('history'), true),
  'theme.light': command('Light theme', null, always, handlers.colors('light')),
  'theme.dark': command('Dark theme', null, always, handlers.colors('dark')),
  'theme.system': command('System theme', null, always, handlers.colors('system')),
  'locale.choose': command('Number and date format', null, always, settings('formats')),
  'account.practice': command('New practice account', null, always, ({ app }) => void handlers.addPractice(app)),
  'account.sample': command('Open a sample account', null, always, ({ app }) => void handlers.openSample(app)),
  'account.connect': command('Connect account…', null, always, show({ name: 'connect' })),
  'account.secrets': command('Credentials', null, always, settings('credentials')),
  'account.settings': command('Account settings', null, hasAccount, settings('sync-mode')),
  'account.deployment': command('Deployment settings', null, hasAccount, settings('deployment')),
  'account.rules': command('Custom rules', null, hasAccount, settings('rules')),
  'account.watched-folder': command('Watched folder', null, hasAccount, settings('watched-folder')),
  'account.data-safety': command('Data safety', null, hasAccount, settings('data-safety')),
  'account.backups': command('Backups', null, hasAccount, settings('backups')),
  'account.team': command('Team', null, hasAccount, settings('team')),
  'account.join-team': command('Join a team…', null, always, show({ name: 'join-team' })),
  'team.share': command('Share edits now', null, hasTeam, handlers.shareNow),
  'team.ask': command('Ask for sign-off…', null, hasTeam, ({ app }) => handlers.askForSignOff(app, null)),
  'team.ask-selected': command('Ask for sign-off of selected rows…', null, hasTeamRows, handlers.askForSelected),
  'team.requests': command('Change requests', null, hasTeam, openPlace('inbox')),
  'team.take-over': command('Take over sync…', null, hasTeam, settings('team')),
  'team.presence': command('Show or hide who is here', null, hasTeam, toggle('presence')),
  'items.confirm': command('Check new items in the catalog', null, hasAccount, act('confirmItems')),
  'practice.clock': command('Practice clock', 'Alt+P', ({ practice }) => practice, settings('practice'), true),
  'app.about': command('About Adslate', null, always, settings('about')),
  'help.first-steps': command(
    'First steps in the sample account',
    null,
    ({ sample }) => sample,
    ({ app }) => void handlers.openFirstSteps(app),
  ),
  'help.shortcuts': command('Keyboard shortcuts', 'F1', always, show({ name: 'shortcuts' }), true),
} as const satisfies Readonly<Record<string, CommandEntry>>;

export type CommandId = keyof typeof TABLE;

/** All commands, in the order of menus. */
export const COMMANDS: readonly Command[] = (Object.keys(TABLE) as CommandId[]).map((id) => commandOf(id));

const CHANGES_ROWS: ReadonlySet<CommandId> = new Set<CommandId>([
  'cells.edit',
  'cells.paste',
  'cells.paste-values',
  'cells.clear',
  'cells.fill-down',
  'bulk.set',
  'bulk.amount',
  'bulk.replace',
  'rows.delete',
]);

/** The extension that a command needs to change rows of this kind on the service; null for none. */
export const extensionOf = (id: CommandId, kind: Kind): ExtensionCommand | null =>
  CHANGES_ROWS.has(id) ? changeCommand(kind) : null;

const whyNot = {
  list: 'Open a list with rows first',
  table: 'Open a table with rows first',
  fewer: 'Select fewer rows first',
  move: 'Cut or copy rows first',
  media: 'Not in the media library',
  matrix: 'Open keywords or multipliers of a campaign first',
} as const;
const WHY_NOT: ReadonlyMap<Command['when'], string> = new Map([
  [hasRows, whyNot.list],
  [hasGrid, whyNot.table],
  [canLabel, whyNot.fewer],
  [hasGroups, whyNot.table],
  [hasCutRows, whyNot.move],
  [hasSavableView, whyNot.table],
  [canPaste, whyNot.media],
  [handlers.canShowMatrix, whyNot.matrix],
]);

/** Why a command can't run now, in a few words; null without an open account or a known reason. */
export function whyNotNow({ when }: Command, context: CommandContext): string | null {
  if (!hasAccount(context)) return null;
  const isWithoutRows = when === canLabel && !hasRows(context);
  return WHY_NOT.get(isWithoutRows ? hasRows : when) ?? null;
}

export function commandOf(id: CommandId): Command {
  return { id, ...TABLE[id] };
}
