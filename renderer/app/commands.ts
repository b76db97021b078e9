import type { Kind } from '../../shared/model/kinds.ts';
import { changeCommand, type ExtensionCommand } from '../../shared/plan/capabilities.ts';
import type { CommandContext } from './app-context.ts';
import * as bulkCommands from './bulk-commands.ts';
import * as handlers from './command-handlers.ts';
import { copyRowLink } from './deep-links.ts';
import * as gridCommands from './grid-commands.ts';
import { activeColumn } from './grid-commands.ts';
import * as moves from './move-commands.ts';
import type { Place } from './store/navigation-slice.ts';

export const commandTexts = {
  'campaign.new': 'New campaign…',
  'campaign.new-video': 'New video campaign…',
  'campaign.new-sba': 'New SBA campaign…',
  'campaign.new-auto': 'New automatic campaign…',
  'campaign.new-manual': 'New manual campaign…',
  'campaign.add-by-id': 'Add campaigns by ID…',
  'sync.known-ids': 'Campaign IDs',
  'campaign.like': 'New campaign based on this one…',
  'cells.edit': 'Edit cell',
  'cells.copy': 'Copy',
  'rows.copy-link': 'Copy link',
  'cells.paste': 'Paste',
  'cells.paste-values': 'Paste special…',
  'cells.clear': 'Clear cells',
  'cells.fill-down': 'Fill down',
  'cells.suggestion': 'Explain suggested bid',
  'cells.comment': 'Comment on cell…',
  'cells.issue': 'Show issue of cell',
  'rows.add': 'Add rows…',
  'bulk.set': 'Bulk edit…',
  'bulk.amount': 'Adjust bids and budgets…',
  'bulk.replace': 'Find and replace…',
  'rows.paste-table': 'Paste a table…',
  'rows.duplicate': 'Duplicate rows',
  'rows.copy-to': 'Copy or move to…',
  'rows.duplicates': 'Find duplicates…',
  'rows.ideas': 'Keyword ideas…',
  'rows.compare': 'Compare…',
  'rows.time-machine': 'Time machine',
  'rows.overlap': 'Keyword overlap',
  'rows.pick-up': 'Cut rows to move',
  'rows.pick-copy': 'Copy rows to another campaign',
  'rows.put-down': 'Paste rows here',
  'rows.let-go': 'Cancel moving rows',
  'rows.delete': 'Delete rows…',
  'rows.revert': 'Revert rows',
  'rows.hold': 'Put rows on hold',
  'rows.release': 'Release rows from hold',
  'edit.undo': 'Undo',
  'edit.redo': 'Redo',
  'media.add': 'Add media files…',
  'sheet.import': 'Import…',
  'sheet.export': 'Export as CSV',
  'sheet.export-xlsx': 'Export for Excel (XLSX)',
  'sheet.export-html': 'Export as printable page (HTML)',
  'view.export': 'Export current view as CSV',
  'view.export-xlsx': 'Export current view for Excel (XLSX)',
  'view.export-html': 'Export current view as printable page (HTML)',
  'storyboard.export': 'Export client storyboard (HTML)',
  'storyboard.export-money': 'Export client storyboard with bids and budgets (HTML)',
  'storyboard.import': 'Import client comments…',
  'archive.export': 'Export account archive with media (.adslate)',
  'changes.export': 'Export share file with unsynced changes (.adslate-changes)',
  'sync.plan': 'Sync…',
  'sync.run-plan': 'Run a saved plan…',
  'sync.plan-selected': 'Sync selected rows…',
  'sync.pause': 'Pause sync',
  'sync.resume': 'Resume sync',
  'sync.cancel': 'Cancel sync',
  'sync.check': 'Check for issues',
  'sync.refresh': 'Refresh all campaigns',
  'sync.refresh-selected': 'Refresh selected campaigns',
  'sync.refresh-outdated': 'Refresh outdated campaigns',
  'sync.take-back': 'Roll back a sync…',
  'items.repair': 'Repair item IDs',
  'sync.poll': 'Check review status',
  'view.filter': 'Filter rows',
  'view.filter-form': 'Add filter…',
  'view.changed': 'Show only changed rows',
  'view.errors': 'Show only rows with errors',
  'view.all': 'Show all rows',
  'view.sort': 'Sort by active column',
  'view.sort-add': 'Also sort by active column',
  'view.filter-value': 'Show only rows with this value',
  'view.compact': 'Compact rows',
  'view.regular': 'Regular rows',
  'view.roomy': 'Roomy rows',
  'view.pictures': 'Show or hide item pictures',
  'view.metric-colors': 'Color metrics on or off',
  'view.impact-lens': 'Show or hide the impact of edits',
  'view.figures': 'Show or hide report metrics',
  'view.group': 'Group rows…',
  'period.earlier': 'Earlier period',
  'period.later': 'Later period',
  'period.comparison-before': 'Previous comparison of metrics',
  'period.comparison-next': 'Next comparison of metrics',
  'column.menu': 'Column menu',
  'column.sort-up': 'Sort ascending',
  'column.sort-down': 'Sort descending',
  'column.left': 'Move column left',
  'column.right': 'Move column right',
  'column.freeze': 'Freeze columns up to this one',
  'column.unfreeze': 'Unfreeze columns',
  'column.hide': 'Hide column',
  'column.fit': 'Fit column width to content',
  'column.wider': 'Widen active column',
  'column.narrower': 'Narrow active column',
  'review.submit': 'Submit for review',
  'review.cancel': 'Cancel review',
  'view.next-error': 'Go to the next issue',
  'pane.next': 'Go to the next pane',
  'pane.previous': 'Go to the previous pane',
  'pane.navigation': 'Show or hide the campaign list',
  'pane.inspector': 'Show or hide details',
  'pane.drawer': 'Show or hide the lower panel',
  'tab.findings': 'Issues',
  'tab.changes': 'Changes',
  'tab.sync': 'Sync tab',
  'tab.history': 'History',
  'theme.light': 'Light theme',
  'theme.dark': 'Dark theme',
  'theme.system': 'System theme',
  'locale.choose': 'Number and date format',
  'account.practice': 'New practice account',
  'account.sample': 'Open a sample account',
  'account.connect': 'Connect account…',
  'account.secrets': 'Credentials',
  'account.settings': 'Account settings',
  'account.deployment': 'Deployment settings',
  'account.rules': 'Custom rules',
  'account.watched-folder': 'Watched folder',
  'account.data-safety': 'Data safety',
  'account.backups': 'Backups',
  'account.team': 'Team',
  'account.join-team': 'Join a team…',
  'team.share': 'Share edits now',
  'team.ask': 'Ask for sign-off…',
  'team.ask-selected': 'Ask for sign-off of selected rows…',
  'team.requests': 'Change requests',
  'team.take-over': 'Take over sync…',
  'team.presence': 'Show or hide who is here',
  'items.confirm': 'Check new items in the catalog',
  'go.overview': 'Overview',
  'go.inbox': 'Inbox',
  'go.suggestions': 'Suggestions',
  'go.campaigns': 'All campaigns',
  'go.sba-profiles': 'SBA profiles',
  'go.video-profiles': 'Video profiles',
  'go.media': 'Media library',
  'go.multipliers': 'Bid multipliers',
  'launch.open': 'Launch timeline and reviews',
  'go.settings': 'Settings',
  'reports.open': 'Reports',
  'practice.clock': 'Practice clock',
  'help.shortcuts': 'Keyboard shortcuts',
  'help.first-steps': 'First steps in the sample account',
  'app.about': 'About Adslate',
  'app.palette': 'All commands…',
} as const;

export type CommandId = keyof typeof commandTexts;

/** Begins a comment on the active cell; on its row if whole rows are selected or the column is no field. */
function addCellComment({ desk }: CommandContext): void {
  const { wholeRows, beginComment } = desk.store.getState();
  const column = activeColumn(desk);
  beginComment(wholeRows || column === undefined || column.cell === null ? null : column.field);
}

/** A command; menus, palette and shortcuts are made from this table. */
export interface Command {
  readonly id: CommandId;
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
const hasAccount = ({ desk }: CommandContext): boolean => desk.store.getState().workspaceId !== null;
const canPaste = (context: CommandContext): boolean =>
  hasAccount(context) && context.desk.store.getState().kind !== 'media';
const hasRows = (context: CommandContext): boolean =>
  hasAccount(context) && (context.desk.openView.current?.source.length() ?? 0) > 0;
/** Only the table has cells and columns; the gallery and the matrix have none. */
const hasGrid = (context: CommandContext): boolean => hasRows(context) && context.desk.openGrid.current !== null;
const hasGroups = (context: CommandContext): boolean => hasAccount(context) && handlers.groupButton() !== null;

const hasTeam = ({ team }: CommandContext): boolean => team;
const hasTeamRows = (context: CommandContext): boolean => hasTeam(context) && hasRows(context);

const isCarrying = ({ desk }: CommandContext): boolean => desk.store.getState().carried !== null;

const openPlace =
  (place: Place) =>
  ({ desk }: CommandContext): void =>
    desk.store.getState().openPlace(place);
const openList =
  (kind: Kind) =>
  ({ desk }: CommandContext): void =>
    desk.store.getState().goTo({ kind, campaignId: null });

const command = (
  id: CommandId,
  shortcut: string | null,
  when: Command['when'],
  run: Command['run'],
  inText = false,
): Command => ({ id, shortcut, when, run, inText });

const cells = (id: CommandId, gridKey: string, run: Command['run']): Command => ({
  ...command(id, null, hasGrid, run),
  gridKey,
});

export const COMMANDS: readonly Command[] = [
  command('app.palette', 'Ctrl+K', always, ({ desk }) => desk.store.getState().show({ name: 'palette' }), true),
  command('sync.plan', 'Ctrl+Enter', hasAccount, ({ desk }) => desk.store.getState().openSync(), true),
  command('sync.plan-selected', 'Ctrl+Shift+Enter', hasRows, handlers.syncSelected, true),
  command('sync.run-plan', null, hasAccount, ({ desk }) => desk.store.getState().openSync({ file: 'choose' })),
  command('edit.undo', 'Ctrl+Z', hasAccount, ({ desk }) => void desk.actions.undo()),
  command('edit.redo', 'Ctrl+Y', hasAccount, ({ desk }) => void desk.actions.redo()),
  command('campaign.new', null, hasAccount, handlers.newCampaign('manual'), true),
  command('campaign.new-video', 'Alt+Shift+V', hasAccount, handlers.newCampaign('video'), true),
  command('campaign.new-sba', 'Alt+Shift+B', hasAccount, handlers.newCampaign('sba'), true),
  command('campaign.new-auto', 'Alt+Shift+A', hasAccount, handlers.newCampaign('auto'), true),
  command('campaign.new-manual', 'Alt+Shift+M', hasAccount, handlers.newCampaign('manual'), true),
  command('campaign.add-by-id', null, hasAccount, handlers.addById, true),
  command('sync.known-ids', null, hasAccount, handlers.settings('campaign-ids'), true),
  command('campaign.like', 'Alt+Shift+K', hasRows, handlers.newCampaignLike),
  command('rows.add', 'Alt+N', hasAccount, ({ desk }) => desk.store.getState().openPlace('add-rows'), true),
  cells('cells.edit', 'F2', gridCommands.editCell),
  cells('cells.copy', 'Ctrl+C', gridCommands.copyCells),
  command('rows.copy-link', 'Alt+Shift+L', hasRows, (context) => void copyRowLink(context)),
  cells('cells.paste', 'Ctrl+V', gridCommands.pasteCells),
  command('cells.paste-values', 'Ctrl+Alt+V', hasRows, bulkCommands.changeMany('paste')),
  cells('cells.clear', 'Delete', gridCommands.clearCells),
  cells('cells.fill-down', 'Ctrl+D', gridCommands.fillCellsDown),
  command('cells.suggestion', 'Alt+Q', hasGrid, gridCommands.explainBid, true),
  command('cells.comment', 'Shift+F2', hasRows, addCellComment),
  command('cells.issue', 'Alt+Enter', hasGrid, handlers.openIssue),
  command('bulk.set', 'Alt+Shift+E', hasRows, bulkCommands.changeMany('set')),
  command('bulk.amount', 'Alt+Shift+C', hasRows, bulkCommands.changeMany('amount')),
  command('bulk.replace', 'Ctrl+H', hasRows, bulkCommands.changeMany('replace')),
  command('rows.paste-table', 'Ctrl+Shift+V', canPaste, ({ desk }) => desk.store.getState().show({ name: 'paste' })),
  command('rows.duplicate', 'Alt+D', hasRows, bulkCommands.duplicateRows),
  command('rows.copy-to', 'Alt+Shift+D', hasRows, bulkCommands.changeMany('copy')),
  command('rows.duplicates', 'Alt+Shift+U', hasAccount, handlers.findDuplicates),
  command('rows.ideas', 'Alt+Shift+I', hasRows, ({ desk }) => desk.store.getState().openPane('ideas')),
  command('rows.compare', 'Alt+W', hasAccount, handlers.compareSelected, true),
  command('rows.time-machine', 'Alt+Shift+W', hasAccount, openPlace('time-machine'), true),
  command('rows.overlap', null, hasAccount, openPlace('overlap'), true),
  { ...cells('rows.pick-up', 'Ctrl+X', moves.cutRows(true)), when: hasRows },
  command('rows.pick-copy', 'Alt+X', hasRows, moves.cutRows(false)),
  { ...cells('rows.put-down', 'Ctrl+V', ({ desk }) => void moves.putDownCarried(desk)), when: isCarrying },
  { ...cells('rows.let-go', 'Escape', moves.cancelMove), when: isCarrying },
  command('rows.delete', 'Ctrl+Delete', hasRows, bulkCommands.deleteRows),
  command('rows.revert', 'Alt+R', hasRows, bulkCommands.revertRows),
  command('rows.hold', 'Alt+H', hasRows, bulkCommands.holdRows),
  command('rows.release', 'Alt+Shift+H', hasRows, bulkCommands.releaseRows),
  command(
    'media.add',
    'Alt+M',
    hasAccount,
    ({ desk }) => desk.store.getState().show({ name: 'media', files: [] }),
    true,
  ),
  command(
    'sheet.import',
    'Ctrl+O',
    hasAccount,
    ({ desk }) => desk.store.getState().show({ name: 'sheet', file: null, media: [] }),
    true,
  ),
  command('sheet.export', 'Ctrl+Shift+E', hasAccount, handlers.exportAs('csv')),
  command('sheet.export-xlsx', null, hasAccount, handlers.exportAs('xlsx')),
  command('sheet.export-html', null, hasAccount, handlers.exportAs('html')),
  command('view.export', null, hasRows, handlers.exportShown('csv')),
  command('view.export-xlsx', null, hasRows, handlers.exportShown('xlsx')),
  command('view.export-html', null, hasRows, handlers.exportShown('html')),
  command('storyboard.export', null, hasRows, handlers.exportStoryboard(false)),
  command('storyboard.export-money', null, hasRows, handlers.exportStoryboard(true)),
  command('storyboard.import', null, hasAccount, handlers.importClientComments, true),
  command('archive.export', null, hasAccount, handlers.exportAs('archive')),
  command('changes.export', null, hasAccount, handlers.exportAs('changes')),
  command('sync.refresh', 'F9', hasAccount, ({ desk }) => void desk.actions.refreshAll(), true),
  command('sync.refresh-selected', 'Shift+F9', hasAccount, handlers.refreshSelected, true),
  command('sync.refresh-outdated', 'Ctrl+F9', hasAccount, handlers.settings('refresh'), true),
  command('sync.pause', null, hasAccount, ({ desk }) => void desk.actions.pauseSync()),
  command('sync.resume', null, hasAccount, ({ desk }) => void desk.actions.resumeSync()),
  command('sync.cancel', null, hasAccount, ({ desk }) => void desk.actions.stopSync()),
  command('sync.take-back', null, hasAccount, ({ desk }) => desk.store.getState().openSync({ isRollback: true }), true),
  command('items.repair', null, hasAccount, handlers.settings('item-ids'), true),
  command('sync.poll', null, hasAccount, ({ desk }) => void desk.actions.pollReviews()),
  command('view.filter', 'Ctrl+F', hasAccount, handlers.switchFilter, true),
  command('view.filter-form', 'Ctrl+Shift+F', hasAccount, handlers.openFilterForm, true),
  command('view.changed', 'Alt+C', hasAccount, handlers.showOnly('changed'), true),
  command('view.errors', 'Alt+E', hasAccount, handlers.showOnly('errors'), true),
  command('view.all', 'Alt+A', hasAccount, handlers.showOnly('all'), true),
  command('view.sort', 'Alt+S', hasGrid, gridCommands.sortByActiveColumn, true),
  command('view.sort-add', 'Alt+Shift+S', hasGrid, gridCommands.sortAlsoByActiveColumn, true),
  command('view.filter-value', 'Alt+V', hasGrid, gridCommands.filterByActiveCell),
  command('view.compact', null, always, ({ desk }) => desk.store.getState().adjustLook({ density: 'compact' }), true),
  command('view.regular', null, always, ({ desk }) => desk.store.getState().adjustLook({ density: 'regular' }), true),
  command('view.roomy', null, always, ({ desk }) => desk.store.getState().adjustLook({ density: 'roomy' }), true),
  command('view.pictures', null, always, handlers.toggle('itemPictures'), true),
  command('view.metric-colors', null, always, handlers.toggle('metricColors'), true),
  command('view.impact-lens', 'F4', always, handlers.toggle('impactLens'), true),
  command('view.figures', 'Alt+Shift+F', hasGrid, gridCommands.toggleFigures, true),
  command('view.group', 'Ctrl+G', hasGroups, () => handlers.groupButton()?.click(), true),
  command('period.earlier', '[', hasAccount, handlers.stepThePeriod(-1)),
  command('period.later', ']', hasAccount, handlers.stepThePeriod(1)),
  command('period.comparison-before', 'Shift+[', hasAccount, handlers.stepComparison(-1)),
  command('period.comparison-next', 'Shift+]', hasAccount, handlers.stepComparison(1)),
  command('column.menu', 'Alt+ArrowDown', hasGrid, handlers.openColumnMenu),
  command('column.sort-up', null, hasGrid, gridCommands.sortActiveColumn(false)),
  command('column.sort-down', null, hasGrid, gridCommands.sortActiveColumn(true)),
  command('column.left', 'Alt+PageUp', hasGrid, gridCommands.moveActiveColumn(-1)),
  command('column.right', 'Alt+PageDown', hasGrid, gridCommands.moveActiveColumn(1)),
  command('column.freeze', null, hasGrid, gridCommands.freezeToActiveColumn),
  command('column.unfreeze', null, hasGrid, gridCommands.unfreezeColumns),
  command('column.hide', null, hasGrid, gridCommands.hideActiveColumn),
  command('column.fit', null, hasGrid, gridCommands.fitActiveColumn),
  command('column.wider', 'Alt+Shift+ArrowRight', hasGrid, gridCommands.resizeActiveColumn(24)),
  command('column.narrower', 'Alt+Shift+ArrowLeft', hasGrid, gridCommands.resizeActiveColumn(-24)),
  command('go.overview', 'Alt+1', hasAccount, openPlace('overview'), true),
  command('go.inbox', 'Alt+2', hasAccount, openPlace('inbox'), true),
  command('go.suggestions', 'Alt+G', hasAccount, openPlace('suggestions'), true),
  command('go.campaigns', 'Alt+3', hasAccount, openList('campaign'), true),
  command('go.sba-profiles', 'Alt+4', hasAccount, openList('sbaProfile'), true),
  command('go.video-profiles', 'Alt+5', hasAccount, openList('videoProfile'), true),
  command('go.media', 'Alt+6', hasAccount, openList('media'), true),
  command('go.multipliers', 'Alt+7', hasAccount, openList('placementMultiplier'), true),
  command('go.settings', 'Ctrl+,', always, handlers.settings('appearance'), true),
  command('launch.open', 'Alt+8', hasAccount, openPlace('launch'), true),
  command('reports.open', 'Alt+9', hasAccount, openPlace('reports'), true),
  command('review.submit', null, hasRows, handlers.review('submit')),
  command('review.cancel', null, hasRows, handlers.review('cancel')),
  command('sync.check', 'F7', hasAccount, handlers.checkAll, true),
  command('view.next-error', 'F8', hasAccount, handlers.nextIssue, true),
  command('pane.next', 'F6', hasAccount, ({ desk }) => desk.panes.step(1), true),
  command('pane.previous', 'Shift+F6', hasAccount, ({ desk }) => desk.panes.step(-1), true),
  command('pane.navigation', 'Alt+L', always, ({ desk }) => desk.store.getState().togglePane('navigation'), true),
  command('pane.inspector', 'Alt+I', always, ({ desk }) => desk.store.getState().togglePane('inspector'), true),
  command('pane.drawer', 'Alt+J', always, ({ desk }) => desk.store.getState().togglePane('drawer'), true),
  command('tab.findings', 'Alt+Shift+1', hasAccount, handlers.showTab('findings'), true),
  command('tab.changes', 'Alt+Shift+2', hasAccount, handlers.showTab('changes'), true),
  command('tab.sync', 'Alt+Shift+3', hasAccount, handlers.showTab('sync'), true),
  command('tab.history', 'Alt+Shift+4', hasAccount, handlers.showTab('history'), true),
  command('theme.light', null, always, handlers.colors('light')),
  command('theme.dark', null, always, handlers.colors('dark')),
  command('theme.system', null, always, handlers.colors('system')),
  command('locale.choose', null, always, handlers.settings('formats')),
  command('account.practice', null, always, ({ desk }) => void handlers.addPractice(desk)),
  command('account.sample', null, always, ({ desk }) => void handlers.openSample(desk)),
  command('account.connect', null, always, ({ desk }) => desk.store.getState().show({ name: 'connect' })),
  command('account.secrets', null, always, handlers.settings('credentials')),
  command('account.settings', null, hasAccount, handlers.settings('sync-mode')),
  command('account.deployment', null, hasAccount, handlers.settings('deployment')),
  command('account.rules', null, hasAccount, handlers.settings('rules')),
  command('account.watched-folder', null, hasAccount, handlers.settings('watched-folder')),
  command('account.data-safety', null, hasAccount, handlers.settings('data-safety')),
  command('account.backups', null, hasAccount, handlers.settings('backups')),
  command('account.team', null, hasAccount, handlers.settings('team')),
  command('account.join-team', null, always, ({ desk }) => desk.store.getState().show({ name: 'join-team' })),
  command('team.share', null, hasTeam, handlers.shareNow),
  command('team.ask', null, hasTeam, ({ desk }) => handlers.askForSignOff(desk, null)),
  command('team.ask-selected', null, hasTeamRows, handlers.askForSelected),
  command('team.requests', null, hasTeam, openPlace('inbox')),
  command('team.take-over', null, hasTeam, handlers.settings('team')),
  command('team.presence', null, hasTeam, handlers.toggle('presence')),
  command('items.confirm', null, hasAccount, ({ desk }) => void desk.actions.confirmItems()),
  command('practice.clock', 'Alt+P', ({ practice }) => practice, handlers.settings('practice'), true),
  command('app.about', null, always, handlers.settings('about')),
  command(
    'help.first-steps',
    null,
    ({ sample }) => sample,
    ({ desk }) => void handlers.openFirstSteps(desk),
  ),
  command('help.shortcuts', 'F1', always, ({ desk }) => desk.store.getState().show({ name: 'shortcuts' }), true),
];

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
  carry: 'Cut or copy rows first',
  media: 'Not in the media library',
} as const;
const WHY_NOT: ReadonlyMap<Command['when'], string> = new Map([
  [hasRows, whyNot.list],
  [hasGrid, whyNot.table],
  [hasGroups, whyNot.table],
  [isCarrying, whyNot.carry],
  [canPaste, whyNot.media],
]);

/** Why a command can't run now, in a few words; null without an open account or a known reason. */
export const whyNotNow = (command: Command, context: CommandContext): string | null =>
  hasAccount(context) ? (WHY_NOT.get(command.when) ?? null) : null;

export function commandOf(id: CommandId): Command | undefined {
  return COMMANDS.find((candidate) => candidate.id === id);
}
