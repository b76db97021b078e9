/**
 * Who may import whom. shared <- main, preload, renderer; these three do not see each other; the sandbox sees none of them.
 * Inside an area, imports point down. Type imports count as imports.
 */

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
      'The preload passes messages between page and main, and imports neither.',
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
    forbid('contract-is-on-top', 'The domain does not know the contract.', '^shared/(?!api/)', '^shared/api/'),

    // Inside main: hosts -> service -> sync, files, accounts, reports -> store, api -> app; core/ puts them together
    forbid('hosts-are-on-top', 'Only hosts know hosts.', '^main/(?!hosts/)', '^main/hosts/'),
    forbid(
      'router-is-below-hosts',
      'Only core.ts and hosts know the router.',
      { path: '^main/', pathNot: ['^main/(service|hosts)/', '^main/core/core\\.ts$'] },
      '^main/service/',
    ),
    forbid(
      'store-stands-alone',
      'main/store imports no other folder of main but app/.',
      '^main/store/',
      '^main/[^/]+/',
      '^main/(store|app)/',
    ),
    forbid(
      'api-stands-alone',
      'main/api imports no other folder of main but app/.',
      '^main/api/',
      '^main/[^/]+/',
      '^main/(api|app)/',
    ),

    forbid('app-is-lowest', 'main/app imports no other folder of main.', '^main/app/', '^main/[^/]+/', '^main/app/'),

    // Inside renderer: features -> grid, components -> app
    forbid(
      'screens-are-on-top',
      'What screens share does not know a screen.',
      '^renderer/(grid/|components/|app/((locale|store|transport)/|actions\\.ts$))',
      '^renderer/features/',
    ),
    {
      name: 'screens-are-apart',
      severity: 'error',
      comment:
        'A screen does not import another one; shell/ puts them together. The period is shared by all with metrics.',
      from: {
        path: '^renderer/features/([^/]+)/',
        pathNot: '^renderer/features/shell/',
      },
      to: { path: '^renderer/features/', pathNot: '^renderer/features/($1|period)/' },
    },
    forbid(
      'ui-stands-alone',
      'Components know texts and formats only.',
      '^renderer/components/',
      '^renderer/(?!components/|app/locale/|app/texts\\.ts$)',
    ),
    forbid(
      'transport-stands-alone',
      'The transport knows no screen and no state.',
      '^renderer/app/transport/',
      '^renderer/(?!app/transport/)',
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
      { path: '^main/', pathNot: '^main/(api|practice|reports|team|files/upload|files/pictures)/' },
      '^((node:)?(https|tls|dgram|http2)$|node_modules/(ky|undici|axios|node-fetch)/)',
    ),
    forbid(
      'processes-in-one-place',
      'The window in the browser, what "doctor" tries, and the computers and the database of a demo.',
      {
        path: '^(shared|main|preload|renderer|sandbox)/',
        pathNot: '^main/hosts/(web/login-link|cli/(commands/doctor|demo/(postgres|team)))\\.ts$',
      },
      '^(node:)?child_process$',
    ),
    forbid('no-second-engine', 'No module runs foreign code.', '', '^(node:)?(vm|inspector|repl)$'),
    forbid(
      'no-loader',
      'Only the demo looks for a package: the programs of PostgreSQL.',
      { path: '', pathNot: '^main/hosts/cli/demo/postgres\\.ts$' },
      '^(node:)?module$',
    ),
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
      from: {},
      to: { circular: true },
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
