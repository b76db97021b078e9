/**
 * Who may import whom. shared <- main, preload, renderer; these three do not see each other; the sandbox sees none of them.
 * Inside an area, imports point down. Type imports count as imports.
 */

/** Files of the circles that exist today. Remove a file when its circle is gone; the list ends empty. */
const IN_CIRCLES = [
  'main/workspace/bulk/copy-place.ts',
  'main/workspace/bulk/subtrees.ts',
  'main/workspace/history/restore.ts',
  'main/workspace/known/campaign-reads.ts',
  'main/workspace/known/campaign-status.ts',
  'main/workspace/known/note-known.ts',
  'main/workspace/known/take-in.ts',
  'main/workspace/notes/note-commands.ts',
  'main/workspace/outbox/doubt.ts',
  'main/workspace/outbox/element-budget.ts',
  'main/workspace/outbox/gone.ts',
  'main/workspace/outbox/inspect.ts',
  'main/workspace/outbox/intend.ts',
  'main/workspace/outbox/item-facts.ts',
  'main/workspace/outbox/item-provenance.ts',
  'main/workspace/outbox/ledger.ts',
  'main/workspace/outbox/ops.ts',
  'main/workspace/outbox/questions.ts',
  'main/workspace/outbox/requests.ts',
  'main/workspace/outbox/sent-runs.ts',
  'main/workspace/outbox/settle.ts',
  'main/workspace/outbox/standing.ts',
  'main/workspace/outbox/waiting.ts',
  'main/workspace/port-reads.ts',
  'main/workspace/port.ts',
  'main/workspace/staged/staged-edit.ts',
  'main/workspace/writer/steps.ts',
  'main/workspace/writer/store.ts',

  'renderer/store/announcement-slice.ts',
  'renderer/store/carry-slice.ts',
  'renderer/store/column-slice.ts',
  'renderer/store/comment-slice.ts',
  'renderer/store/desk-store.ts',
  'renderer/store/dialog-slice.ts',
  'renderer/store/dialog.ts',
  'renderer/store/figure-slice.ts',
  'renderer/store/layout-slice.ts',
  'renderer/store/menu-slice.ts',
  'renderer/store/navigation-slice.ts',
  'renderer/store/news-slice.ts',
  'renderer/store/palette-slice.ts',
  'renderer/store/pane-slice.ts',
  'renderer/store/progress-slice.ts',
  'renderer/store/selection-slice.ts',
  'renderer/store/shortcut-slice.ts',

  'renderer/app/desk.ts',
  'renderer/data/use-media.ts',
  'renderer/data/use-query.ts',
  'renderer/data/use-row-figures.ts',
  'renderer/data/use-window-source.ts',
  'renderer/grid/columns.ts',
  'renderer/grid/figure-columns.ts',
  'renderer/grid/grid-door.ts',
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

  'renderer/app/bulk-doings.ts',
  'renderer/app/carry-doings.ts',
  'renderer/app/command-doings.ts',
  'renderer/app/commands.ts',
  'renderer/app/grid-doings.ts',
  'renderer/app/note-doings.ts',

  'shared/plan/admission.ts',
  'shared/plan/chosen.ts',
  'shared/plan/plan-input.ts',
  'shared/plan/uploads.ts',

  'main/workspace/reader/filter-sql.ts',
  'main/workspace/reader/order-sql.ts',
  'main/workspace/reader/search-sql.ts',

  'main/sync/core/confirmed.ts',
  'main/sync/core/pull.ts',
  'main/sync/core/review-poll.ts',

  'main/api/heard.ts',
  'main/api/http.ts',

  'main/sync/port.ts',
  'main/sync/runs.ts',

  'main/workspace/writer/apply-tool.ts',
  'main/workspace/writer/copy-tool.ts',

  'main/sync/core/take-in-groups.ts',
  'main/sync/core/take-in.ts',
];

/** Screens that import another screen today. Remove a file when it does not any more; the list ends empty. */
const IMPORTING_SCREENS = [
  'renderer/screens/campaigns/AddRowsDialog.tsx',
  'renderer/screens/campaigns/CampaignForm.tsx',
  'renderer/screens/campaigns/ItemSearch.tsx',
  'renderer/screens/carry/PutDownDialog.tsx',
  'renderer/screens/drawer/ChangesTab.tsx',
  'renderer/screens/drawer/HistoryTab.tsx',
  'renderer/screens/drawer/SyncTab.tsx',
  'renderer/screens/inspector/BannerPreview.tsx',
  'renderer/screens/inspector/ItemAbout.tsx',
  'renderer/screens/inspector/MediaDetails.tsx',
  'renderer/screens/inspector/MediaField.tsx',
  'renderer/screens/inspector/MediaPreview.tsx',
  'renderer/screens/inspector/OneRow.tsx',
  'renderer/screens/launch/ReviewsTab.tsx',
  'renderer/screens/media/FileCard.tsx',
  'renderer/screens/media/KnownFile.tsx',
  'renderer/screens/navigation/CampaignList.tsx',
  'renderer/screens/reports/RowMenu.tsx',
  'renderer/screens/sheet/SheetDialog.tsx',
  'renderer/screens/sync/Report.tsx',
  'renderer/screens/sync/RunPlanDialog.tsx',
  'renderer/screens/sync/SyncDialog.tsx',
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
    forbid(
      'contract-is-on-top',
      'The domain does not know the contract.',
      '^shared/(?!contract/)',
      '^shared/contract/',
    ),

    // Inside main: host -> router -> services -> workspace, api -> files beside the folders
    forbid('hosts-are-on-top', 'Only hosts know hosts.', '^main/(?!host/)', '^main/host/'),
    forbid(
      'router-is-below-hosts',
      'Only core.ts puts the router together.',
      { path: '^main/[^/]+/', pathNot: '^main/router/' },
      '^main/router/',
    ),
    forbid(
      'store-stands-alone',
      'main/workspace imports no other folder of main.',
      '^main/workspace/',
      '^main/[^/]+/',
      '^main/workspace/',
    ),
    forbid('api-stands-alone', 'main/api imports no other folder of main.', '^main/api/', '^main/[^/]+/', '^main/api/'),

    // Inside renderer: screens -> grid, ui -> transport
    forbid(
      'screens-are-on-top',
      'What screens share does not know a screen.',
      '^renderer/(actions|data|grid|locale|messages|store|transport|ui)/',
      '^renderer/screens/',
    ),
    {
      name: 'screens-are-apart',
      severity: 'error',
      comment: 'A screen does not import another one; frame/ puts them together.',
      from: {
        path: '^renderer/screens/([^/]+)/',
        pathNot: ['^renderer/screens/frame/', ...exactly(IMPORTING_SCREENS)],
      },
      to: { path: '^renderer/screens/', pathNot: '^renderer/screens/$1/' },
    },
    forbid(
      'ui-stands-alone',
      'Components know texts and formats only.',
      '^renderer/ui/',
      '^renderer/(?!ui/|messages/|locale/)',
    ),
    forbid(
      'transport-stands-alone',
      'The transport knows no screen and no state.',
      '^renderer/transport/',
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
      { path: '^(shared|main|renderer|sandbox)/', pathNot: '^main/host/electron/' },
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
      { path: '^(shared|main|preload|renderer|sandbox)/', pathNot: '^main/host/web/open-window\\.ts$' },
      '^(node:)?child_process$',
    ),
    forbid('no-second-engine', 'No module runs foreign code.', '', '^(node:)?(vm|inspector|module|repl)$'),
    forbid(
      'process-in-hosts-only',
      'A program is steered by its arguments.',
      { path: '^(shared|main|preload|sandbox)/', pathNot: '^main/host/' },
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
