/**
 * Who may import whom. shared <- main, preload, renderer; these three do not see each other; the sandbox sees none of them.
 * Inside an area, imports point down. Type imports count as imports.
 */

/** Files of the circles that exist today. Remove a file when its circle is gone; the list ends empty. */
const IN_CIRCLES = [
  'main/store/bulk/copy-place.ts',
  'main/store/bulk/subtrees.ts',
  'main/store/history/restore.ts',
  'main/store/known/last-refresh.ts',
  'main/store/known/campaign-status.ts',
  'main/store/known/record-remote-ids.ts',
  'main/store/known/insert-campaign.ts',
  'main/store/notes/note-commands.ts',
  'main/store/outbox/unconfirmed.ts',
  'main/store/outbox/element-budget.ts',
  'main/store/outbox/missing-rows.ts',
  'main/store/outbox/inspect.ts',
  'main/store/outbox/save-intent.ts',
  'main/store/outbox/item-facts.ts',
  'main/store/outbox/item-provenance.ts',
  'main/store/outbox/ledger.ts',
  'main/store/outbox/ops.ts',
  'main/store/outbox/unresolved-requests.ts',
  'main/store/outbox/requests.ts',
  'main/store/outbox/sent-runs.ts',
  'main/store/outbox/record-outcome.ts',
  'main/store/outbox/sync-queries.ts',
  'main/store/outbox/waiting.ts',
  'main/store/port-reads.ts',
  'main/store/port.ts',
  'main/store/staged/staged-edit.ts',
  'main/store/writer/steps.ts',
  'main/store/writer/store.ts',

  'renderer/app/store/announcement-slice.ts',
  'renderer/app/store/move-slice.ts',
  'renderer/app/store/column-slice.ts',
  'renderer/app/store/comment-slice.ts',
  'renderer/app/store/app-store.ts',
  'renderer/app/store/dialog-slice.ts',
  'renderer/app/store/dialog.ts',
  'renderer/app/store/figure-slice.ts',
  'renderer/app/store/layout-slice.ts',
  'renderer/app/store/menu-slice.ts',
  'renderer/app/store/navigation-slice.ts',
  'renderer/app/store/notification-slice.ts',
  'renderer/app/store/palette-slice.ts',
  'renderer/app/store/pane-slice.ts',
  'renderer/app/store/progress-slice.ts',
  'renderer/app/store/selection-slice.ts',
  'renderer/app/store/shortcut-slice.ts',

  'renderer/app/app-context.ts',
  'renderer/data/use-media.ts',
  'renderer/data/use-query.ts',
  'renderer/data/use-row-figures.ts',
  'renderer/data/use-window-source.ts',
  'renderer/grid/columns.ts',
  'renderer/grid/figure-columns.ts',
  'renderer/grid/grid-api.ts',
  'renderer/grid/paste.ts',
  'renderer/grid/use-grid-copy.ts',
  'renderer/grid/use-grid-edit.ts',

  'main/sync/core/again.ts',
  'main/sync/core/books.ts',
  'main/sync/core/context.ts',
  'main/sync/core/intent.ts',
  'main/sync/core/lane-limit.ts',
  'main/sync/core/rate-limit.ts',
  'main/sync/core/sightings.ts',

  'sandbox/lookups.ts',
  'sandbox/quirks.ts',
  'sandbox/resources/item-format.ts',
  'sandbox/resources/report-file.ts',
  'sandbox/resources/report-rows.ts',
  'sandbox/service.ts',
  'sandbox/wire/test-modes.ts',

  'renderer/app/bulk-commands.ts',
  'renderer/app/move-commands.ts',
  'renderer/app/command-handlers.ts',
  'renderer/app/commands.ts',
  'renderer/app/grid-commands.ts',
  'renderer/app/note-doings.ts',

  'shared/plan/send-decisions.ts',
  'shared/plan/sync-selection.ts',
  'shared/plan/plan-input.ts',
  'shared/plan/uploads.ts',

  'main/store/reader/filter-sql.ts',
  'main/store/reader/order-sql.ts',
  'main/store/reader/search-sql.ts',

  'main/sync/core/confirmed.ts',
  'main/sync/core/pull.ts',
  'main/sync/core/review-poll.ts',

  'main/api/heard.ts',
  'main/api/http.ts',

  'main/sync/port.ts',
  'main/sync/runs.ts',

  'main/store/writer/apply-tool.ts',
  'main/store/writer/copy-tool.ts',

  'main/sync/core/take-in-groups.ts',
  'main/sync/core/take-in.ts',
];

/** Screens that import another screen today. Remove a file when it does not any more; the list ends empty. */
const IMPORTING_SCREENS = [
  'renderer/features/campaign-form/AddRowsDialog.tsx',
  'renderer/features/campaign-form/CampaignForm.tsx',
  'renderer/features/campaign-form/ItemSearch.tsx',
  'renderer/features/move-rows/MoveDialog.tsx',
  'renderer/features/lower-panel/ChangesTab.tsx',
  'renderer/features/lower-panel/HistoryTab.tsx',
  'renderer/features/lower-panel/SyncTab.tsx',
  'renderer/features/details/BannerPreview.tsx',
  'renderer/features/details/ItemAbout.tsx',
  'renderer/features/details/MediaDetails.tsx',
  'renderer/features/details/MediaField.tsx',
  'renderer/features/details/MediaPreview.tsx',
  'renderer/features/details/OneRow.tsx',
  'renderer/features/launch/ReviewsTab.tsx',
  'renderer/features/media/FileCard.tsx',
  'renderer/features/media/KnownFile.tsx',
  'renderer/features/navigation/CampaignList.tsx',
  'renderer/features/reports/RowMenu.tsx',
  'renderer/features/import/ImportDialog.tsx',
  'renderer/features/sync/Report.tsx',
  'renderer/features/sync/RunPlanDialog.tsx',
  'renderer/features/sync/SyncDialog.tsx',
];

const exactly = (files) => files.map((file) => `^${file.replaceAll('.', '\\.')}$`);

/** @param allowed exceptions among the targets */
const forbid = (name, comment, from, to, allowed) => ({
  name,
  severity: 'error',
  comment,
  from: typeof from === 'string' ? { path: from } : from,
  to: allowed === undefined ? { path: to } : { path: to, pathNot: allowed },
});

const area = (name, others, comment) => forbid(name, comment, `^${name}/`, `^(${others.join('|')})/`);

module.exports = {
  forbidden: [
    // Areas
    area('shared', ['main', 'preload', 'renderer', 'sandbox', 'test', 'scripts'], 'shared/ stands alone.'),
    area(
      'main',
      ['preload', 'renderer', 'sandbox', 'test', 'scripts'],
      'main/ knows no window; the sandbox is a worker.',
    ),
    area(
      'preload',
      ['main', 'renderer', 'sandbox', 'test', 'scripts'],
      'The preload hands over a port and nothing else.',
    ),
    area('renderer', ['main', 'preload', 'sandbox', 'test', 'scripts'], 'The window asks main through the contract.'),
    area(
      'sandbox',
      ['shared', 'main', 'preload', 'renderer', 'test', 'scripts'],
      'The sandbox shares no code with its client.',
    ),

    // Inside shared
    forbid(
      'model-stands-alone',
      'shared/model imports no other folder.',
      '^shared/model/',
      '^shared/[^/]+/',
      '^shared/model/',
    ),
    forbid('contract-is-on-top', 'The domain does not know the contract.', '^shared/(?!contract/)', '^shared/api/'),

    // Inside main: host -> router -> services -> workspace, api -> files beside the folders
    forbid('hosts-are-on-top', 'Only hosts know hosts.', '^main/(?!host/)', '^main/hosts/'),
    forbid(
      'router-is-below-hosts',
      'Only core.ts puts the router together.',
      { path: '^main/[^/]+/', pathNot: '^main/service/' },
      '^main/service/',
    ),
    forbid(
      'store-stands-alone',
      'main/store imports no other folder of main.',
      '^main/store/',
      '^main/[^/]+/',
      '^main/store/',
    ),
    forbid('api-stands-alone', 'main/api imports no other folder of main.', '^main/api/', '^main/[^/]+/', '^main/api/'),

    // Inside renderer: screens -> grid, ui -> transport
    forbid(
      'screens-are-on-top',
      'What screens share does not know a screen.',
      '^renderer/(actions|data|grid|locale|messages|store|transport|ui)/',
      '^renderer/features/',
    ),
    {
      name: 'screens-are-apart',
      severity: 'error',
      comment: 'A screen does not import another one; frame/ puts them together.',
      from: {
        path: '^renderer/features/([^/]+)/',
        pathNot: ['^renderer/features/shell/', ...exactly(IMPORTING_SCREENS)],
      },
      to: { path: '^renderer/features/', pathNot: '^renderer/features/$1/' },
    },
    forbid(
      'ui-stands-alone',
      'Components know texts and formats only.',
      '^renderer/components/',
      '^renderer/(?!ui/|messages/|locale/)',
    ),
    forbid(
      'transport-stands-alone',
      'The transport knows no screen and no state.',
      '^renderer/app/transport/',
      '^renderer/(?!transport/)',
    ),

    // Packages and modules of Node
    {
      name: 'shared-packages',
      severity: 'error',
      comment: 'shared/ imports zod, the contract builder and its own files.',
      from: { path: '^shared/' },
      to: { pathNot: '^(shared/|node_modules/(zod|@orpc/contract)/)' },
    },
    {
      name: 'no-node-in-a-page',
      severity: 'error',
      comment: 'A page has no Node.',
      from: { path: '^(renderer|preload)/' },
      to: { dependencyTypes: ['core'] },
    },
    forbid(
      'no-react-outside',
      'Only the window draws.',
      '^(shared|main|preload|sandbox)/',
      'node_modules/(react|react-dom|@mantine)/',
    ),
    forbid(
      'electron-only-in-its-host',
      'Importing electron or electron-store from plain Node starts a blocking download.',
      { path: '^(shared|main|renderer|sandbox)/', pathNot: '^main/hosts/electron/' },
      'node_modules/(electron|electron-store)/',
    ),
    forbid(
      'requests-in-named-folders',
      'Requests go through main/api; uploads, reports and pictures check the address first.',
      { path: '^main/', pathNot: '^main/(api|practice|reports|media/upload|pictures)/' },
      '^((node:)?(https|tls|dgram|http2)$|node_modules/(ky|undici|axios|node-fetch)/)',
    ),
    forbid(
      'processes-in-one-place',
      'The browser of the web host is the only program we start.',
      { path: '^(shared|main|preload|renderer|sandbox)/', pathNot: '^main/hosts/web/open-window\\.ts$' },
      '^(node:)?child_process$',
    ),
    forbid('no-second-engine', 'No module runs foreign code.', '', '^(node:)?(vm|inspector|module|repl)$'),
    forbid(
      'process-in-hosts-only',
      'A program is steered by its arguments.',
      { path: '^(shared|main|preload|sandbox)/', pathNot: '^main/hosts/' },
      '^(node:)?process$',
    ),

    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Files that import each other, type imports included.',
      from: { pathNot: exactly(IN_CIRCLES) },
      to: { circular: true },
    },
    {
      name: 'no-circles-at-run-time',
      severity: 'error',
      comment: 'Not even the files of IN_CIRCLES import values in a circle.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(out|\\.cache)/|\\.d\\.mts$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.css'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
