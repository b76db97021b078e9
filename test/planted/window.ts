import type { PlantedFault } from './fault.ts';

const GRID = 'test/ui/screens/grid.test.ts';
const DESK = 'test/ui/screens/desk.test.ts';
const PATCH = 'test/ui/patch.test.ts';
const SOURCE = 'test/ui/window.test.ts';
const SYNC = 'test/ui/screens/sync.test.ts';
const QUERIES = 'test/ui/queries.test.ts';

export const WINDOW_FAULTS: readonly PlantedFault[] = [
  {
    name: 'rows-come-unseen',
    takesAway: 'Rows that came or went are shown: an event of other rows opens the view anew.',
    file: 'renderer/grid/window.ts',
    from: '    else void source.reopen();',
    to: '    else return;',
    tests: [PATCH],
  },
  {
    name: 'stale-page-kept',
    takesAway: 'A refresh reads the pages anew.',
    file: 'renderer/grid/window.ts',
    from: 'pages?.markOld();',
    to: '',
    tests: [SOURCE, GRID],
  },
  {
    name: 'old-length-kept',
    takesAway: 'A view that was opened anew has its new length.',
    file: 'renderer/grid/window.ts',
    from: '      length = view.length;\n      outline',
    to: '      if (length === 0) length = view.length;\n      outline',
    tests: [SOURCE, GRID],
  },
  {
    name: 'painted-value-lost',
    takesAway: 'A value shows before main has confirmed it.',
    file: 'renderer/grid/window.ts',
    from: 'paints.add(cells);',
    to: '',
    tests: [SOURCE],
  },
  {
    name: 'long-read-skips-a-row',
    takesAway: 'Rows that are read in several parts are all there.',
    file: 'renderer/grid/window.ts',
    from: 'at += WINDOW_MAX)',
    to: 'at += WINDOW_MAX + 1)',
    tests: [SOURCE, GRID],
  },
  {
    name: 'patch-not-applied',
    takesAway: 'An edit is on screen with its answer, and nothing is read.',
    file: 'renderer/grid/window.ts',
    from: '    else source.patch({ revision, rows });',
    to: '    else source.refresh(revision);',
    tests: [PATCH],
  },
  {
    name: 'news-of-own-edit-is-read',
    takesAway: 'News with rows causes no read.',
    file: 'renderer/grid/window.ts',
    from: 'if (patch !== undefined && !patch.reread.includes(kind)) {',
    to: 'if (patch !== undefined && !patch.reread.includes(kind) && isInPlace) {',
    tests: [PATCH],
  },
  {
    name: 'news-without-rows-is-read',
    takesAway: 'News of an own edit causes no read when its answer has brought the rows.',
    file: 'renderer/grid/window.ts',
    from: 'const others = held.filter((event) => event.revision !== revision);',
    to: 'const others = held;',
    tests: [PATCH],
  },
  {
    name: 'older-page-wins',
    takesAway: 'A page that was read before an edit shows the edit.',
    file: 'renderer/grid/window.ts',
    from: 'const rows = newest(answer);',
    to: 'const { rows } = answer;',
    tests: [PATCH],
  },
  {
    name: 'rows-of-patch-without-issues',
    takesAway: 'The issues of an edited row come with it.',
    file: 'renderer/grid/window.ts',
    from: 'issues.tell(row.id, said);',
    to: '',
    tests: [PATCH],
  },
  {
    name: 'refused-value-stays',
    takesAway: 'A value that main has refused is taken back.',
    file: 'renderer/grid/window.ts',
    from: '        paints.delete(cells);',
    to: "        if (end !== 'back') paints.delete(cells);",
    tests: [PATCH],
  },
  {
    name: 'reordered-unsaid',
    takesAway: 'A list says that its order is old.',
    file: 'renderer/grid/window.ts',
    from: 'if (moved) outOfOrder = true;',
    to: '',
    tests: [PATCH],
  },
  {
    name: 'list-left-open-is-stale',
    takesAway: 'A list that was opened while it was pressed is dropped when its rows have changed.',
    file: 'renderer/grid/window.ts',
    from: "if (event.type === 'workspace.changed' || event.type === 'reconnected') drop();",
    to: "if (event.type === 'reconnected') drop();",
    tests: ['test/ui/prefetched-view.test.ts'],
  },
  {
    name: 'gap-not-made-up',
    takesAway: 'Answers are asked for again after a gap in which events may have been missed.',
    file: 'renderer/app/queries.ts',
    from: "if (event.type === 'reconnected') return true;",
    to: "if (event.type === 'reconnected') return false;",
    tests: [QUERIES, 'test/ui/screens/accounts.test.ts'],
  },
  {
    name: 'issues-not-asked-again',
    takesAway: 'Lists of issues are asked for again after an edit and the check that follows it.',
    file: 'renderer/app/queries.ts',
    from: "const changed = (event: AppEvent): boolean => event.type === 'workspace.changed';",
    to: "const changed = (event: AppEvent): boolean => event.type === 'accounts.changed';",
    tests: [QUERIES, DESK, 'test/ui/screens/issues.test.ts'],
  },
  {
    name: 'pending-sync-unheard',
    takesAway: 'The status of a sync that is paused or scheduled follows its events.',
    file: 'renderer/app/queries.ts',
    from: "event.type === 'sync.progress' || event.type === 'sync.pending'",
    to: "event.type === 'sync.progress'",
    tests: [QUERIES, SYNC],
  },
  {
    name: 'report-job-unheard',
    takesAway: 'A report that is made in the background is shown as it comes further.',
    file: 'renderer/app/queries.ts',
    from: "event.type === 'report.job';",
    to: "event.type === 'sync.progress';",
    tests: [QUERIES, 'test/ui/screens/reports.test.ts'],
  },
  {
    name: 'undo-does-it-again',
    takesAway: 'Undo takes the last step back.',
    file: 'renderer/app/actions.ts',
    from: 'client.workspace.undo({ workspaceId })',
    to: 'client.workspace.redo({ workspaceId })',
    tests: [GRID, DESK],
  },
  {
    name: 'fixes-the-first-alone',
    takesAway: 'One click fixes every issue of a rule.',
    file: 'renderer/app/actions.ts',
    from: 'const edits = same.flatMap(({ kind, id, fix }) =>',
    to: 'const edits = same.slice(0, 1).flatMap(({ kind, id, fix }) =>',
    tests: [DESK],
  },
  {
    name: 'lock-ignored',
    takesAway: 'Cells of the service, and those that are fixed once they were sent, are not edited.',
    file: 'renderer/grid/columns.ts',
    from: 'if (always !== null) return always;',
    to: '',
    tests: ['test/ui/columns.test.ts', 'test/ui/clipboard.test.ts'],
  },
  {
    name: 'text-taken-as-markup',
    takesAway: 'A text of a row is shown as it is, and never as markup.',
    file: 'renderer/grid/GridRow.tsx',
    from: "if (!isState || typeof stored !== 'string') return text;",
    to: "if (!isState || typeof stored !== 'string') return <span dangerouslySetInnerHTML={{ __html: text }} />;",
    tests: [GRID],
  },
  {
    name: 'count-ignores-the-filter',
    takesAway: 'The number of rows is that of the rows that are shown.',
    file: 'renderer/features/grid-bar/GridBar.tsx',
    from: 'api.views.counts.queryOptions({ input: { workspaceId, kind, campaignId } })',
    to: 'api.views.counts.queryOptions({ input: { workspaceId, kind, campaignId: null } })',
    tests: [GRID],
  },
  {
    name: 'selection-survives-a-filter',
    takesAway: 'Where other rows come into the places of those selected, they are not selected.',
    file: 'renderer/app/store/navigation-slice.ts',
    from: '(filter === state.filter ? {} : { filter, ...oneRow(state) })',
    to: '(filter === state.filter ? {} : { filter })',
    tests: ['test/ui/selection.test.ts'],
  },
  {
    name: 'sorts-by-one-column-only',
    takesAway: 'Rows are sorted by several columns at once.',
    file: 'renderer/app/store/navigation-slice.ts',
    from: '  if (!add) {',
    to: '  if (add || !add) {',
    tests: [GRID],
  },
  {
    name: 'focus-lost-after-a-dialog',
    takesAway: 'A dialog that closes gives the keys back to the rows.',
    file: 'renderer/features/shell/Dialogs.tsx',
    from: 'due = now.dialog === null ? setTimeout(giveBack) : undefined;',
    to: 'due = undefined;',
    tests: [DESK],
  },
  {
    name: 'offline-said-to-be-online',
    takesAway: 'The status bar says that there is no network.',
    file: 'renderer/app/shared-queries.ts',
    from: "return !isOnline ? 'offline' : reachable",
    to: "return !isOnline ? 'online' : reachable",
    tests: ['test/ui/screens/accounts.test.ts'],
  },
  {
    name: 'read-only-may-send',
    takesAway: 'An account that is read-only cannot send.',
    file: 'renderer/features/sync/SyncScreen.tsx',
    from: 'readOnly === null && isAgreed',
    to: 'isAgreed',
    tests: ['test/ui/screens/sync.test.ts'],
  },
  {
    name: 'fill-stops-early',
    takesAway: 'A fill reaches the last row of the selection.',
    file: 'renderer/grid/edits.ts',
    from: 'fillChanges(kind, inRange(range), rows.slice(1),',
    to: 'fillChanges(kind, inRange(range), rows.slice(1, -1),',
    tests: [DESK],
  },
  {
    name: 'paste-repeats-the-first-row',
    takesAway: 'A pasted table keeps its rows.',
    file: 'renderer/grid/edits.ts',
    from: 'const source = table[down % table.length] ?? [];',
    to: 'const source = table[0] ?? [];',
    tests: ['test/ui/clipboard.test.ts'],
  },
  {
    name: 'escape-writes',
    takesAway: 'Escape leaves a cell as it was.',
    file: 'renderer/grid/CellEditor.tsx',
    from: `    if (event.key === 'Escape') {
      done.current = true;
      onCancel();
    } else if (after !== null) {
      event.preventDefault();
      commit(after);
    }
  };
  const leave = (): void => {
    // Another`,
    to: `    if (event.key === 'Escape') {
      commit('stay');
    } else if (after !== null) {
      event.preventDefault();
      commit(after);
    }
  };
  const leave = (): void => {
    // Another`,
    tests: [DESK],
  },
  {
    name: 'left-out-comes-in',
    takesAway: 'A row of a sheet whose tick was taken away stays out.',
    file: 'renderer/features/import/import-selection.ts',
    from: 'leaveOut: lines(false), take: lines(true) };',
    to: 'leaveOut: [], take: lines(true) };',
    tests: ['test/ui/screens/import.test.ts', 'test/ui/import-choice.test.ts'],
  },
];
