import { freeName, SAMPLE_NAME } from '../../shared/api/choices.ts';
import { STORYBOARD_MAX } from '../../shared/api/limits.ts';
import type { ChosenRows } from '../../shared/api/sync.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { plainDate } from '../../shared/model/plain-date.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { SYNC_SELECTION_MAX } from '../../shared/plan/sync-selection.ts';
import { COMPARISONS, periodSpan, stepPeriod } from '../../shared/reports/period.ts';
import type { Issue } from '../../shared/rules/rule.ts';
import { hasMatrix } from '../grid/columns.ts';
import { attempt, type ExportFormat, grantFile, runAction } from './actions.ts';
import { type AppContext, type CommandContext, onState } from './app-context.ts';
import { dayText } from './locale/numbers.ts';
import { saveFrom } from './save-text.ts';
import type { QuickFilter } from './store/navigation-slice.ts';
import { rangeOf } from './store/selection-slice.ts';
import { appTexts } from './texts.ts';

/* Command handlers with more than one line. */

/** Opens the form filled from the campaign of the active row, or from the open campaign. */
export function newCampaignLike({ app }: CommandContext): void {
  const { active, campaignId, openForm } = app.store.getState();
  const like = app.openView.current?.source.rowAt(active.row)?.campaignId ?? campaignId;
  if (like !== null && like !== undefined) discardForm(app, () => openForm('manual', like));
}

/** Runs an action that discards the form of a new campaign, after a confirmation if the user has typed into it. */
export function discardForm({ store }: Pick<AppContext, 'store'>, run: () => void): void {
  const { forms, workspaceId, show } = store.getState();
  const form = forms[workspaceId ?? ''];
  const isTyped = form !== undefined && Object.entries(form.values).some(([field, text]) => text !== form.first[field]);
  if (isTyped) show({ name: 'confirm', ...appTexts.discardForm, run });
  else run();
}

/** Shows the rows of the list instead of the matrix, which shows a whole campaign without filters. */
function showRows({ store }: AppContext): void {
  const { openPlace, showMatrix } = store.getState();
  openPlace('rows');
  showMatrix(false);
}

/** Opens the form of an additional filter. */
export function openFilterForm({ app }: CommandContext): void {
  showRows(app);
  app.store.getState().openFilterForm('new');
}

/** Switches between filter chips and filter text; both edit the same filter. */
export function switchFilter({ app }: CommandContext): void {
  showRows(app);
  const { filterAs, showFilterAs } = app.store.getState();
  const box = document.getElementById(FILTER_TEXT_ID);
  if (filterAs === 'text' && document.activeElement !== box) box?.focus();
  else {
    showFilterAs(filterAs === 'text' ? 'chips' : 'text');
    if (filterAs === 'text') app.openGrid.current?.focus();
  }
}

export const FILTER_TEXT_ID = 'row-filter';

/** The button that opens the menu of groupings; absent if the list can't be grouped. */
export const GROUP_BUTTON_ID = 'group-rows';
export const groupButton = (): HTMLElement | null => document.getElementById(GROUP_BUTTON_ID);

/** The button that saves the filter, the order and the columns as a view; absent in a matrix. */
export const SAVE_VIEW_BUTTON_ID = 'save-view';
export const saveViewButton = (): HTMLElement | null => document.getElementById(SAVE_VIEW_BUTTON_ID);

/** Whether the rows on screen can also be shown as a matrix: keywords or multipliers of one campaign. */
export function canShowMatrix({ app }: CommandContext): boolean {
  const { place, kind, campaignId } = app.store.getState();
  return place === 'rows' && campaignId !== null && hasMatrix(kind);
}

/** Opens the menu of the active column, below its title. */
export const openColumnMenu = onState(({ active, openMenu }) => {
  const title = document.querySelector(`[role="columnheader"][aria-colindex="${active.col + 2}"]`);
  const box = title?.getBoundingClientRect();
  if (box !== undefined) openMenu({ of: 'column', x: box.left, y: box.bottom });
});

export const showOnly =
  (only: QuickFilter) =>
  ({ app }: CommandContext): void => {
    showRows(app);
    app.store.getState().setOnly(only);
  };

/**
 * Reads the campaigns of the selected rows; none if no selected row has one.
 *
 * @param use not called if another account was opened while they were read, in which the numbers are other campaigns
 */
async function withCampaigns(
  { store, openView }: AppContext,
  use: (campaignIds: readonly number[]) => void,
): Promise<void> {
  const { workspaceId } = store.getState();
  const range = rangeOf(store.getState(), 1);
  const rows = (await openView.current?.source.readRows(range.top, range.bottom + 1)) ?? [];
  if (store.getState().workspaceId === workspaceId) use([...new Set(rows.flatMap((row) => row.campaignId ?? []))]);
}

/** Compares the two campaigns of the selected rows, or one with its service values. */
export function compareSelected({ app }: CommandContext): void {
  const { campaignId, place, compared, chooseSides } = app.store.getState();
  void withCampaigns(app, (selected) => {
    const [one = campaignId, other] = selected;
    if (place !== 'rows' || selected.length > 2) return chooseSides(compared);
    const left = { is: 'now' as const, campaignId: one === null ? null : asRowId(one) };
    chooseSides({
      left,
      right: other === undefined ? { ...left, is: 'service' } : { is: 'now', campaignId: asRowId(other) },
    });
  });
}

/** Submits or cancels the reviews of every campaign with a selected row. */
export const review =
  (what: 'submitReviews' | 'cancelReviews') =>
  ({ app }: CommandContext): void => {
    void withCampaigns(app, (campaignIds) => {
      if (campaignIds.length === 0) return;
      app.store.getState().showTab('sync');
      void app.actions[what](campaignIds);
    });
  };

/** Most campaigns refreshed one by one; with more, the whole account is refreshed. */
const REFRESHED_MAX = 1000;

/** Refreshes the campaigns of the selected rows; without such rows, the open campaign. */
export function refreshSelected({ app }: CommandContext): void {
  const { campaignId } = app.store.getState();
  void withCampaigns(app, (selected) => {
    const ids = selected.length > 0 || campaignId === null ? selected : [campaignId];
    if (ids.length > REFRESHED_MAX) void app.actions.refreshAll();
    else if (ids.length > 0) void app.actions.refreshCampaigns(ids.map(asRowId));
  });
}

/** Opens the plan for a sync of the selected rows only; a campaign or ad group includes everything in it. */
export const syncSelected = ({ app }: CommandContext): void =>
  withSelected(app, (chosen) => app.store.getState().openSync({ chosen }));

/** Asks colleagues to sign off the changes of the selected rows. */
export const askForSelected = ({ app }: CommandContext): void =>
  withSelected(app, (chosen) => askForSignOff(app, chosen));

function withSelected({ openView, store, toasts }: AppContext, use: (chosen: ChosenRows) => void): void {
  const view = openView.current;
  if (view === null) return;
  const { top, bottom } = rangeOf(store.getState(), 1);
  if (bottom - top >= SYNC_SELECTION_MAX) {
    toasts.tell(appTexts.sync.tooMany(SYNC_SELECTION_MAX));
    return;
  }
  const { kind } = view.source.request;
  const { workspaceId } = store.getState();
  void view.source.readRows(top, bottom + 1).then((rows) => {
    const ids = rows.map(({ id }) => id);
    // Another account may have been opened while they were read.
    if (ids.length > 0 && store.getState().workspaceId === workspaceId) use({ rows: [{ kind, ids }], below: true });
  });
}

export function checkAll({ app }: CommandContext): void {
  app.store.getState().showTab('issues');
  void app.actions.check();
}

/** The last issue that F8 has shown in a window. */
const issuePlaces = new WeakMap<AppContext['store'], { readonly at: number; readonly key: string }>();

/** Moves to the next issue of the whole account, worst first; after the last one it begins again. */
export function nextIssue({ app }: CommandContext): void {
  const { store, connection } = app;
  const { workspaceId } = store.getState();
  if (workspaceId === null) return;
  const read = (from: number) => connection.client.workspace.issues({ workspaceId, from, count: 2, campaignId: null });
  const keyOf = ({ kind, id, rule, field }: Issue): string => `${workspaceId} ${kind} ${id} ${rule} ${field}`;
  void (async () => {
    const before = issuePlaces.get(store);
    const from = before?.at ?? 0;
    const { issues } = await read(from);
    // A solved issue is no longer listed, so the next one has its position.
    const step = issues[0] !== undefined && keyOf(issues[0]) === before?.key ? 1 : 0;
    const ahead = issues[step];
    const next = ahead ?? (await read(0)).issues[0];
    // Another account may have been opened while they were read.
    if (store.getState().workspaceId !== workspaceId) return;
    if (next === undefined) return app.toasts.tell(appTexts.drawer.noIssues);
    issuePlaces.set(store, { at: ahead === undefined ? 0 : from + step, key: keyOf(next) });
    store.getState().reveal(next.kind, next.campaignId, next.id, next.field);
  })();
}

/**
 * Goes to the cell of an issue of a row.
 *
 * @param rule the start of the rule's ID; an error by default
 */
export async function revealIssue(
  app: AppContext,
  { kind, id }: { readonly kind: Kind; readonly id: number },
  rule?: string,
): Promise<void> {
  const { store, connection } = app;
  const { workspaceId } = store.getState();
  if (workspaceId === null) return;
  // The row is shown even if its issues can't be read.
  const read = await attempt(app, () =>
    connection.client.workspace.rowIssues({ workspaceId, kind, ids: [asRowId(id)] }),
  );
  if (store.getState().workspaceId !== workspaceId) return;
  const found = read?.issues.find((issue) =>
    rule === undefined ? issue.severity === 'error' : issue.rule.startsWith(rule),
  );
  store.getState().reveal(kind, null, id, found?.field ?? null);
}

export const colors =
  (scheme: 'light' | 'dark' | 'system') =>
  ({ app, setColorScheme }: CommandContext): void => {
    setColorScheme(scheme === 'system' ? 'auto' : scheme);
    void app.actions.remember({ colorScheme: scheme });
  };

/** Adds a practice account under the first free name, and opens its campaigns, because its overview is empty. */
export async function addPractice(app: AppContext): Promise<void> {
  const accounts = await app.connection.client.accounts.list();
  const taken = accounts.map(({ name }) => name);
  const added = await app.actions.addPractice(freeName(appTexts.welcome.practiceName, taken));
  if (added !== null) app.store.getState().goTo({ kind: 'campaign', campaignId: null });
}

/** Adds a sample account, or opens the existing one. */
export async function openSample({ connection, actions }: AppContext): Promise<void> {
  const accounts = await connection.client.accounts.list();
  const there = accounts.find(({ isSample }) => isSample);
  if (there !== undefined) actions.openAccount(there.workspaceId);
  else
    await actions.addSample(
      freeName(
        SAMPLE_NAME,
        accounts.map(({ name }) => name),
      ),
    );
}

/** Shows the list of first steps again, on the overview. */
export async function openFirstSteps({ connection, store }: AppContext): Promise<void> {
  const { workspaceId, openPlace } = store.getState();
  if (workspaceId === null) return;
  await connection.client.checklist.setClosed({ workspaceId, closed: false });
  openPlace('overview');
}

export const exportAs =
  (format: ExportFormat) =>
  ({ app }: CommandContext): void =>
    handOut(app, format, null);

/** Exports the campaigns of the selected rows as a page for a client. */
export const exportStoryboard =
  (money: boolean) =>
  ({ app }: CommandContext): void =>
    void withCampaigns(app, (selected) => void exportPage(app, selected, money));

async function exportPage(app: AppContext, selected: readonly number[], money: boolean): Promise<void> {
  const campaignIds = selected.map(asRowId);
  if (campaignIds.length > STORYBOARD_MAX) return app.toasts.fail(appTexts.annotations.tooMany(STORYBOARD_MAX));
  const file = await runAction(app, (workspaceId) =>
    app.connection.client.storyboard.export({ workspaceId, campaignIds, money }),
  );
  if (file === null) return;
  saveFrom(file.fileName, file.url);
  app.toasts.offer(file);
}

/** Opens a file picker for a client's comments file. */
export function importClientComments({ app }: CommandContext): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.adslate-comments,.json';
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) void addClientComments(app, file);
  });
  input.click();
}

async function addClientComments(app: AppContext, file: File): Promise<void> {
  // Another account may be open once the file is handed over.
  const { workspaceId } = app.store.getState();
  const grant = await grantFile(app, file);
  if (grant === null || workspaceId === null) return;
  const { client } = app.connection;
  const added = await attempt(app, () => client.storyboard.import({ workspaceId, grant }));
  if (added !== null) app.toasts.tell(appTexts.annotations.imported(added));
}

export const exportShown =
  (format: ExportFormat) =>
  ({ app }: CommandContext): void => {
    const view = app.openView.current;
    if (view === null) return;
    const { kind, filter, only, campaignId, sort, look = null } = view.source.request;
    handOut(app, format, {
      kind,
      filter,
      only,
      campaignId: campaignId === null ? null : asRowId(campaignId),
      sort: [...sort],
      ...(look === null ? {} : { look }),
    });
  };

function handOut(app: AppContext, format: ExportFormat, view: ViewSpec | null): void {
  void app.actions.exportFile(format, view).then((file) => {
    if (file === null) return;
    saveFrom(file.fileName, file.url);
    app.toasts.offer(file);
    if (file.isUnsigned) app.toasts.tell(appTexts.import.notSigned);
  });
}

/** Asks colleagues to sign off the changes of the selected rows; null for all changes. */
export const askForSignOff = (app: AppContext, chosen: ChosenRows | null): void =>
  void import('../features/team/team-actions.ts').then(({ askForTitle }) => askForTitle(app, chosen));

/** Team actions are loaded on demand, because most accounts have no team. */
export const shareNow = ({ app }: CommandContext): void =>
  void import('../features/team/team-actions.ts').then(({ teamActions }) => teamActions(app).share());

/** Moves the period back or forward, within the days that have ended. */
export const stepThePeriod =
  (by: -1 | 1) =>
  ({ app }: CommandContext): void => {
    const { store, connection } = app;
    const { workspaceId } = store.getState();
    if (workspaceId === null) return;
    void connection.client.reports.list({ workspaceId }).then((kept) => {
      const today = plainDate(kept.today);
      if (today === null) return;
      const { period, choosePeriod, announce } = store.getState();
      choosePeriod(stepPeriod(period, by, today));
      const { from, to } = periodSpan(store.getState().period, today);
      announce(appTexts.period.chosen(dayText(from), dayText(to)));
    });
  };

/** Switches to the previous or next comparison. */
export const stepComparison = (by: -1 | 1) =>
  onState(({ comparison, adjustPeriod, announce }) => {
    const next = COMPARISONS.at((COMPARISONS.indexOf(comparison) + by) % COMPARISONS.length) ?? comparison;
    adjustPeriod({ comparison: next });
    announce(appTexts.period.compared(appTexts.period.comparisons[next]));
  });
