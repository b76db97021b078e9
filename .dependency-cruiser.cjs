/**
 * Who may import whom: shared <- main, preload, renderer; the three do not see each other; the sandbox sees
 * nobody. The compiler refuses most of it already (project references); this also sees cycles and packages.
 */
const layer = (name, others, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: `^${name}/` },
  to: { path: `^(${others.join('|')})/` },
});

module.exports = {
  forbidden: [
    layer('shared', ['main', 'preload', 'renderer', 'sandbox', 'test', 'scripts'], 'shared/ stands alone.'),
    layer(
      'main',
      ['preload', 'renderer', 'sandbox', 'test', 'scripts'],
      'main/ knows no window; the sandbox is reached as a worker.',
    ),
    layer(
      'preload',
      ['main', 'renderer', 'sandbox', 'test', 'scripts'],
      'The preload hands over a port and nothing else.',
    ),
    layer('renderer', ['main', 'preload', 'sandbox', 'test', 'scripts'], 'The window asks main through the contract.'),
    layer(
      'sandbox',
      ['shared', 'main', 'preload', 'renderer', 'test', 'scripts'],
      'The sandbox shares no code with its client.',
    ),
    {
      name: 'shared-packages',
      severity: 'error',
      comment: 'shared/ imports zod, the contract builder and its own files.',
      from: { path: '^shared/' },
      to: { pathNot: '^(shared/|node_modules/(zod|@orpc/contract)/)' },
    },
    {
      name: 'electron-only-in-its-host',
      severity: 'error',
      comment: 'Importing electron or electron-store from plain Node starts a blocking download.',
      from: { path: '^(shared|main|renderer|sandbox)/', pathNot: '^main/host/electron/' },
      to: { path: 'node_modules/(electron|electron-store)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
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
